package io.reprise.recovery.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.id.Buckets;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import io.reprise.redo.DivergedReplayException;
import io.reprise.simulation.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The stages of a replay, driven by hand on one thread, from frames that never were in a file. */
final class ReplayStagesTest {
    @Test
    void shouldApplyAStreamInLogOrderWhoeverAppliesWhen() {
        Seeds.forEach(20, seed -> {
            Random random = new Random(seed);
            int partitions = 1 + random.nextInt(3);
            try (LiveTable live = new LiveTable();
                    HandDrivenPartitions follower = new HandDrivenPartitions(partitions, random.nextInt(30));
                    Replay replay = new Replay(
                            live.frames,
                            follower.lanes,
                            follower.buckets,
                            follower,
                            follower::applyAnywhere,
                            ReplayProgress.NONE)) {
                for (int i = 0; i < 400; i++) {
                    long id = random.nextInt(60);
                    boolean asCommand = random.nextInt(4) == 0;
                    if (live.rows.containsKey(id) && random.nextInt(3) == 0) {
                        live.delete(id, asCommand);
                    } else {
                        live.put(id, random.nextInt(1000), asCommand);
                    }
                    follow(random, live, follower, replay, partitions);
                }
                live.frames.cut();
                while (replay.step()) {
                    follower.apply(random.nextInt(partitions));
                }
                replay.drain();

                assertThat(follower.rows()).isEqualTo(live.rows);
                assertThat(replay.transactions()).isEqualTo(400);
                assertThat(replay.lastId()).isEqualTo(live.lastId);
                follower.verify();
            }
        });
    }

    private static void follow(
            Random random, LiveTable live, HandDrivenPartitions follower, Replay replay, int partitions) {
        if (random.nextInt(5) == 0) {
            live.frames.cut();
        }
        if (random.nextInt(4) == 0 && !replay.step()) {
            replay.flush();
        }
        if (random.nextInt(3) == 0) {
            follower.apply(random.nextInt(partitions));
        }
        if (random.nextInt(80) == 0) {
            live.frames.cut();
            while (replay.step()) {
                continue;
            }
            replay.drain();
            assertThat(follower.rows()).isEqualTo(live.rows);
        }
    }

    @Test
    void shouldApplyWhatWasGatheredWhenTheStreamIsFlushed() {
        try (LiveTable live = new LiveTable();
                HandDrivenPartitions follower = new HandDrivenPartitions(2, 8);
                Replay replay = replay(live, follower)) {
            live.put(7, 70, false);
            live.frames.cut();

            assertThat(replay.step()).isTrue();
            assertThat(replay.step()).isFalse();
            follower.applyAnywhere();
            assertThat(follower.rows()).isEmpty();

            replay.flush();
            follower.applyAnywhere();
            assertThat(follower.rows()).isEqualTo(live.rows);
            replay.drain();
        }
    }

    @Test
    void shouldScheduleADataRecordAtTheOwnerOfItsBucketsOnly() {
        long inFirst = idIn(0);
        long inSecond = idIn(1);
        try (LiveTable live = new LiveTable();
                HandDrivenPartitions follower = new HandDrivenPartitions(2, 8);
                Replay replay = replay(live, follower)) {
            live.put(inSecond, 1, false);
            live.frames.cut();
            replay.step();
            replay.flush();

            assertThat(follower.waiting(0)).isZero();
            assertThat(follower.waiting(1)).isOne();

            live.put(inFirst, 2, true);
            live.frames.cut();
            replay.step();
            assertThat(follower.waiting(0)).isOne();
            assertThat(follower.waiting(1)).isOne();
            replay.drain();
            assertThat(follower.rows(0)).containsOnlyKeys(inFirst);
            assertThat(follower.rows(1)).containsOnlyKeys(inSecond);
        }
    }

