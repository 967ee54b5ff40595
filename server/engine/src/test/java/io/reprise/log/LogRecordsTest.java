package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.id.BucketSet;
import io.reprise.runtime.memory.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The header of a record lists the buckets to which its transaction was confined. */
final class LogRecordsTest {
    /** The bytes of a header before the number of buckets: flags, length, id, partition, bucket, and the hash's four. */
    private static final int BEFORE_COUNT = 9;

    private static BucketSet buckets(int count) {
        BucketSet set = new BucketSet();
        for (int i = count; i > 0; i--) {
            set.add(900 * i);
        }
        return set;
    }

    private static void log(FramesInMemory frames, int count) {
        frames.log()
                .begin(RecordKind.DATA, 7, -1, 0x01020304)
                .putBuckets(buckets(count))
                .putCaller(11, 12, 1, -13)
                .putByte((byte) 0x5a)
                .end();
        frames.cut();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void shouldReadAllCallersOfARecordAsOftenAsAsked(int count) {
        try (FramesInMemory frames = new FramesInMemory();
                LogFrame frame = new LogFrame()) {
            RecordBuilder record = frames.log().begin(RecordKind.DATA, 7, 3, 0x01020304);
            for (int i = 1; i <= count; i++) {
                record.putCaller(i, 100 + i, 1, -1000L * i, i < count);
            }
            record.putByte((byte) 0x5a).end();
            frames.log().begin(RecordKind.DATA, 8, 3, 0).end();
            frames.cut();
            LogRecords records = new LogRecords();

            assertThat(frames.next(frame)).isTrue();
            records.wrap(frame);
            assertThat(records.next()).isTrue();

            for (int reading = 0; reading < 2; reading++) {
                assertThat(records.hasCaller()).isTrue();
                for (int i = 1; i <= count; i++) {
                    assertThat(records.client()).isEqualTo(i);
                    assertThat(records.sequence()).isEqualTo(100 + i);
                    assertThat(records.resultKind()).isEqualTo(1);
                    assertThat(records.resultWord()).isEqualTo(-1000L * i);
                    assertThat(records.nextCaller()).isEqualTo(i < count);
                }
            }
            assertThat(records.payloadCopy()).containsExactly(0x5a);
            assertThat(records.next()).isTrue();
            assertThat(records.hasCaller()).isFalse();
            assertThat(records.nextCaller()).isFalse();
            assertThat(records.next()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, BucketSet.MOST_LISTED})
    void shouldReadTheListedBucketsInTheirOrder(int count) {
        try (FramesInMemory frames = new FramesInMemory();
                LogFrame frame = new LogFrame()) {
            log(frames, count);
            LogRecords records = new LogRecords();

            assertThat(frames.next(frame)).isTrue();
            records.wrap(frame);
            assertThat(records.next()).isTrue();

            assertThat(records.confinement()).isEqualTo(Confinement.BUCKETS);
            assertThat(records.bucketCount()).isEqualTo(count);
            for (int i = 0; i < count; i++) {
                assertThat(records.bucket(i)).isEqualTo(900 * (count - i));
            }
            assertThat(records.bucket()).isEqualTo(-1);
            assertThat(records.writeHash()).isEqualTo(0x01020304);
            assertThat(records.client()).isEqualTo(11);
            assertThat(records.sequence()).isEqualTo(12);
            assertThat(records.resultWord()).isEqualTo(-13);
            assertThat(records.payloadBytes()).isOne();
            assertThat(records.memory().getByte(records.payload())).isEqualTo((byte) 0x5a);
            assertThat(records.next()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(bytes = {0, 1, BucketSet.MOST_LISTED + 1, 127})
    void shouldCallAnImpossibleNumberOfBucketsDamage(byte count) {
        try (FramesInMemory frames = new FramesInMemory();
                LogFrame frame = new LogFrame()) {
            log(frames, 2);
            LogRecords records = new LogRecords();
            assertThat(frames.next(frame)).isTrue();
            assertThat(frame.memory().getByte(frame.start() + BEFORE_COUNT)).isEqualTo((byte) 2);

            frame.memory().putByte(frame.start() + BEFORE_COUNT, count);
            records.wrap(frame);

            assertThatThrownBy(records::next).isInstanceOf(DamagedLogException.class);
        }
    }

    /** A boundary record of these buckets, of which those at even places are at home. */
    private static void logBoundary(FramesInMemory frames, int count, boolean rows) {
        RecordBuilder record = frames.log()
                .begin(RecordKind.BOUNDARY, 7, -1, 0x01020304)
                .putBuckets(buckets(count))
                .putCaller(11, 12, 1, -13)
                .putVarint(0x5555_5555_5555_5555L & -1L >>> Long.SIZE - count)
                .putVarint(2)
                .putBytes(new byte[] {21, 22});
        record.putInt(rows ? 3 : 0);
        if (rows) {
            record.putBytes(new byte[] {31, 32, 33});
        }
        record.putBytes(new byte[] {41}).end();
        frames.cut();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, BucketSet.MOST_LISTED})
    void shouldShowTheCallAtHomeAndTheRowsElsewhere(int count) {
        try (FramesInMemory frames = new FramesInMemory();
                LogFrame frame = new LogFrame();
                Memory scratch = Memory.reserve(4L * Memory.HUGE_PAGE)) {
            logBoundary(frames, count, true);
            LogRecords records = new LogRecords();
            assertThat(frames.next(frame)).isTrue();
            records.wrap(frame);
            assertThat(records.next()).isTrue();
            assertThat(records.parts()).isEqualTo(2);
            assertThat(records.bucketCount()).isEqualTo(count);

            for (int part = 0; part < 2; part++) {
                records.showPart(part);
                expectPart(records, part, count);
                byte[] copied = records.copy(scratch, Memory.PAGE);
                try (LogFrame held = new LogFrame()) {
                    LogRecords copy = new LogRecords();
                    held.holdRecord(copied);
                    copy.wrap(held);
                    assertThat(copy.next()).isTrue();
                    assertThat(copy.parts()).isOne();
                    copy.showPart(0);
                    expectPart(copy, part, count);
                    assertThat(copy.next()).isFalse();
                }
            }
            assertThat(records.client()).isEqualTo(11);
            assertThat(records.next()).isFalse();
        }
    }

    private static void expectPart(LogRecords records, int part, int count) {
        assertThat(records.kind()).isEqualTo(part == 0 ? RecordKind.COMMAND : RecordKind.DATA);
        assertThat(records.transactionId()).isEqualTo(7);
        assertThat(records.hasAnswers()).isEqualTo(part == 0);
        assertThat(records.writeHash()).isEqualTo(0x01020304);
        assertThat(records.bucketCount()).isEqualTo(part == 0 ? (count + 1) / 2 : count / 2);
        for (int i = 0; i < records.bucketCount(); i++) {
            assertThat(records.bucket(i)).isEqualTo(900 * (count - 2 * i - part));
        }
        if (part == 0) {
            assertThat(records.payloadCopy()).containsExactly(41);
            assertThat(records.answersBytes()).isEqualTo(2);
            assertThat(records.memory().getByte(records.answers())).isEqualTo((byte) 21);
        } else {
            assertThat(records.payloadCopy()).containsExactly(31, 32, 33);
        }
    }

    @Test
    void shouldShowTheCallAloneWhenNothingWasChangedElsewhere() {
        try (FramesInMemory frames = new FramesInMemory();
                LogFrame frame = new LogFrame()) {
            logBoundary(frames, 2, false);
            LogRecords records = new LogRecords();
            assertThat(frames.next(frame)).isTrue();
            records.wrap(frame);

            assertThat(records.next()).isTrue();

            assertThat(records.parts()).isOne();
            records.showPart(0);
            expectPart(records, 0, 2);
        }
    }

    @ParameterizedTest
    @ValueSource(bytes = {-1, 127})
    void shouldCallAnImpossibleLengthOfRowsDamage(byte length) {
        try (FramesInMemory frames = new FramesInMemory();
                LogFrame frame = new LogFrame()) {
            logBoundary(frames, 2, true);
            LogRecords records = new LogRecords();
            assertThat(frames.next(frame)).isTrue();
            long highestByte = frame.start() + frame.bytes() - 1 - 3 - 1;
            frame.memory().putByte(highestByte, length);
            records.wrap(frame);

            assertThatThrownBy(records::next).isInstanceOf(DamagedLogException.class);
        }
    }

    /** A CALLS record of so many calls; each has as many buckets, answers and bytes of its own as its number tells. */
    private static void logCalls(FramesInMemory frames, int count) {
        RecordBuilder record = frames.log().begin(RecordKind.CALLS, 700, -1, 0x01020304);
        record.putCaller(11, 12, 1, -13, true).putCaller(14, 15, 1, 16);
        for (int call = 1; call <= count; call++) {
            record.putZigzag(call - 2).putInt(0x0A0B0C00 + call).putVarint(call);
            for (int bucket = 1; bucket <= call; bucket++) {
                record.putVarint(1000L * bucket + call);
            }
            record.putVarint(call - 1).putBytes(new byte[call - 1]);
            record.putInt(call).putBytes(new byte[call - 1]).putByte((byte) call);
        }
        record.end();
        frames.cut();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 64})
    void shouldShowTheCallsOfATransactionOverNodes(int count) {
        try (FramesInMemory frames = new FramesInMemory();
                LogFrame frame = new LogFrame();
                Memory scratch = Memory.reserve(4L * Memory.HUGE_PAGE)) {
            logCalls(frames, count);
            LogRecords records = new LogRecords();
            assertThat(frames.next(frame)).isTrue();
            records.wrap(frame);
            assertThat(records.next()).isTrue();
            assertThat(records.parts()).isEqualTo(count);
            assertThat(records.confinement()).isEqualTo(Confinement.PARTITION);
            assertThat(records.writeHash()).isEqualTo(0x01020304);

            for (int part = 0; part < count; part++) {
                records.showPart(part);
                expectCall(records, part + 1);
                try (LogFrame held = new LogFrame()) {
                    LogRecords copy = new LogRecords();
                    held.holdRecord(records.copy(scratch, Memory.PAGE));
                    copy.wrap(held);
                    assertThat(copy.next()).isTrue();
                    assertThat(copy.kind()).isEqualTo(RecordKind.BOUNDARY);
                    copy.showPart(0);
                    expectCall(copy, part + 1);
                }
            }
            assertThat(records.recordId()).isEqualTo(700);
            assertThat(records.next()).isFalse();
        }
    }

    private static void expectCall(LogRecords records, int call) {
        assertThat(records.kind()).isEqualTo(RecordKind.COMMAND);
        assertThat(records.hasAnswers()).isTrue();
        assertThat(records.transactionId()).isEqualTo(700 + call - 2);
        assertThat(records.partition()).isZero();
        assertThat(records.writeHash()).isEqualTo(0x0A0B0C00 + call);
        assertThat(records.bucketCount()).isEqualTo(call);
        for (int bucket = 1; bucket <= call; bucket++) {
            assertThat(records.bucket(bucket - 1)).isEqualTo(1000 * bucket + call);
        }
        assertThat(records.answersBytes()).isEqualTo(call - 1);
        assertThat(records.payloadBytes()).isEqualTo(call);
        assertThat(records.payloadCopy()[call - 1]).isEqualTo((byte) call);
    }

    /** Each byte gets each of some values: the record is damaged, or its parts are within it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReadNothingOutsideOfARecordWhicheverByteIsDamaged(boolean calls) {
        int refused = 0;
        try (FramesInMemory frames = new FramesInMemory();
                LogFrame frame = new LogFrame()) {
            if (calls) {
                logCalls(frames, 4);
            } else {
                logBoundary(frames, 5, true);
            }
            assertThat(frames.next(frame)).isTrue();
            long end = frame.start() + frame.bytes();

            for (long at = frame.start(); at < end; at++) {
                byte right = frame.memory().getByte(at);
                for (int value : new int[] {0, 1, 2, 63, 65, 0x7F, 0x80, 0xFF, right ^ 0x10, right + 1}) {
                    frame.memory().putByte(at, (byte) value);
                    refused += isRefused(frame, end) ? 1 : 0;
                }
                frame.memory().putByte(at, right);
            }
        }
        assertThat(refused).isPositive();
    }

    private static boolean isRefused(LogFrame frame, long end) {
        LogRecords records = new LogRecords();
        records.wrap(frame);
        try {
            while (records.next()) {
                for (int part = 0; part < records.parts(); part++) {
                    records.showPart(part);
                    assertThat(records.payload() + records.payloadBytes()).isLessThanOrEqualTo(end);
                    assertThat(records.payloadBytes()).isNotNegative();
                    assertThat(records.bucketCount()).isBetween(0, BucketSet.MOST_LISTED);
                    if (records.hasAnswers()) {
                        assertThat(records.answersBytes()).isNotNegative();
                        assertThat(records.answers() + records.answersBytes()).isLessThanOrEqualTo(end);
                    }
                }
            }
            return false;
        } catch (DamagedLogException e) {
            return true;
        }
    }

    @Test
    void shouldNotListMoreBucketsThanAReaderHasRoomFor() {
        assertThat(buckets(BucketSet.MOST_LISTED).isListed()).isTrue();
        assertThat(buckets(BucketSet.MOST_LISTED + 1).isListed()).isFalse();
    }
}
