package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.id.BucketSet;
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

    @Test
    void shouldNotListMoreBucketsThanAReaderHasRoomFor() {
        assertThat(buckets(BucketSet.MOST_LISTED).isListed()).isTrue();
        assertThat(buckets(BucketSet.MOST_LISTED + 1).isListed()).isFalse();
    }
}
