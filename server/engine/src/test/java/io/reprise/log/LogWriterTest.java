package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.simulation.SimulatedFileStore;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogWriterTest {
    private final SimulatedFileStore disk = new SimulatedFileStore(1);

    @Test
    void shouldGiveBackWhatWasLoggedWhenOpenedAgain() {
        try (LogFixture log = new LogFixture(LogFixture.SMALL, 2).open(disk)) {
            log.append(0, 1000, "0102");
            log.append(1, 1001, "");
            log.run();
            log.append(0, 1002, "ff".repeat(200));
            log.run();
            log.stop();
        }

        List<LoggedRecord> records = LoggedRecord.readAll(disk, LogFixture.SMALL);

        assertThat(records).hasSize(3);
        assertThat(records).extracting(LoggedRecord::payload).containsExactlyInAnyOrder("0102", "", "ff".repeat(200));
        LoggedRecord first = records.getFirst().transactionId() == 1000 ? records.get(0) : records.get(1);
        assertThat(first.kind()).isEqualTo(RecordKind.COMMAND);
        assertThat(first.transactionId()).isEqualTo(1000);
        assertThat(first.partition()).isZero();
        assertThat(first.bucket()).isEqualTo(1000);
        assertThat(first.writeHash()).isEqualTo(31000);
    }

    @Test
    void shouldSayThatARecordIsDurableOnlyWhenItWasForced() {
        try (LogFixture log = new LogFixture(LogFixture.SMALL, 2).open(disk)) {
            long position = log.append(0, 1000, "01");

            assertThat(log.logs[0].durable()).isLessThan(position);

            log.run();

            assertThat(log.logs[0].durable()).isEqualTo(position).isEqualTo(log.logs[0].position());
            assertThat(log.writer.stats().records()).isEqualTo(1);
        }
    }

    /** The short record of one partition does not wait for all of another one's, whichever is first. */
    @Test
    void shouldWriteShortRecordsAheadOfLongOnes() {
        for (int bulk = 0; bulk < 2; bulk++) {
            try (LogFixture log = new LogFixture(LogFixture.SMALL, 2).open(new SimulatedFileStore(1))) {
                for (int i = 0; i < 4; i++) {
                    log.append(bulk, 1000 + i, "ab".repeat(200));
                }
                log.append(1 - bulk, 2000, "01");

                log.writer.doWork(log.clock.nanoTime());

                assertThat(log.logs[1 - bulk].isAllDurable()).isTrue();
                assertThat(log.logs[bulk].isAllDurable()).isFalse();
                assertThat(log.writer.stats().records()).isEqualTo(2);
                log.run();
                assertThat(log.logs[bulk].isAllDurable()).isTrue();
                log.stop();
            }
        }
    }

    @Test
    void shouldWriteALongRecordInTheNextBatchThoughShortOnesCome() {
        try (LogFixture log = new LogFixture(LogFixture.SMALL, 3).open(disk)) {
            for (int i = 0; i < 30; i++) {
                long end = log.append(0, 1000 + i, "ab".repeat(1400));
                int batches = 0;
                while (log.logs[0].durable() < end) {
                    log.append(1, 2000 + i, "01");
                    log.append(2, 3000 + i, "02");
                    log.writer.doWork(log.clock.nanoTime());
                    assertThat(++batches).isLessThan(5);
                }
                assertThat(batches).isGreaterThan(1);
            }
            log.stop();
        }
        assertThat(LoggedRecord.readAll(disk, LogFixture.SMALL)).hasSizeGreaterThan(90);
    }

    @Test
    void shouldFillABatchFromOneRingWhereOthersHaveNothing() {
        try (LogFixture log = new LogFixture(LogFixture.SMALL, 2).open(disk)) {
            for (int i = 0; i < 4; i++) {
                log.append(1, 1000 + i, "ab".repeat(200));
            }

            log.writer.doWork(log.clock.nanoTime());

            assertThat(log.logs[1].isAllDurable()).isTrue();
            log.stop();
        }
    }

    @Test
    void shouldSayWhereTheLogIsDurableWhenItHasJustBeenOpened() {
        long end;
        try (LogFixture log = new LogFixture(LogFixture.SMALL, 1).open(disk)) {
            long begin = log.writer.stats().durable();
            log.append(0, 1000, "01");
            log.run();
            end = log.writer.stats().durable();

            assertThat(begin).isEqualTo(LogFormat.BLOCK);
            assertThat(end).isGreaterThan(begin);
        }

        try (LogFixture log = new LogFixture(LogFixture.SMALL, 1).open(disk)) {
            assertThat(log.writer.stats().durable()).isEqualTo(end);
            assertThat(log.writer.stats().position()).isEqualTo(end);
        }
    }

    @Test
    void shouldFillManySegmentsAndGoOnWhenOpenedAgain() {
        for (int round = 0; round < 5; round++) {
            try (LogFixture log = new LogFixture(LogFixture.SMALL, 1).open(disk)) {
                for (int i = 0; i < 50; i++) {
                    log.append(0, round * 100 + i, "ab".repeat(i));
                    if (i % 3 == 0) {
                        log.run();
                    }
                }
                log.stop();
            }
        }

        List<LoggedRecord> records = LoggedRecord.readAll(disk, LogFixture.SMALL);

        assertThat(records).hasSize(250);
        for (int i = 0; i < 250; i++) {
            assertThat(records.get(i).transactionId()).isEqualTo(i / 50 * 100 + i % 50);
            assertThat(records.get(i).payload()).isEqualTo("ab".repeat(i % 50));
        }
        assertThat(new LogDirectory(disk, "log").positions()).hasSizeGreaterThan(5);
    }

    @Test
    void shouldCarryRecordsLargerThanTheRing() {
        LogSettings settings = LogFixture.SMALL.withSegmentBytes(32_768).withSizes(256, 1024, 1024, 20_000);
        String large = "5a".repeat(19_000);
        try (LogFixture log = new LogFixture(settings, 2).open(disk)) {
            for (int i = 0; i < 10; i++) {
                log.append(0, 1000 + 3 * i, "01");
                log.appendJoined(1001 + 3 * i, large, 1, 0);
                log.append(0, 1002 + 3 * i, "02");
                log.run();
            }
            log.stop();
        }

        List<LoggedRecord> records = LoggedRecord.readAll(disk, settings);

        assertThat(records).extracting(LoggedRecord::transactionId).isSorted().hasSize(30);
        assertThat(records.get(1).payload()).isEqualTo(large);
        assertThat(records.get(1).partition()).isEqualTo(-1);
        assertThat(records.get(28).payload()).isEqualTo(large);
    }

    @Test
    void shouldRefuseARecordAboveTheLimitAndTakeTheNextOne() {
        try (LogFixture log = new LogFixture(LogFixture.SMALL, 1).open(disk)) {
            RecordBuilder record = log.logs[0].begin(RecordKind.COMMAND, 1, -1, 0);

            assertThatThrownBy(() -> {
                        for (int i = 0; i < 400; i++) {
                            record.putInt(i);
                        }
                        record.end();
                    })
                    .isInstanceOf(LogRecordTooLargeException.class)
                    .hasMessageContaining("1500 bytes")
                    .hasMessageContaining("log.largestRecord");
            log.append(0, 2, "02");
            log.stop();
        }

        assertThat(LoggedRecord.readAll(disk, LogFixture.SMALL))
                .extracting(LoggedRecord::transactionId)
                .containsExactly(2L);
    }
}