    /** The other partition has diverged behind it, and has found that out first. */
    @Test
    void shouldFailWithTheEarliestDivergence() {
        long inFirst = idIn(0);
        long inSecond = idIn(1);
        try (LiveTable live = new LiveTable();
                HandDrivenPartitions follower = new HandDrivenPartitions(2, 8)) {
            live.lastId = 500;
            live.logCommand(Buckets.DEFAULT.of(inFirst), 0x1234, "INSERT INTO t VALUES (?, ?)", inFirst, 1);
            live.frames.cut();
            live.lastId = 600;
            live.logCommand(Buckets.DEFAULT.of(inSecond), 0x1234, "INSERT INTO t VALUES (?, ?)", inSecond, 1);
            live.frames.cut();
            int[] waits = {0};
            Runnable idle = () -> follower.apply(waits[0]++ < 10 ? 1 : 0);

            try (Replay replay =
                    new Replay(live.frames, follower.lanes, follower.buckets, follower, idle, ReplayProgress.NONE)) {
                assertThatThrownBy(replay::run)
                        .isInstanceOf(DivergedReplayException.class)
                        .hasMessageContaining("The replay of transaction 0x" + Long.toHexString(500) + " ")
                        .hasMessageContaining("it wrote something else when it was replayed");
            }
        }
    }

    @Test
    void shouldRefuseACommandThatIsRoutedToAnotherBucketThanTheLogHas() {
        try (LiveTable live = new LiveTable();
                HandDrivenPartitions follower = new HandDrivenPartitions(2, 8);
                Replay replay = replay(live, follower)) {
            int bucket = Buckets.DEFAULT.of(7);
            live.logCommand(bucket ^ 1, 0, "INSERT INTO t VALUES (?, ?)", 7, 1);
            live.frames.cut();

            assertThatThrownBy(replay::run)
                    .isInstanceOf(DivergedReplayException.class)
                    .hasMessageContaining("it is routed to bucket " + bucket)
                    .hasMessageContaining("the log has it in bucket " + (bucket ^ 1));
        }
    }

    /** A schedule of the test's own sees each record with its analysis, and nothing is applied. */
    @Test
    void shouldHandEachAnalysedRecordToTheSchedule() {
        try (LiveTable live = new LiveTable();
                HandDrivenPartitions follower = new HandDrivenPartitions(2, 8)) {
            long inSecond = idIn(1);
            live.put(inSecond, 1, false);
            live.put(inSecond, 2, true);
            live.frames
                    .log()
                    .begin(RecordKind.CATALOG, 9000, -1, 0)
                    .putByte((byte) 1)
                    .end();
            live.lastId = 9001;
            live.logData(-1);
            live.frames.cut();
            List<String> seen = new ArrayList<>();

            try (Replay replay = new Replay(
                    live.frames,
                    follower.lanes,
                    follower.buckets,
                    follower,
                    new RecordingSchedule(follower.lanes, seen),
                    ReplayProgress.NONE)) {
                replay.run();
            }

            assertThat(seen)
                    .containsExactly(
                            "frame", "data at 1", "command at 1", "drain", "data at 0 1", "frame", "drain", "close");
            assertThat(follower.schemaChanges).containsExactly(9000L);
            assertThat(follower.rows()).isEmpty();
        }
    }

    private record RecordingSchedule(ReplayLane[] lanes, List<String> seen) implements Schedule {
        @Override
        public InFlight acquire() {
            return new InFlight(lanes);
        }

        @Override
        public void command(InFlight analysed) {
            StringBuilder line = new StringBuilder("command at");
            for (int i = 0; i < analysed.execution().participantCount(); i++) {
                line.append(' ').append(analysed.execution().participant(i));
            }
            seen.add(line.toString());
        }

        @Override
        public void data(LogRecords record, RecordAnalysis analysis) {
            StringBuilder line = new StringBuilder("data at");
            for (int i = 0; i < analysis.laneCount(); i++) {
                line.append(' ').append(analysis.lane(i));
            }
            seen.add(line.toString());
        }

        @Override
        public void frameScheduled(long position, long sourceEnd) {
            seen.add("frame");
        }

        @Override
        public void flush() {
            seen.add("flush");
        }

        @Override
        public void drain() {
            seen.add("drain");
        }

        @Override
        public void abandon(Throwable failure) {
            seen.add("abandon");
        }

        @Override
        public void close() {
            seen.add("close");
        }
    }

    private static Replay replay(LiveTable live, HandDrivenPartitions follower) {
        return new Replay(
                live.frames, follower.lanes, follower.buckets, follower, follower::applyAnywhere, ReplayProgress.NONE);
    }

    /** A value whose bucket the partition of two owns. */
    private static long idIn(int partition) {
        long id = 0;
        while (Buckets.DEFAULT.of(id) / (Buckets.DEFAULT.count() / 2) != partition) {
            id++;
        }
        return id;
    }
}
