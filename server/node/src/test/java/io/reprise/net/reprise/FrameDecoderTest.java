package io.reprise.net.reprise;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FrameDecoderTest {
    private static final long PATIENCE_NS = 1_000;
    private static final int LONGEST = 1 << 20;

    private final List<String> told = new ArrayList<>();
    private final AtomicLong partialBytes = new AtomicLong();
    private long nowNs = 1;
    private boolean room = true;
    private final FrameDecoder decoder = decoder();
    private final EmbeddedChannel channel = new EmbeddedChannel(decoder);

    private FrameDecoder decoder() {
        return new FrameDecoder(new Recorder(), () -> nowNs, LONGEST, 3L * LONGEST / 2, partialBytes);
    }

    private final class Recorder implements FrameDecoder.Receiver {
        @Override
        public void opened() {
            told.add("opened");
        }

        @Override
        public boolean isOpen() {
            return told.stream().noneMatch(line -> line.startsWith("rejected"));
        }

        @Override
        public boolean isGreeted() {
            return told.contains("frame 1 of 2");
        }

        @Override
        public void frame(byte kind, byte[] message) {
            told.add("frame " + kind + " of " + message.length);
        }

        @Override
        public void readEnded() {}

        @Override
        public void askedByHttp() {
            told.add("http");
        }

        @Override
        public void reject(Goodbye.Reason reason, String message) {
            told.add("rejected " + reason);
        }

        @Override
        public boolean hasRoom() {
            return room;
        }

        @Override
        public void closed() {
            told.add("closed");
        }
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private void receive(int... values) {
        channel.writeInbound(Unpooled.wrappedBuffer(bytes(values)));
    }

    private void greet() {
        receive(0, 0, 0, 3, 1, 7, 7);
    }

    @Test
    void shouldGiveFramesHoweverTheirBytesArrive() {
        receive(0, 0, 0);
        receive(3, 1, 7);
        receive(7, 0, 0, 0, 1, 5, 0, 0, 0, 2, 6, 9);

        assertThat(told).containsExactly("opened", "frame 1 of 2", "frame 5 of 0", "frame 6 of 1");
    }

    @Test
    void shouldFindAFrameLateWhenItsRestDoesNotCome() {
        greet();
        nowNs += 10 * PATIENCE_NS;
        assertThat(decoder.isLate(nowNs, PATIENCE_NS)).as("without a frame").isFalse();

        receive(0, 0, 1, 0, Wire.CALLS, 1);
        nowNs += PATIENCE_NS;
        receive(1);

        assertThat(decoder.isLate(nowNs, PATIENCE_NS)).isFalse();
        assertThat(decoder.isLate(nowNs + 1, PATIENCE_NS))
                .as("since its first byte")
                .isTrue();
    }

    @Test
    void shouldFindTheHelloLateWhenNothingComes() {
        assertThat(decoder.isLate(nowNs + PATIENCE_NS, PATIENCE_NS)).isFalse();
        assertThat(decoder.isLate(nowNs + PATIENCE_NS + 1, PATIENCE_NS)).isTrue();
    }

    @Test
    void shouldGiveAFrameItsWholePatienceAgainWhenTheSocketWasNotRead() {
        greet();
        receive(0, 0, 1, 0);
        decoder.pause();
        nowNs += 10 * PATIENCE_NS;
        room = false;
        decoder.resume();
        assertThat(decoder.isLate(nowNs, PATIENCE_NS)).as("not read yet").isFalse();
        assertThat(channel.config().isAutoRead()).isFalse();

        room = true;
        decoder.resume();

        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(decoder.isLate(nowNs + PATIENCE_NS, PATIENCE_NS)).isFalse();
        assertThat(decoder.isLate(nowNs + PATIENCE_NS + 1, PATIENCE_NS)).isTrue();
    }

    @Test
    void shouldOweASignOfLifeEachSecondWhenTheSocketIsNotRead() {
        long secondNs = 1_000_000_000;
        assertThat(decoder.owesSignOfLife(nowNs + 2 * secondNs)).isFalse();
        decoder.pause();

        assertThat(decoder.owesSignOfLife(nowNs + secondNs)).isFalse();
        assertThat(decoder.owesSignOfLife(nowNs + secondNs + 1)).isTrue();
        assertThat(decoder.owesSignOfLife(nowNs + 2 * secondNs)).isFalse();
    }

    @Test
    void shouldRejectAFirstFrameWhenItIsLongerThanAHello() {
        receive(0, 1, 0, 0, 1);

        assertThat(told).containsExactly("opened", "rejected FRAME_TOO_LARGE");
        receive(0, 0, 0, 1, 5);
        assertThat(told).as("further bytes are dropped").hasSize(2);
    }

    @Test
    void shouldBoundTheBytesOfIncompleteFramesOfAllConnections() {
        greet();
        partialBytes.set(LONGEST);
        receive(0, 8, 0, 0, 1);
        assertThat(partialBytes.get()).isEqualTo(LONGEST + (1 << 19));
        assertThat(told).doesNotContain("rejected OUT_OF_MEMORY");
        channel.finishAndReleaseAll();
        assertThat(partialBytes.get()).as("after its end").isEqualTo(LONGEST);

        EmbeddedChannel other = new EmbeddedChannel(decoder());
        other.writeInbound(Unpooled.wrappedBuffer(bytes(0, 8, 0, 1, 1)));
        other.finishAndReleaseAll();

        assertThat(told).contains("rejected OUT_OF_MEMORY");
    }
}
