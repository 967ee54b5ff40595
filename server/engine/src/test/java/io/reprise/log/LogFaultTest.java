package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.ForceFailedException;
import io.reprise.simulation.FileCall;
import io.reprise.simulation.SimulatedFileStore;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Disks that are full, read-only, slow or broken while the log is written. */
class LogFaultTest {
    private static final LogSettings SMALL = LogFixture.SMALL;

    @Test
    void shouldAcknowledgeNothingWhileTheDiskIsFullAndGoOnWhenThereIsRoom() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            disk.faults().budget(SMALL.segmentBytes() + 1000);

            int logged = fillUp(log);

            assertThat(log.writer.admission().isBlocked()).isTrue();
            assertThat(log.logs[0].isAllDurable()).isFalse();
            long durable = log.logs[0].durable();
            log.clock.advance(1_000_000_000);
            log.run();
            assertThat(log.logs[0].durable()).isEqualTo(durable);

            disk.faults().budget(Long.MAX_VALUE);
            log.clock.advance(1_000_000_000);
            log.run();

            assertThat(log.writer.admission().isBlocked()).isFalse();
            assertThat(log.writer.admission().isOpen()).isTrue();
            assertThat(log.logs[0].isAllDurable()).isTrue();
            assertThat(log.logs[0].hasRoom()).isTrue();
            log.stop();
            assertThat(LoggedRecord.readAll(disk, SMALL)).hasSize(logged);
        }
    }

    @Test
    void shouldAcknowledgeNothingWhileTheDiskIsReadOnlyAndGoOnAfterwards() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            log.append(0, 1, "01");
            log.run();
            long durable = log.logs[0].durable();
            disk.faults().readOnly(true);

            int logged = fillUp(log);

            assertThat(log.writer.admission().isBlocked()).isTrue();
            assertThat(log.logs[0].durable()).isEqualTo(durable);
            disk.faults().readOnly(false);
            log.clock.advance(1_000_000_000);
            log.run();

            assertThat(log.logs[0].isAllDurable()).isTrue();
            log.stop();
            assertThat(LoggedRecord.readAll(disk, SMALL)).hasSize(logged + 1);
        }
    }

    /** A log that is forced late: records written in time must not wait until there is room for a segment. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldForceWhatWasWrittenWhenThereIsNoRoomForTheNextSegment(boolean closed) {
        LogSettings late = SMALL.asynchronous(1_000_000_000);
        for (int seed = 1; seed <= 20; seed++) {
            SimulatedFileStore disk = new SimulatedFileStore(seed);
            int written;
            try (LogFixture log = new LogFixture(late, 1).open(disk)) {
                disk.faults().budget(SMALL.segmentBytes() + 1000);
                for (int i = 0; !log.writer.admission().isBlocked(); i++) {
                    log.append(0, 100 + i, "ab".repeat(100));
                    log.clock.advance(20_000_000);
                    log.run();
                }
                written = LoggedRecord.readAll(disk, late).size();

                if (closed) {
                    log.stop();
                } else {
                    log.clock.advance(late.forceEveryNs());
                    log.run();
                    assertThat(log.writer.admission().isBlocked()).isTrue();
                }
            }
            assertThat(written).isGreaterThan(3);
            assertThat(LoggedRecord.readAll(disk.crash(), late))
                    .as("seed %d", seed)
                    .hasSize(written);
        }
    }

    @Test
    void shouldStopForGoodWhenAForceFails() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            log.append(0, 1, "01");
            log.run();
            long durable = log.logs[0].durable();
            disk.faults().fail(FileCall.FORCE, 1);
            log.append(0, 2, "02");

            assertThatThrownBy(log::run).isInstanceOf(ForceFailedException.class);

            assertThat(log.logs[0].durable()).isEqualTo(durable);
        }
    }

    @Test
    void shouldLetOthersRunAndTakeWhatTheyLeaveTogetherWhenAForceIsSlow() {
        LogFixture[] fixture = new LogFixture[1];
        long[] next = {2};
        SimulatedFileStore disk = new SimulatedFileStore(new SeededRandomness(1), ns -> {
            if (fixture[0] != null) {
                for (int i = 0; i < 20; i++) {
                    fixture[0].append(0, next[0]++, "02");
                }
                assertThat(fixture[0].logs[0].isAllDurable()).isFalse();
                fixture[0] = null;
            }
        });
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            log.append(0, 1, "01");
            disk.faults().forceLatency(3_000_000_000L, 3_000_000_000L);
            fixture[0] = log;
            long before = log.writer.stats().flushes();

            log.run();

            assertThat(log.writer.stats().flushes() - before).isEqualTo(2);
            assertThat(log.writer.stats().largestBatch()).isEqualTo(20);
            assertThat(log.logs[0].isAllDurable()).isTrue();
        }
    }

    @Test
    void shouldSealTheLastBatchWhenNothingComesAnyMore() {
        LogSettings roomy = SMALL.withSegmentBytes(4 * LogFormat.PAGE);
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (LogFixture log = new LogFixture(roomy, 1).open(disk)) {
            log.append(0, 1, "01");
            log.run();
            long unsealed = LogTail.find(disk, roomy, 0).position();
            log.clock.advance(roomy.sealAfterNs());
            log.run();
            log.run();

            long sealed = LogTail.find(disk, roomy, 0).position();

            assertThat(sealed).isEqualTo(LogFormat.align(unsealed, LogFormat.PAGE) + LogFormat.BLOCK);
            disk.flipBit("log/0000000000000000.log", LogFormat.BLOCK + 60, 1);
            assertThatThrownBy(() -> LogTail.find(disk, roomy, 0)).isInstanceOf(DamagedLogException.class);
        }
    }

    @Test
    void shouldWaitForOthersNoLongerThanTheSettingAllowsWhenNobodyAsks() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (LogFixture log = new LogFixture(SMALL.withMaxDelayNs(1_000_000), 1).open(disk)) {
            forceUnaskedUntilThePauseIsLongest(log);
            log.append(0, 1000, "01");
            log.clock.advance(999_999);
            log.run();
            assertThat(log.logs[0].isAllDurable()).isFalse();

            log.clock.advance(1);
            log.run();

            assertThat(log.logs[0].isAllDurable()).isTrue();
        }
    }

    @Test
    void shouldForceAtOnceWhenAnySiteAsks() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (LogFixture log = new LogFixture(SMALL.withMaxDelayNs(1_000_000), 2).open(disk)) {
            forceUnaskedUntilThePauseIsLongest(log);
            log.append(0, 1000, "01");
            log.append(1, 1001, "02");
            log.logs[1].hurryWriter();

            log.run();

            assertThat(log.logs[0].isAllDurable()).isTrue();
            assertThat(log.logs[1].isAllDurable()).isTrue();
            log.append(0, 1002, "03");
            log.run();
            assertThat(log.logs[0].isAllDurable()).isFalse();
        }
    }

    @Test
    void shouldForceAllThatWasAskedForWhenASegmentEndsInBetween() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (LogFixture log = new LogFixture(SMALL.withMaxDelayNs(1_000_000), 1).open(disk)) {
            forceUnaskedUntilThePauseIsLongest(log);
            for (int i = 0; i < 3; i++) {
                log.append(0, 1000 + i, "ab".repeat(1000));
            }
            log.logs[0].hurryWriter();

            log.run();

            assertThat(log.logs[0].isAllDurable()).isTrue();
        }
    }

    private static void forceUnaskedUntilThePauseIsLongest(LogFixture log) {
        for (int i = 0; i < 100; i++) {
            log.append(0, i + 1, "00");
            log.clock.advance(1_000_000);
            log.run();
            assertThat(log.logs[0].isAllDurable()).isTrue();
        }
    }

    @Test
    void shouldForceOnlyAsOftenAsAskedWhenAsynchronous() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        LogSettings asynchronous = SMALL.asynchronous(10_000_000);
        try (LogFixture log = new LogFixture(asynchronous, 1).open(disk)) {
            log.append(0, 1, "01");
            log.run();
            assertThat(log.logs[0].isAllDurable()).isFalse();

            log.clock.advance(10_000_000);
            log.run();

            assertThat(log.logs[0].isAllDurable()).isTrue();
        }
    }

    /** Each time that the writer looks there is something to write: it is never without a batch. */
    @Test
    void shouldForceAsOftenAsAskedWhenAsynchronousThoughRecordsNeverCease() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        LogSettings asynchronous = SMALL.withSegmentBytes(1 << 20).asynchronous(10_000_000);
        try (LogFixture log = new LogFixture(asynchronous, 1).open(disk)) {
            long[] positions = new long[100];
            for (int i = 0; i < positions.length; i++) {
                positions[i] = log.append(0, 1 + i, "01");
                log.clock.advance(1_000_000);

                log.writer.doWork(log.clock.nanoTime());

                // It was written in its own millisecond, and a force is due ten later.
                if (i >= 10) {
                    assertThat(log.logs[0].durable()).as("batch %d", i).isGreaterThanOrEqualTo(positions[i - 10]);
                }
            }
        }
    }

    @Test
    void shouldRemoveOnlySegmentsThatNobodyNeeds() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (LogFixture log = new LogFixture(SMALL, 2).open(disk)) {
            for (int i = 0; i < 100; i++) {
                log.append(0, 1 + i, "ab".repeat(100));
                log.run();
            }
            log.logs[1].begin(RecordKind.SNAPSHOT_BEGIN, 500, -1, 0).end(log.logs, 2);
            log.append(1, 501, "01");
            log.run();
            log.stop();
            long snapshot = log.snapshots.getFirst()[1];
            LogDirectory directory = new LogDirectory(disk, "log");
            assertThat(directory.removeBelow(8192, 0)).isEqualTo(2);

            assertThat(directory.removeBelow(snapshot, 0)).isGreaterThan(2);

            List<LoggedRecord> records =
                    LoggedRecord.read(LogTail.find(disk, SMALL, snapshot).read(snapshot));
            assertThat(records).extracting(LoggedRecord::transactionId).containsExactly(501L);
            assertThatThrownBy(() -> LogTail.find(disk, SMALL, 0))
                    .isInstanceOf(DamagedLogException.class)
                    .hasMessageContaining("is missing");
        }
    }

    /** Logs until there is no more room. Returns how many records that took. */
    private static int fillUp(LogFixture log) {
        int count = 0;
        while (log.logs[0].hasRoom()) {
            log.append(0, 100 + count, "ab".repeat(100));
            count++;
            log.run();
        }
        return count;
    }
}
