package io.reprise.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The behaviour that every implementation of {@link Links} has, of two nodes without faults. */
public abstract class LinksContract {
    private static final int FRAME_BYTES = 100_000;
    private static final int MOST_FRAMES = 2_000;

    /** The network of node 0 or 1. */
    protected abstract Links links(int node);

    /** The address of node 1. */
    protected abstract String address();

    /** An address where no node listens. */
    protected abstract String deadAddress();

    /** Lets time pass until the condition holds; fails if it does not within seconds. */
    protected abstract void await(BooleanSupplier condition);

    private Link accepted;

    /** A link from node 0 to node 1, open at both ends; the other end is {@link #accepted}. */
    private Link open() {
        Link link = links(0).connect(address());
        await(() -> {
            accepted = accepted == null ? links(1).accept() : accepted;
            return accepted != null && link.state() == Link.State.OPEN;
        });
        assertThat(accepted.state()).isEqualTo(Link.State.OPEN);
        return link;
    }

    private static byte[] frame(int number, int length) {
        byte[] frame = new byte[length];
        ByteBuffer.wrap(frame).putInt(0, number);
        return frame;
    }

    private static boolean send(Link link, int number, int length) {
        return link.send(frame(number, length), 0, length);
    }

    /** Takes the frames that have come. */
    private static void drain(Link link, List<Integer> to) {
        for (byte[] frame = link.receive(); frame != null; frame = link.receive()) {
            to.add(ByteBuffer.wrap(frame).getInt());
        }
    }

    private static void assertPrefix(List<Integer> received) {
        for (int i = 0; i < received.size(); i++) {
            assertThat(received.get(i)).isEqualTo(i);
        }
    }

    @Test
    void shouldDeliverFramesInOrderBothWays() {
        Link client = open();
        List<Integer> there = new ArrayList<>();
        List<Integer> back = new ArrayList<>();

        for (int i = 0; i < 500; i++) {
            assertThat(send(client, i, 4 + i % 50)).isTrue();
            assertThat(send(accepted, i, 4 + i % 7)).isTrue();
        }
        await(() -> {
            drain(accepted, there);
            drain(client, back);
            return there.size() == 500 && back.size() == 500;
        });

        assertPrefix(there);
        assertPrefix(back);
    }

    @Test
    void shouldSendACopyOfTheNamedBytes() {
        Link client = open();
        byte[] bytes = {9, 1, 2, 3, 9};

        assertThat(client.send(bytes, 1, 3)).isTrue();
        bytes[2] = 7;
        byte[][] received = new byte[1][];
        await(() -> (received[0] = accepted.receive()) != null);

        assertThat(received[0]).containsExactly(1, 2, 3);
    }

    @Test
    void shouldRejectFramesWhenFullAndTakeThemAgain() {
        Link client = open();
        int sent = 0;
        List<Integer> received = new ArrayList<>();

        while (sent < MOST_FRAMES && send(client, sent, FRAME_BYTES)) {
            sent++;
        }
        assertThat(sent).isBetween(1, MOST_FRAMES - 1);
        int first = sent;
        await(() -> {
            drain(accepted, received);
            return send(client, first, FRAME_BYTES);
        });
        await(() -> {
            drain(accepted, received);
            return received.size() == first + 1;
        });

        assertPrefix(received);
    }

    @Test
    void shouldTakeAFrameThatIsLongerThanTheBufferWhenNothingWaits() {
        Link client = open();
        int length = 20 << 20;

        assertThat(send(client, 5, length)).isTrue();
        byte[][] received = new byte[1][];
        await(() -> (received[0] = accepted.receive()) != null);

        assertThat(received[0]).hasSize(length);
    }

    @Test
    void shouldDeliverAPrefixAndCloseBothEnds() {
        Link client = open();
        List<Integer> received = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            assertThat(send(client, i, 1000)).isTrue();
        }

        client.close();
        await(() -> accepted.state() == Link.State.CLOSED);
        drain(accepted, received);

        assertPrefix(received);
        assertThat(received.size()).isLessThanOrEqualTo(100);
        assertThat(client.state()).isEqualTo(Link.State.CLOSED);
        assertThat(send(client, 1, 10)).isFalse();
        assertThat(send(accepted, 1, 10)).isFalse();
    }

    @Test
    void shouldDeliverFramesThatArrivedBeforeTheEnd() {
        Link client = open();
        List<Integer> received = new ArrayList<>();
        assertThat(send(client, 0, 10)).isTrue();
        await(() -> {
            byte[] frame = accepted.receive();
            return frame != null;
        });
        assertThat(send(accepted, 0, 10)).isTrue();
        assertThat(send(accepted, 1, 10)).isTrue();
        await(() -> {
            drain(client, received);
            return received.size() == 2;
        });

        client.close();

        assertThat(client.receive()).isNull();
        assertPrefix(received);
    }

    @Test
    void shouldCloseALinkToAnAddressWhereNoNodeListens() {
        Link link = links(0).connect(deadAddress());

        await(() -> link.state() == Link.State.CLOSED);

        assertThat(link.isRefused()).isEqualTo(links(0).tellsRefusals());
        assertThat(send(link, 0, 10)).isFalse();
        assertThat(link.receive()).isNull();
        assertThat(links(1).accept()).isNull();
    }

    @Test
    void shouldNotSendBeforeTheLinkIsOpen() {
        Link link = links(0).connect(address());

        boolean taken = link.state() == Link.State.CONNECTING && send(link, 0, 10);

        assertThat(taken && link.state() == Link.State.CONNECTING).isFalse();
        await(() -> links(1).accept() != null);
        await(() -> link.state() == Link.State.OPEN);
    }
}
