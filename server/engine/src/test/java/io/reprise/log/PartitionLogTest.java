package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.runtime.InvariantViolatedException;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.memory.Memory;
import io.reprise.simulation.SimulatedFileStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class PartitionLogTest {
    private final SimulatedFileStore disk = new SimulatedFileStore(1);

    @Test
    void shouldWriteEveryKindOfValueAsDocumented() {
        try (LogFixture log = new LogFixture(LogFixture.SMALL, 1).open(disk);
                Memory memory = Memory.reserve(4 << 20)) {
            memory.putLong(64, 0x0807060504030201L);
            RecordBuilder record = log.logs[0].begin(RecordKind.DATA, 77, -1, 5);
            record.putByte((byte) -1).putInt(0x01020304).putLong(1).putDouble(1.0);
            record.putVarint(0).putVarint(127).putVarint(128).putVarint(-1);
            record.putZigzag(-1).putZigzag(1).putZigzag(Long.MIN_VALUE);
            long to = record.makeRoom(4);
            record.memory().putInt(to, 0x04030201);
            record.wroteUpTo(to + 3);
            record.putBytes(memory.segment(), 64, 2).putBytes(new byte[] {9});
            record.putString("aé€😀\uD800");
            assertThat(record.payloadBytes()).isEqualTo(65);
            record.end();
            log.stop();
        }

        LoggedRecord record = LoggedRecord.readAll(disk, LogFixture.SMALL).getFirst();

        assertThat(record.kind()).isEqualTo(RecordKind.DATA);
        assertThat(record.bucket()).isEqualTo(-1);
        assertThat(record.writeHash()).isEqualTo(5);
        assertThat(record.payload())
                .isEqualTo("ff" + "04030201" + "0100000000000000" + "000000000000f03f" + "00" + "7f" + "8001"
                        + "ffffffffffffffffff01" + "01" + "02" + "ffffffffffffffffff01" + "010203" + "0102" + "09"
                        + "0b" + "61" + "c3a9" + "e282ac" + "f09f9880" + "3f");
    }

    @Test
    void shouldGiveBackNoMemoryButItsOwnWhenRecordsAreRefusedInMemoryOfTheirOwnAndInTheRing() {
        LogSettings settings = LogSettings.DEFAULTS
                .withSizes(64 << 10, 4 << 20, 4 << 20, 256 << 10)
                .withSegmentBytes(1 << 20);
        try (PartitionLog log = new PartitionLog(0, 0, settings, new Waker())) {
            // Fits into memory of its own, and is too large nevertheless.
            assertThatThrownBy(() -> append(log, 1, 300 << 10)).isInstanceOf(LogRecordTooLargeException.class);
            for (int i = 0; i < 60; i++) {
                append(log, 2 + i, 60 << 10);
            }

            // Doesn't even fit there, so that it is refused where it was begun, far behind in the ring.
            assertThatThrownBy(() -> append(log, 100, 400 << 10)).isInstanceOf(LogRecordTooLargeException.class);
        }
    }

    private static void append(PartitionLog log, long transactionId, int bytes) {
        log.begin(RecordKind.DATA, transactionId, -1, 0)
                .putBytes(new byte[bytes])
                .end();
    }

    @Test
    void shouldPublishNothingOfAnAbandonedRecord() {
        try (LogFixture log = new LogFixture(LogFixture.SMALL, 1).open(disk)) {
            long before = log.logs[0].position();
            log.logs[0].begin(RecordKind.COMMAND, 1, 0, 0).putLong(1).abandon();
            log.logs[0]
                    .begin(RecordKind.COMMAND, 2, 0, 0)
                    .putBytes(new byte[1400])
                    .abandon();

            assertThat(log.logs[0].position()).isEqualTo(before);

            log.append(0, 3, "03");
            log.stop();
        }
        assertThat(LoggedRecord.readAll(disk, LogFixture.SMALL))
                .extracting(LoggedRecord::transactionId)
                .containsExactly(3L);
    }

    @Test
    void shouldHaveNoRoomWhenTheRingIsFullAndRoomAgainWhenItWasDrained() {
        try (LogFixture log = new LogFixture(LogFixture.SMALL, 1).open(disk)) {
            int count = 0;
            while (log.logs[0].hasRoom()) {
                log.append(0, ++count, "00".repeat(100));
            }

            assertThat(count).isGreaterThan(10);

            log.run();

            assertThat(log.logs[0].hasRoom()).isTrue();
        }
    }

    @Test
    void shouldHaveRoomForMarksAfterItHadRoom() {
        try (PartitionLog log = new PartitionLog(0, 0, LogFixture.SMALL, new Waker())) {
            int marks = 0;
            while (log.hasRoom()) {
                log.mark(++marks, 1);
            }
            int before = marks;

            while (log.hasRoomForMark()) {
                log.mark(++marks, 1);
            }

            // The last one before was left when there was room.
            assertThat(marks - before + 1).isGreaterThanOrEqualTo(log.marksInRoom());
            assertThat(log.marksInRoom()).isGreaterThan(8);
            assertThatThrownBy(() -> log.mark(0, 1)).isInstanceOf(InvariantViolatedException.class);
        }
    }

    @Test
    void shouldRefuseToBeginARecordWhenTheLastOneHasNotEnded() {
        try (PartitionLog log = new PartitionLog(0, 0, LogFixture.SMALL, new Waker())) {
            log.begin(RecordKind.COMMAND, 1, 0, 0);

            assertThatThrownBy(() -> log.begin(RecordKind.COMMAND, 2, 0, 0))
                    .isInstanceOf(InvariantViolatedException.class);
        }
    }

    @Test
    void shouldCarryEveryRecordIntactWhenProducerAndWriterRunAtOnce() throws Exception {
        int records = 30_000;
        LogSettings settings = LogFixture.SMALL.withSegmentBytes(1 << 20).withSizes(4096, 1 << 16, 1 << 13, 50_000);
        AtomicBoolean ended = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (LogFixture log = new LogFixture(settings, 1).open((FileStore) disk)) {
            Thread producer = new Thread(() -> {
                try {
                    produce(log.logs[0], records);
                } catch (Throwable e) {
                    failure.set(e);
                }
                ended.set(true);
            });
            producer.start();
            while (!ended.get()) {
                log.writer.doWork(log.clock.nanoTime());
            }
            producer.join();
            log.stop();
        }
        assertThat(failure.get()).isNull();

        List<LoggedRecord> read = LoggedRecord.readAll(disk, settings);

        assertThat(read).hasSize(records);
        for (int i = 0; i < records; i++) {
            int length = length(i);
            assertThat(read.get(i).transactionId()).isEqualTo(i);
            assertThat(read.get(i).payload().length()).isEqualTo(2 * length);
            assertThat(read.get(i)
                            .payload()
                            .startsWith(String.format("%02x", i & 0xFF).repeat(Math.min(length, 20))))
                    .isTrue();
        }
    }

    private static void produce(PartitionLog log, int records) {
        for (int i = 0; i < records; i++) {
            while (!log.hasRoom()) {
                Thread.onSpinWait();
            }
            RecordBuilder record = log.begin(RecordKind.COMMAND, i, -1, i);
            for (int at = 0; at < length(i); at++) {
                record.putByte((byte) i);
            }
            record.end();
        }
    }

    /** Mostly small, some too large for the ring. */
    private static int length(int i) {
        return i % 5000 == 7 ? 9000 : i % 97;
    }
}
