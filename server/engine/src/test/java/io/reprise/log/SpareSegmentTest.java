package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.id.DatabaseId;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.FileCall;
import io.reprise.simulation.SimulatedFileStore;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments that no snapshot needs any more, and are used again with all that is in them. */
class SpareSegmentTest {
    private static final LogSettings SMALL = LogFixture.SMALL;
    private static final long SEGMENT = SMALL.segmentBytes();
    private static final int BLOCK = LogFormat.BLOCK;
    private static final String PAYLOAD = "ab".repeat(300);

    private final SimulatedFileStore disk = new SimulatedFileStore(1);
    private final LogDirectory directory = new LogDirectory(disk, "log");
    private long next = 1;

    /** Logs until there are so many more segments. */
    private void fill(LogFixture log, int segments) {
        long to = log.writer.stats().position() + segments * SEGMENT;
        while (log.writer.stats().position() < to) {
            log.append(0, next++, PAYLOAD);
            log.run();
        }
    }

    /** Makes needless what has been logged. Returns the position from which the log is needed. */
    private long snapshot(LogFixture log, int mostSpares) {
        log.logs[0].begin(RecordKind.SNAPSHOT_BEGIN, next++, -1, 0).end(log.logs, 1);
        log.run();
        long position = log.snapshots.getLast()[1];
        directory.removeBelow(position, mostSpares);
        return position;
    }

    private List<Long> read(long from) {
        return LoggedRecord.read(LogTail.find(disk, SMALL, from).read(from)).stream()
                .map(LoggedRecord::transactionId)
                .toList();
    }

    private List<Long> from(long transaction) {
        return LongStream.range(transaction, next).boxed().toList();
    }

