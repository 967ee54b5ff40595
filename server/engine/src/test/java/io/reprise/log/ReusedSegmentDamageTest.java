package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedFileStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The damages of a log whose segments have been used before, with another content. One more can happen to it: a block that is
 * as it was before, because the disk has lost what was written to it.
 */
final class ReusedSegmentDamageTest extends LogDamageSweep {
    private static final int SPARES = 8;

    /** The content of segments before they were used again. */
    private final List<byte[]> before = new ArrayList<>();

    @Override
    long writeLog(SimulatedFileStore to) {
        try (LogFixture log = new LogFixture(SMALL, 2).open(to)) {
            long next = appendUntil(log, SPARES * SMALL.segmentBytes(), 1000);
            log.logs[0].begin(RecordKind.SNAPSHOT_BEGIN, next++, -1, 0).end(log.logs, 2);
            log.run();
            long snapshot = log.snapshots.getFirst()[1];
            LogDirectory directory = new LogDirectory(to, "log");
            directory.removeBelow(snapshot, SPARES);
            assertThat(directory.spares()).hasSizeGreaterThan(5);

            next = appendUntil(log, snapshot + 2 * SMALL.segmentBytes(), next);
            log.logs[0].begin(RecordKind.SNAPSHOT_BEGIN, next++, -1, 0).end(log.logs, 2);
            log.run();
            long used = log.snapshots.getLast()[1];
            directory.removeBelow(used, SPARES);
            for (long spare : directory.spares()) {
                before.add(bytes(to, directory.sparePath(spare)));
            }
            appendUntil(log, used + 3 * SMALL.segmentBytes(), next);
            assertThat(log.writer.stats().reusedSegments()).isGreaterThan(3);
            log.stop();
            return used;
        }
    }

    private static long appendUntil(LogFixture log, long position, long first) {
        long next = first;
        while (log.writer.stats().position() < position) {
            log.append((int) next % 2, next, "c0ffee".repeat((int) next % 30));
            if (next % 3 == 0) {
                log.run();
            }
            next++;
        }
        return next;
    }

    private static byte[] bytes(SimulatedFileStore of, String path) {
        byte[] bytes = new byte[(int) SMALL.segmentBytes()];
        try (DataFile file = of.openReadOnly(path)) {
            file.read(0, ByteBuffer.wrap(bytes));
        }
        return bytes;
    }

    @Test
    void shouldNoticeAnyBlockThatIsAsItWasBefore() {
        for (long segment : segments) {
            for (int offset = 0; offset < SMALL.segmentBytes(); offset += BLOCK) {
                byte[] now = read(segment, offset, BLOCK);
                for (byte[] old : before) {
                    write(segment, offset, Arrays.copyOfRange(old, offset, offset + BLOCK));
                    check("the block at " + offset + " of segment " + segment + " as it was before");
                }
                write(segment, offset, now);
            }
        }
        assertThat(damaged()).isGreaterThan(10 * before.size());
    }

    @Test
    void shouldNoticeASegmentThatIsAsAWholeAsItWasBefore() {
        for (long segment : segments.subList(0, segments.size() - 2)) {
            byte[] now = read(segment, 0, (int) SMALL.segmentBytes());
            for (byte[] old : before) {
                write(segment, 0, old);
                check("segment " + segment + " as it was before");
            }
            write(segment, 0, now);
        }
        assertThat(damaged()).isEqualTo((segments.size() - 2) * before.size());
    }
}
