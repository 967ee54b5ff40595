package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedFileStore;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seals are there when they are needed: damage of the last batch is never taken for a torn tail once the log is idle or closed. */
final class LogSealTest {
    private static final LogSettings ROOMY = LogFixture.SMALL.withSegmentBytes(16 << 10);
    private static final int PAGE = 4096;

    private final SimulatedFileStore disk = new SimulatedFileStore(3);

    private void assertNoticed(LogSettings settings) {
        assertThatThrownBy(() -> LoggedRecord.readAll(disk, settings)).isInstanceOf(DamagedLogException.class);
    }

    private static void write(LogFixture log, int batches) {
        for (int i = 0; i < batches; i++) {
            log.append(0, 1000 + i, "c0ffee".repeat(i % 30));
            log.run();
        }
    }

    private static void fallIdleOrStop(LogFixture log, boolean idle) {
        if (idle) {
            log.run();
            log.clock.advance(ROOMY.sealAfterNs());
            log.run();
        } else {
            log.stop();
        }
    }

    /** Disks and the system's memory lose whole pages, and not only blocks. */
    @ParameterizedTest
    @ValueSource(longs = {16 << 10, 17 << 10})
    void shouldNoticeAnyZeroedPageOfALogThatWasClosed(long segmentBytes) {
        LogSettings settings = ROOMY.withSegmentBytes(segmentBytes);
        int noticed = 0;
        for (int batches = 1; batches <= 40; batches++) {
            SimulatedFileStore closed = new SimulatedFileStore(batches);
            try (LogFixture log = new LogFixture(settings, 1).open(closed)) {
                write(log, batches);
                log.stop();
            }
            List<LoggedRecord> expected = LoggedRecord.readAll(closed, settings);
            assertThat(expected).hasSize(batches);
            for (long segment : new LogDirectory(closed, "log").positions()) {
                for (int page = 0; page < segmentBytes / PAGE; page++) {
                    byte[] before = zero(closed, segment, page * PAGE);
                    try {
                        assertThat(LoggedRecord.readAll(closed, settings))
                                .as("page %d of segment %d is zeroed, after %d batches", page, segment, batches)
                                .isEqualTo(expected);
                    } catch (DamagedLogException e) {
                        noticed++;
                    }
                    put(closed, segment, page * PAGE, before);
                }
            }
        }
        assertThat(noticed).isGreaterThan(100);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNoticeDamageOfALastBatchThatWasForcedLate(boolean idle) {
        LogSettings asynchronous = ROOMY.asynchronous(1_000_000_000);
        try (LogFixture log = new LogFixture(asynchronous, 1).open(disk)) {
            write(log, 1);
            assertThat(log.logs[0].isAllDurable()).isFalse();
            if (idle) {
                log.clock.advance(2_000_000_000);
                log.run();
                log.clock.advance(asynchronous.sealAfterNs());
                log.run();
            } else {
                log.stop();
            }
        }
        disk.flipBit("log/0000000000000000.log", LogFormat.BLOCK + 60, 1);

        assertNoticed(asynchronous);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNoticeDamageOfTheLastBatchBeforeACrash(boolean idle) {
        try (LogFixture log = new LogFixture(ROOMY, 1).open(disk)) {
            write(log, 3);
        }
        try (LogFixture again = new LogFixture(ROOMY, 1).open(disk)) {
            fallIdleOrStop(again, idle);
        }
        disk.flipBit("log/0000000000000000.log", 3 * LogFormat.BLOCK + 60, 1);

        assertNoticed(ROOMY);
    }

    /**
     * The power failed while the seal was written, and its first part arrived; it shares a page with the last batch.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSealAgainWhenOnlyThePartOfASealIsThereThatSharesAPage(boolean idle) {
        try (LogFixture log = new LogFixture(ROOMY, 1).open(disk)) {
            write(log, 12);
            log.stop();
        }
        List<LoggedRecord> expected = LoggedRecord.readAll(disk, ROOMY);
        long seal = LogTail.find(disk, ROOMY, 0).position() - LogFormat.BLOCK;
        assertThat(seal % PAGE).isZero();
        zero(disk, 0, (int) seal);

        try (LogFixture again = new LogFixture(ROOMY, 1).open(disk)) {
            fallIdleOrStop(again, idle);
        }

        assertThat(LoggedRecord.readAll(disk, ROOMY)).isEqualTo(expected);
        zero(disk, 0, (int) seal - PAGE);
        assertNoticed(ROOMY);
    }

    @Test
    void shouldWriteNothingWhenALogIsOpenedThatIsSealed() {
        try (LogFixture log = new LogFixture(ROOMY, 1).open(disk)) {
            write(log, 3);
            log.stop();
        }
        long end = LogTail.find(disk, ROOMY, 0).position();
        for (int i = 0; i < 2; i++) {
            try (LogFixture again = new LogFixture(ROOMY, 1).open(disk)) {
                again.clock.advance(ROOMY.sealAfterNs());
                again.run();
                again.stop();
            }
        }

        assertThat(LogTail.find(disk, ROOMY, 0).position()).isEqualTo(end);
    }

    private static byte[] zero(SimulatedFileStore disk, long segment, int offset) {
        ByteBuffer before = ByteBuffer.allocate(PAGE);
        try (DataFile file = disk.openReadOnly(new LogDirectory(disk, "log").path(segment))) {
            file.read(offset, before);
        }
        put(disk, segment, offset, new byte[PAGE]);
        return before.array();
    }

    private static void put(SimulatedFileStore disk, long segment, int offset, byte[] bytes) {
        try (DataFile file = disk.open(new LogDirectory(disk, "log").path(segment))) {
            file.write(offset, ByteBuffer.wrap(bytes));
        }
    }
}
