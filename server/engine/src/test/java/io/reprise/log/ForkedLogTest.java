package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedFileStore;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Parts of another history of the same log, as after a restart that cut it: right by themselves, and in their place.
 * But they don't follow what is before them.
 */
final class ForkedLogTest {
    private static final LogSettings SMALL = LogFixture.SMALL;
    private static final LogSettings LATE = SMALL.asynchronous(1_000_000_000);
    private static final int SEGMENT = (int) SMALL.segmentBytes();
    private static final int BLOCK = LogFormat.BLOCK;
    private static final int FRAMES = 3 * (SEGMENT / BLOCK);

    private final SimulatedFileStore disk = new SimulatedFileStore(1);
    private final LogDirectory directory = new LogDirectory(disk, "log");

    @Test
    void shouldNoticeAFrameThatDoesNotFollowTheOneBefore() {
        write(disk, "aa");
        SimulatedFileStore fork = new SimulatedFileStore(2);
        write(fork, "bb");

        for (long segment : directory.positions()) {
            for (int offset = BLOCK; offset < SEGMENT; offset += BLOCK) {
                assertForkIsNoticed(fork, segment, offset, BLOCK, "the frame does not follow the one before it");
            }
        }
    }

    @Test
    void shouldNoticeASegmentThatDoesNotFollowTheOneBefore() {
        write(disk, "aa");
        SimulatedFileStore fork = new SimulatedFileStore(2);
        write(fork, "bb");

        for (long segment : directory.positions()) {
            assertForkIsNoticed(fork, segment, 0, SEGMENT, "the segment does not follow the one before it");
        }
    }

    /** Also where it was right that they are gone, and the disk has lost the zeros that were written over them. */
    @Test
    void shouldEndBeforeFramesThatFollowWhatWasCutOff() {
        byte[] behind;
        try (LogFixture log = new LogFixture(LATE, 1).open(disk)) {
            for (int i = 1; i <= 3; i++) {
                append(log, i);
            }
            behind = read(disk, 0, 3 * BLOCK, BLOCK);
        }
        assertThat(transactions(0)).containsExactly(1L, 2L, 3L);
        disk.flipBit(directory.path(0), 2 * BLOCK + 60, 1);

        try (LogFixture log = new LogFixture(LATE, 1).open(disk)) {
            append(log, 4);
        }
        overwrite(0, 3 * BLOCK, behind);

        assertThat(transactions(0)).containsExactly(1L, 4L);
        try (LogFixture log = new LogFixture(LATE, 1).open(disk)) {
            append(log, 5);
        }
        assertThat(transactions(0)).containsExactly(1L, 4L, 5L);
    }

    /** In a frame of its own, which is written and not forced. */
    private static void append(LogFixture log, long transaction) {
        log.append(0, transaction, "0" + transaction);
        log.clock.advance(LATE.longestPauseNs());
        log.run();
    }

    /** Records written behind its end would be below the snapshot, and left out when the log is opened again. */
    @Test
    void shouldNotGoOnWithALogThatIsOlderThanTheSnapshot() {
        LogSettings roomy = SMALL.withSegmentBytes(4 * LogFormat.PAGE);
        byte[] older;
        long snapshot;
        try (LogFixture log = new LogFixture(roomy, 1).open(disk)) {
            log.append(0, 1, "01");
            log.run();
            older = read(disk, 0, 0, 4 * LogFormat.PAGE);
            log.append(0, 2, "02");
            log.logs[0].begin(RecordKind.SNAPSHOT_BEGIN, 3, -1, 0).end(log.logs, 1);
            log.run();
            snapshot = log.snapshots.getFirst()[1];
            log.append(0, 4, "04");
            log.stop();
        }
        assertThat(transactions(snapshot)).containsExactly(4L);

        overwrite(0, 0, older);

        assertThatThrownBy(() -> LogTail.find(disk, roomy, snapshot))
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining("at offset " + 2 * BLOCK)
                .hasMessageContaining(
                        "there is no frame, but a snapshot says that the log reached position " + snapshot);
    }

    /** Three segments of frames of a block each, and one that has just been begun. */
    private static void write(SimulatedFileStore to, String payload) {
        try (LogFixture log = new LogFixture(SMALL, 1).open(to)) {
            for (int i = 0; i < FRAMES; i++) {
                log.append(0, 1 + i, payload);
                log.run();
            }
            log.stop();
        }
    }

    /** Puts in what the fork has there, unless that is the same. */
    private void assertForkIsNoticed(SimulatedFileStore fork, long segment, int offset, int length, String how) {
        byte[] before = read(disk, segment, offset, length);
        byte[] forked = read(fork, segment, offset, length);
        if (Arrays.equals(before, forked)) {
            return;
        }
        overwrite(segment, offset, forked);
        assertThatThrownBy(() -> transactions(0))
                .as("offset %d of segment %d", offset, segment)
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining(how);
        overwrite(segment, offset, before);
    }

    private List<Long> transactions(long from) {
        return LoggedRecord.read(LogTail.find(disk, SMALL, from).read(from)).stream()
                .map(LoggedRecord::transactionId)
                .toList();
    }

    private static byte[] read(SimulatedFileStore of, long segment, int offset, int length) {
        byte[] bytes = new byte[length];
        try (DataFile file = of.openReadOnly(new LogDirectory(of, "log").path(segment))) {
            file.read(offset, ByteBuffer.wrap(bytes));
        }
        return bytes;
    }

    private void overwrite(long segment, int offset, byte[] bytes) {
        try (DataFile file = disk.open(directory.path(segment))) {
            file.write(offset, ByteBuffer.wrap(bytes));
        }
    }
}
