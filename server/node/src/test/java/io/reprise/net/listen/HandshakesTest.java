package io.reprise.net.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

final class HandshakesTest {
    private static final int ROOM = 3;

    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
    private final Handshakes handshakes = new Handshakes(this::enqueue);
    private int done;

    private void enqueue(Runnable task) {
        if (queue.size() == ROOM) {
            throw new RejectedExecutionException("full");
        }
        queue.add(task);
    }

    private List<EmbeddedChannel> begun(int count) {
        List<EmbeddedChannel> channels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EmbeddedChannel channel = new EmbeddedChannel();
            handshakes.begin(channel);
            channels.add(channel);
        }
        return channels;
    }

    /** Clients choose their content. */
    @Test
    void shouldKeepMessagesOfFailuresShortAndOnOneLine() {
        assertThat(Handshakes.problem(new NotSslRecordException("00".repeat(10_000))))
                .isEqualTo("what has come is not TLS");
        assertThat(Handshakes.problem(new DecoderException(new NotSslRecordException("00".repeat(10_000)))))
                .isEqualTo("what has come is not TLS");
        assertThat(Handshakes.problem(new SSLException("x\n".repeat(10_000))))
                .hasSizeLessThan(210)
                .startsWith("x?x?");
        assertThat(Handshakes.problem(new SSLException((String) null))).contains("SSLException");
    }

    @Test
    void shouldEndTheOldestThatWaitsForItsClientWhenThereAreTooMany() {
        List<EmbeddedChannel> channels = begun(Handshakes.MOST_WAITING);
        assertThat(channels).allMatch(EmbeddedChannel::isActive);

        begun(2);

        assertThat(channels.subList(0, 2)).noneMatch(EmbeddedChannel::isActive);
        assertThat(channels.subList(2, channels.size())).allMatch(EmbeddedChannel::isActive);
        assertThat(handshakes.waiting()).isEqualTo(Handshakes.MOST_WAITING);
    }

    @Test
    void shouldSpareThoseWhoseTurnForTheArithmeticHasNotCome() {
        EmbeddedChannel first = new EmbeddedChannel();
        Handshakes.Handshake handshake = handshakes.begin(first);
        handshake.execute(() -> done++);

        List<EmbeddedChannel> others = begun(Handshakes.MOST_WAITING);
        assertThat(first.isActive()).isTrue();
        queue.remove().run();

        assertThat(done).isEqualTo(1);
        assertThat(first.isActive()).isTrue();
        assertThat(others.getFirst().isActive()).isFalse();
    }

    @Test
    void shouldForgetThoseThatAreOver() {
        EmbeddedChannel first = new EmbeddedChannel();
        Handshakes.Handshake handshake = handshakes.begin(first);
        handshake.end();
        // Keys of a connection may be renewed long after its handshake.
        handshake.execute(() -> done++);
        queue.remove().run();

        begun(Handshakes.MOST_WAITING);

        assertThat(done).isEqualTo(1);
        assertThat(first.isActive()).isTrue();
    }

    @Test
    void shouldDoNothingForAClientThatHasGone() {
        EmbeddedChannel channel = new EmbeddedChannel();
        Handshakes.Handshake handshake = handshakes.begin(channel);
        handshake.execute(() -> done++);

        channel.close();
        queue.remove().run();

        assertThat(done).isZero();
    }

    @Test
    void shouldRefuseWhenTooMuchArithmeticWaits() {
        for (int i = 0; i < ROOM; i++) {
            handshakes.begin(new EmbeddedChannel()).execute(() -> done++);
        }
        Handshakes.Handshake oneMore = handshakes.begin(new EmbeddedChannel());

        assertThatThrownBy(() -> oneMore.execute(() -> done++)).isInstanceOf(RejectedExecutionException.class);

        assertThat(queue).hasSize(ROOM);
    }
}
