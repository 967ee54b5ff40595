package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedFileStore;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Damages a small log everywhere. Either it is noticed, with the place; or all records come back; or what is missing
 * was never acknowledged for certain. Never does anything wrong come back.
 */
abstract class LogDamageSweep {
    static final LogSettings SMALL = LogFixture.SMALL;
    static final int BLOCK = LogFormat.BLOCK;

    SimulatedFileStore disk;
    List<Long> segments;
    private long from;
    private List<LoggedRecord> expected;
    private int damaged;
    private int whole;

    /** Writes a log of some segments, the last one sealed, and says from where it is read. */
    abstract long writeLog(SimulatedFileStore to);

    @BeforeEach
    void writeSegments() {
        disk = new SimulatedFileStore(7);
        from = writeLog(disk);
        expected = readAll();
        segments = new LogDirectory(disk, "log").positions();
        assertThat(expected).hasSizeGreaterThan(20);
        assertThat(segments).hasSizeBetween(3, 8);
    }

    @Test
    void shouldNoticeAnyFlippedByte() {
        for (long segment : segments) {
            for (int offset = 0; offset < SMALL.segmentBytes(); offset++) {
                byte[] before = read(segment, offset, 1);
                write(segment, offset, new byte[] {(byte) (before[0] ^ 0x41)});
                check("byte " + offset + " of segment " + segment);
                write(segment, offset, before);
            }
        }
        assertThat(damaged).as("places where damage was noticed").isGreaterThan(5_000);
        assertThat(whole).as("places where it does no harm").isPositive();
    }

    @Test
    void shouldNoticeAnyZeroedBlock() {
        for (long segment : segments) {
            for (int offset = 0; offset < SMALL.segmentBytes(); offset += BLOCK) {
                byte[] before = read(segment, offset, BLOCK);
                write(segment, offset, new byte[BLOCK]);
                check("zeroed block at " + offset + " of segment " + segment);
                write(segment, offset, before);
            }
        }
        assertThat(damaged).isGreaterThan(10);
    }

    @Test
    void shouldNoticeAnyTwoSwappedBlocks() {
        int blocks = (int) (SMALL.segmentBytes() / BLOCK);
        int all = segments.size() * blocks;
        for (int a = 0; a < all; a++) {
            for (int b = a + 1; b < all; b++) {
                byte[] first = read(segments.get(a / blocks), a % blocks * BLOCK, BLOCK);
                byte[] second = read(segments.get(b / blocks), b % blocks * BLOCK, BLOCK);
                write(segments.get(a / blocks), a % blocks * BLOCK, second);
                write(segments.get(b / blocks), b % blocks * BLOCK, first);
                check("swapped blocks " + a + " and " + b);
                write(segments.get(a / blocks), a % blocks * BLOCK, first);
                write(segments.get(b / blocks), b % blocks * BLOCK, second);
            }
        }
        assertThat(damaged).isGreaterThan(100);
    }

    @Test
    void shouldNoticeAnyMissingSegment() {
        LogDirectory directory = new LogDirectory(disk, "log");
        for (long segment : segments) {
            disk.rename(directory.path(segment), "elsewhere");
            check("missing segment " + segment);
            disk.rename("elsewhere", directory.path(segment));
        }
        assertThat(damaged).isGreaterThanOrEqualTo(segments.size() - 1);
    }

    @Test
    void shouldNoticeASegmentCutOffAnywhere() {
        for (long segment : segments) {
            byte[] before = read(segment, 0, (int) SMALL.segmentBytes());
            for (int length = (int) SMALL.segmentBytes() - 1; length >= 0; length -= 7) {
                try (DataFile file = disk.open(new LogDirectory(disk, "log").path(segment))) {
                    file.truncate(length);
                }
                check("segment " + segment + " cut off at " + length);
            }
            write(segment, 0, before);
        }
        assertThat(damaged).isGreaterThan(1_000);
    }

    private List<LoggedRecord> readAll() {
        return LoggedRecord.read(LogTail.find(disk, SMALL, from).read(from));
    }

    /** The number of damages noticed so far. */
    int damaged() {
        return damaged;
    }

    void check(String what) {
        List<LoggedRecord> records;
        try {
            records = readAll();
        } catch (DamagedLogException e) {
            assertThat(e.file()).startsWith("log/");
            assertThat(e.offset()).isBetween(0L, SMALL.segmentBytes());
            damaged++;
            return;
        }
        assertThat(records).as(what).isEqualTo(expected);
        whole++;
    }

    DamagedLogException damage() {
        try {
            readAll();
        } catch (DamagedLogException e) {
            return e;
        }
        throw new AssertionError("the damage was not noticed");
    }

    byte[] read(long segment, int offset, int length) {
        byte[] bytes = new byte[length];
        try (DataFile file = disk.openReadOnly(new LogDirectory(disk, "log").path(segment))) {
            file.read(offset, ByteBuffer.wrap(bytes));
        }
        return bytes;
    }

    void write(long segment, int offset, byte[] bytes) {
        try (DataFile file = disk.open(new LogDirectory(disk, "log").path(segment))) {
            file.write(offset, ByteBuffer.wrap(bytes));
        }
    }
}
