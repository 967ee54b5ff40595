package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.time.Clock;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link Compression#MEASURED} compresses where the disk is slower than the compressor, and only there. */
class FrameCompressorTest {
    private static final int FRAME = 8192;
    private static final int BATCH = 1 << 20;
    private static final long SECOND_NS = 1_000_000_000;

    /** Each look at the clock takes so long, and so does compressing a frame, which lies between two looks. */
    private static final long LOOK_NS = FRAME;

    private final SimulatedClock time = new SimulatedClock();
    private final FrameCompressor compressor = new FrameCompressor(Compression.MEASURED, ticking(time));
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(2 * FRAME);

    private static Clock ticking(SimulatedClock time) {
        return new Clock() {
            @Override
            public long nanoTime() {
                time.advance(LOOK_NS);
                return time.nanoTime();
            }

            @Override
            public long epochMicros() {
                return time.epochMicros();
            }
        };
    }

    /** The number of compressed frames among so many. */
    private int compressed(int frames, boolean repeating) {
        int count = 0;
        SeededRandomness random = new SeededRandomness(7);
        for (int i = 0; i < frames; i++) {
            for (int at = 0; at < FRAME; at++) {
                buffer.put(at, (byte) (repeating ? at / 100 : random.nextInt(256)));
            }
            count += compressor.compress(buffer, 0, FRAME) < FRAME ? 1 : 0;
        }
        return count;
    }

    private void flushes(int count, long nsPerBatch) {
        for (int i = 0; i < count; i++) {
            compressor.flushed(BATCH, nsPerBatch);
        }
    }

    @Test
    void shouldLeaveFramesAloneBeforeAnythingIsKnownOfTheDisk() {
        assertThat(compressed(200, true)).isZero();
    }

    @Test
    void shouldCompressAllFramesWhenTheDiskIsSlow() {
        flushes(50, SECOND_NS);

        assertThat(compressed(200, true)).isEqualTo(200);
    }

    @Test
    void shouldOnlyTryNowAndThenWhenTheDiskIsFast() {
        flushes(50, SECOND_NS / 1_000);

        assertThat(compressed(640, true)).isEqualTo(10);
    }

    @Test
    void shouldStopWhenNothingIsSavedAndBeginAgainWhenSomethingIs() {
        // Twice what compressing costs, if all is saved.
        flushes(200, 4L * BATCH);
        assertThat(compressed(100, true)).isPositive();

        assertThat(compressed(300, false)).isZero();
        int afterwards = compressed(64 * 40, true);

        assertThat(afterwards).isGreaterThan(1_000);
    }

    @Test
    void shouldStopWhenTheDiskHasBecomeFast() {
        flushes(50, SECOND_NS);
        assertThat(compressed(10, true)).isEqualTo(10);

        flushes(200, SECOND_NS / 1_000);

        assertThat(compressed(640, true)).isLessThanOrEqualTo(11);
    }

    @Test
    void shouldWriteLessToASlowDiskAndReadTheSameBack() {
        long slow = writtenBytes(Compression.MEASURED, 2 * SECOND_NS);
        long fast = writtenBytes(Compression.MEASURED, 0);
        long never = writtenBytes(Compression.NONE, 0);

        assertThat(fast).isEqualTo(never);
        assertThat(slow).isLessThan(never / 2);
    }

    private static long writtenBytes(Compression compression, long forceNs) {
        LogSettings settings = LogSettings.DEFAULTS
                .withSizes(FRAME, BATCH, 1 << 20, FRAME)
                .withSegmentBytes(16 << 20)
                .withCompression(compression)
                .withMaxDelayNs(0);
        List<String> payloads = new ArrayList<>();
        try (LogFixture log = new LogFixture(settings, 1)) {
            SimulatedFileStore disk = new SimulatedFileStore(new SeededRandomness(1), log.clock::advance);
            log.open(disk);
            disk.faults().forceLatency(forceNs, forceNs);
            for (int i = 0; i < 6_000; i++) {
                payloads.add("%08x".formatted(i).repeat(100));
                log.append(0, 1 + i, payloads.getLast());
                if (i % 1_000 == 999) {
                    log.run();
                }
            }
            long written = log.writer.stats().writtenBytes();
            log.stop();
            disk.faults().none();
            assertThat(LoggedRecord.readAll(disk, settings))
                    .extracting(LoggedRecord::payload)
                    .isEqualTo(payloads);
            return written;
        }
    }
}
