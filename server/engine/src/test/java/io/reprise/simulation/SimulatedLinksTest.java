package io.reprise.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.Link;
import io.reprise.cluster.Links;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SimulatedLinksTest {
    private static final long SECOND = 1_000_000_000;

    private final Simulation simulation = new Simulation(7);
    private final SimulatedLinks network = new SimulatedLinks(simulation);
    private final Links one = network.of("one");
    private final Links two = network.of("two");

    private Link accepted(Links links) {
        Link link = null;
        for (int i = 0; i < 100 && link == null; i++) {
            simulation.clock().advance(10_000);
            link = links.accept();
        }
        return link;
    }

    private static boolean send(Link link, int number) {
        return link.send(new byte[] {9, (byte) number, 9}, 1, 1);
    }

    private static List<Integer> received(Link link) {
        List<Integer> numbers = new ArrayList<>();
        for (byte[] frame = link.receive(); frame != null; frame = link.receive()) {
            assertThat(frame).hasSize(1);
            numbers.add((int) frame[0]);
        }
        return numbers;
    }

    @Test
    void shouldDeliverFramesInOrderBothWays() {
        Link client = one.connect("two");
        Link server = accepted(two);
        simulation.clock().advance(SECOND);

        assertThat(client.state()).isEqualTo(Link.State.OPEN);
        for (int i = 0; i < 20; i++) {
            assertThat(send(client, i)).isTrue();
            assertThat(send(server, 100 - i)).isTrue();
        }
        assertThat(received(server)).isEmpty();
        simulation.clock().advance(SECOND);

        assertThat(received(server)).hasSize(20).isSorted();
        assertThat(received(client)).hasSize(20).startsWith(100, 99);
    }

    @Test
    void shouldRefuseAConnectionToANodeThatDoesNotListen() {
        Link link = one.connect("three");

        assertThat(link.state()).isEqualTo(Link.State.CONNECTING);
        simulation.clock().advance(SECOND);

        assertThat(link.state()).isEqualTo(Link.State.CLOSED);
    }

    @Test
    void shouldHoldFramesOfACutDirectionUntilItHeals() {
        Link client = one.connect("two");
        Link server = accepted(two);
        simulation.clock().advance(SECOND);
        network.cut("one", "two");

        send(client, 1);
        send(server, 2);
        simulation.clock().advance(SECOND);

        assertThat(received(server)).isEmpty();
        assertThat(received(client)).containsExactly(2);
        assertThat(client.state()).isEqualTo(Link.State.OPEN);
        network.heal();
        assertThat(received(server)).containsExactly(1);
    }

    @Test
    void shouldDeliverAPrefixOfABrokenLink() {
        List<Integer> sizes = new ArrayList<>();
        for (int round = 0; round < 50; round++) {
            Link client = one.connect("two");
            Link server = accepted(two);
            simulation.clock().advance(SECOND);
            for (int i = 0; i < 5; i++) {
                send(client, i);
            }
            network.breakLinks("one", "two");
            simulation.clock().advance(SECOND);

            assertThat(server.state()).isEqualTo(Link.State.CLOSED);
            assertThat(client.state()).isEqualTo(Link.State.CLOSED);
            assertThat(send(client, 9)).isFalse();
            List<Integer> received = received(server);
            assertThat(received).isEqualTo(List.of(0, 1, 2, 3, 4).subList(0, received.size()));
            sizes.add(received.size());
        }
        assertThat(sizes).contains(0, 1, 2, 3, 4, 5);
    }

    @Test
    void shouldNotTellASenderThatItsPeerCrashedBehindACut() {
        Link client = one.connect("two");
        accepted(two);
        simulation.clock().advance(SECOND);
        assertThat(client.state()).isEqualTo(Link.State.OPEN);
        network.cut("two", "one");
        network.crash("two");
        simulation.clock().advance(SECOND);

        assertThat(client.state()).isEqualTo(Link.State.OPEN);
        assertThat(send(client, 1)).isTrue();
        network.heal();
        assertThat(client.state()).isEqualTo(Link.State.CLOSED);
    }

    @Test
    void shouldRejectFramesWhenTheBufferIsFull() {
        Link client = one.connect("two");
        Link server = accepted(two);
        simulation.clock().advance(SECOND);
        byte[] frame = new byte[400_000];

        assertThat(client.send(frame, 0, frame.length)).isTrue();
        assertThat(client.send(frame, 0, frame.length)).isTrue();
        assertThat(client.send(frame, 0, frame.length)).isFalse();
        simulation.clock().advance(SECOND);
        assertThat(server.receive()).hasSize(400_000);

        assertThat(client.send(frame, 0, frame.length)).isTrue();
    }
}