    @Test
    void shouldUseNeedlessSegmentsAgainWithoutFillingThemWithZeros() {
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            fill(log, 6);
            long from = snapshot(log, 4);
            long first = next;
            long zeroed = log.writer.stats().zeroedBytes();
            assertThat(directory.spares()).containsExactly(0L, SEGMENT, 2 * SEGMENT, 3 * SEGMENT);

            fill(log, 5);

            assertThat(log.writer.stats().reusedSegments()).isEqualTo(4);
            assertThat(log.writer.stats().zeroedBytes() - zeroed).isLessThanOrEqualTo(SEGMENT);
            assertThat(directory.spares()).isEmpty();
            log.stop();
            assertThat(read(from)).isEqualTo(from(first));
        }
    }

    /** They are not what is wrong. */
    @Test
    void shouldKeepSpareSegmentsWhenNoFileCanBeOpened() {
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            fill(log, 6);
            long from = snapshot(log, 4);
            long first = next;
            List<Long> spares = directory.spares();
            disk.faults().tooManyOpenFiles(true);
            for (int i = 0; i < 12; i++) {
                log.append(0, next++, PAYLOAD);
                log.run();
            }
            assertThat(log.writer.admission().isOpen()).isFalse();

            disk.faults().none();
            assertThat(directory.spares()).isEqualTo(spares);
            log.clock.advance(1_000_000_000);
            log.run();
            assertThat(log.writer.admission().isOpen()).isTrue();
            log.stop();
            assertThat(read(from)).isEqualTo(from(first));
        }
    }

    @Test
    void shouldKeepNoMoreSpareSegmentsThanHaveBecomeNeedlessJustNow() {
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            fill(log, 6);
            snapshot(log, 100);
            assertThat(directory.spares()).hasSize(6);
            fill(log, 1);

            snapshot(log, 100);

            assertThat(directory.spares()).hasSize(1);
            snapshot(log, 0);
            assertThat(directory.spares()).as("nothing has become needless").hasSize(1);
            assertThat(directory.removeSpares(0)).isZero();
            assertThat(directory.spares()).isEmpty();
        }
    }

    @Test
    void shouldCutATornTailInASegmentThatWasUsedBefore() {
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            fill(log, 4);
            long from = snapshot(log, 4);
            long first = next;
            fill(log, 3);
            assertThat(log.writer.stats().reusedSegments()).isGreaterThan(1);
            log.append(0, next++, PAYLOAD);
            log.run();
            long torn = log.writer.stats().position() - BLOCK;
            disk.flipBit(directory.path(torn & -SEGMENT), torn % SEGMENT + 100, 3);
            next--;

            assertThat(read(from)).isEqualTo(from(first));

            try (LogFixture again = new LogFixture(SMALL, 1).open(disk, from)) {
                fill(again, 2);
                again.stop();
            }
            assertThat(read(from)).isEqualTo(from(first));
        }
    }

    @Test
    void shouldLeaveNothingBehindTheEndButZerosAndFramesOfBeforeWhenItIsOpened() {
        long end;
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            fill(log, 4);
            long from = snapshot(log, 4);
            fill(log, 2);
            while (log.writer.stats().position() % SEGMENT > SEGMENT / 3) {
                log.append(0, next++, PAYLOAD);
                log.run();
            }
            long begin = log.writer.stats().position();
            for (int i = 0; i < 3; i++) {
                log.append(0, next++, PAYLOAD);
            }
            log.run();
            assertThat(begin & -SEGMENT)
                    .as("there has to be something behind it")
                    .isEqualTo(log.writer.stats().position() + 2 * BLOCK & -SEGMENT);
            // The first of three frames of one batch is torn: the others are valid, but behind the end.
            disk.flipBit(directory.path(begin & -SEGMENT), begin % SEGMENT + 100, 3);
            LogTail tail = LogTail.find(disk, SMALL, from);
            assertThat(tail.position()).isEqualTo(begin);

            tail.settle();

            end = tail.position();
        }
        byte[] bytes = new byte[(int) SEGMENT];
        try (DataFile file = disk.openReadOnly(directory.path(end & -SEGMENT))) {
            file.read(0, ByteBuffer.wrap(bytes));
        }
        ByteBuffer view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int old = 0;
        for (int at = (int) (end % SEGMENT); at < SEGMENT; ) {
            if (view.getInt(at) == LogFormat.FRAME_MAGIC) {
                assertThat(view.getLong(at + LogFormat.FRAME_POSITION)).isLessThan(end & -SEGMENT);
                at += view.getInt(at + LogFormat.FRAME_BYTES);
                old++;
            } else {
                assertThat(view.getLong(at)).as("offset %d", at).isZero();
                at += Long.BYTES;
            }
        }
        assertThat(old).isPositive();
    }

    @Test
    void shouldStopAtDamageOfWhatWasAcknowledgedInASegmentThatWasUsedBefore() {
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            fill(log, 4);
            long from = snapshot(log, 4);
            fill(log, 2);
            log.append(0, next++, PAYLOAD);
            log.run();
            log.append(0, next++, PAYLOAD);
            log.run();
            long last = log.writer.stats().position();
            long offset = last % SEGMENT - 4 * BLOCK;
            disk.flipBit(directory.path(last & -SEGMENT), offset + 100, 3);

            assertThatThrownBy(() -> read(from))
                    .isInstanceOf(DamagedLogException.class)
                    .hasMessageStartingWith("The log is damaged in " + directory.path(last & -SEGMENT) + " at offset "
                            + offset + ": the checksum of the frame is wrong; a valid frame at offset ");
        }
    }

    @Test
    void shouldUseASpareSegmentWhenThereIsNoRoomForAnother() {
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            fill(log, 4);
            snapshot(log, 4);
            disk.faults().budget(0);

            fill(log, 4);

            assertThat(log.writer.stats().reusedSegments()).isEqualTo(3);
            assertThat(log.writer.admission().isBlocked()).isFalse();
        }
    }

    private void assertRemovedAndNotUsed(LogFixture log) {
        assertThat(directory.spares()).isEmpty();
        assertThat(log.writer.stats().reusedSegments()).isZero();
    }

    @Test
    void shouldRemoveAndNotUseWhatIsNoOlderSegmentOfTheSameLog() {
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            fill(log, 3);
            snapshot(log, 3);
            List<Long> spares = directory.spares();
            assertThat(spares).hasSize(3);
            // Of another database; cut off; of the log as it was when it was longer.
            putHeader(spares.get(0), new DatabaseId(5, 6), spares.get(0));
            try (DataFile file = disk.open(directory.sparePath(spares.get(1)))) {
                file.truncate(SEGMENT - BLOCK);
            }
            disk.rename(directory.sparePath(spares.get(2)), directory.sparePath(100 * SEGMENT));
            putHeader(100 * SEGMENT, LogFixture.DATABASE, 100 * SEGMENT);

            fill(log, 2);

            assertRemovedAndNotUsed(log);
        }
    }

    @Test
    void shouldRemoveASpareSegmentWhoseHeaderIsDamaged() {
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            fill(log, 2);
            snapshot(log, 1);
            disk.flipBit(directory.sparePath(0), 30, 1);

            fill(log, 2);

            assertRemovedAndNotUsed(log);
        }
    }

    @Test
    void shouldRemoveASpareSegmentThatCanNotBeRead() {
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            fill(log, 2);
            long from = snapshot(log, 1);
            long first = next;
            disk.faults().fail(FileCall.READ, 2);

            fill(log, 2);

            assertRemovedAndNotUsed(log);
            log.stop();
            assertThat(read(from)).isEqualTo(from(first));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 2048})
    void shouldTakeNoFileForDamageThatACrashHasLeftShortBeforeItWasASegment(int bytes) {
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            fill(log, 2);
            log.stop();
        }
        long behind = directory.positions().getLast() + SEGMENT;
        for (String path : List.of(directory.preparedPath(behind), directory.sparePath(0))) {
            try (DataFile file = disk.create(path)) {
                file.preallocate(bytes);
            }
        }

        assertThat(read(0)).isEqualTo(from(1));
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            fill(log, 3);
            assertRemovedAndNotUsed(log);
            log.stop();
        }
        assertThat(read(0)).isEqualTo(from(1));
    }

    @Test
    void shouldMakeANewSegmentWhenTheSpareOneIsRemovedMeanwhile() {
        LogStats stats = new LogStats();
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            fill(log, 3);
            snapshot(log, 1);
            log.stop();
        }
        long last = directory.positions().getLast();
        SegmentPreparer preparer = new SegmentPreparer(LogTail.find(disk, SMALL, last), stats);
        preparer.next(last + SEGMENT, SEGMENT);
        preparer.step(SEGMENT);
        preparer.step(SEGMENT);
        assertThat(preparer.preparedBytes()).isEqualTo(SEGMENT);
        assertThat(preparer.isReady()).isFalse();
        directory.removeSpares(0);

        preparer.finish();

        assertThat(stats.reusedSegments()).isZero();
        assertThat(stats.zeroedBytes()).isEqualTo(SEGMENT);
        assertThat(directory.positions()).contains(last + SEGMENT);
        preparer.take().close();
    }

    @Test
    void shouldBeginANewLogWithoutTheSpareSegmentsOfALogThatIsGone() {
        try (LogFixture log = new LogFixture(SMALL, 1).open(disk)) {
            fill(log, 3);
            snapshot(log, 3);
            log.stop();
        }
        directory.positions().forEach(position -> disk.delete(directory.path(position)));

        LogTail.create(disk, SMALL, new DatabaseId(5, 6));

        assertThat(directory.spares()).isEmpty();
        assertThat(directory.positions()).containsExactly(0L);
    }

    private void putHeader(long spare, DatabaseId database, long position) {
        MemorySegment block = Arena.ofAuto().allocate(BLOCK, Long.BYTES);
        LogFormat.putSegmentHeader(block, new FrameChecksum(database), database, position, SEGMENT, 1);
        try (DataFile file = disk.open(directory.sparePath(spare))) {
            file.write(0, block);
        }
    }
}
