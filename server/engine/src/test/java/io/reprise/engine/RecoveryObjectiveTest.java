package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** The forecast of a recovery stays within the objective, by snapshots and, if they come too slowly, by a pace for replies. */
final class RecoveryObjectiveTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1000 * MS;
    private static final long TICK = 100 * MS;
    private static final long OPENING_NS = 50 * MS;

    /** An engine whose snapshots and writers behave as told. */
    private static final class Node implements ObjectiveAgent.Surroundings {
        private long loadNs = 100 * MS;
        private long backlogNs;
        private long snapshotTakesNs = SECOND;
        private long snapshotBegan = -1;
        private long backlogBeforeNs;
        private long durable;
        private long nowNs = SECOND;
        private int snapshots;
        private int runs;
        private boolean sorts;
        private long sortingTakesNs = 2 * TICK;
        private long sortingBegan = -1;
        private long unsortedNs;
        private long unsortedBeforeNs;
        private final PacedReplies replies = new PacedReplies(new LongSupplier[] {() -> durable});
        private final ObjectiveAgent agent;

        Node(long mostNs, boolean throttles) {
            this(new RecoveryObjective(mostNs, throttles));
        }

        Node(RecoveryObjective objective) {
            agent = new ObjectiveAgent(objective, this, replies);
            agent.doWork(nowNs);
        }

        @Override
        public RecoveryOutlooks outlooks() {
            return new RecoveryOutlooks(
                    outlook(backlogNs, unsortedNs), outlook(0, 0), outlook(backlogNs, sorts ? 0 : unsortedNs));
        }

        /** The first answer waits for the log that is not sorted, and a bucket for a hundredth of the backlog. */
        private RecoveryOutlook outlook(long ofBacklogNs, long ofUnsortedNs) {
            return new RecoveryOutlook(loadNs + ofBacklogNs, OPENING_NS + ofUnsortedNs, (loadNs + ofBacklogNs) / 100);
        }

        @Override
        public boolean isSorted() {
            return sortingBegan < 0;
        }

        @Override
        public void sort() {
            runs++;
            sortingBegan = nowNs;
            unsortedBeforeNs = unsortedNs;
        }

        @Override
        public long snapshotNs() {
            return snapshots > 0 ? snapshotTakesNs : 0;
        }

        @Override
        public boolean isIdle() {
            return snapshotBegan < 0;
        }

        @Override
        public void snapshot() {
            snapshots++;
            snapshotBegan = nowNs;
            backlogBeforeNs = backlogNs;
        }

        /** Clients write so many bytes in a tick, or less if their replies wait. A byte of log is a microsecond of recovery. */
        void tick(long bytes) {
            for (int i = 0; i < 10; i++) {
                nowNs += TICK / 10;
                long waiting = durable - replies.of(0).position();
                long written = Math.max(0, bytes / 10 - waiting);
                durable += written;
                backlogNs += 1000 * written;
                unsortedNs += 1000 * written;
                if (sortingBegan >= 0 && nowNs - sortingBegan >= sortingTakesNs) {
                    sortingBegan = -1;
                    unsortedNs -= unsortedBeforeNs;
                }
                if (snapshotBegan >= 0 && nowNs - snapshotBegan >= snapshotTakesNs) {
                    snapshotBegan = -1;
                    backlogNs -= backlogBeforeNs;
                    unsortedNs = Math.min(unsortedNs, backlogNs);
                }
                agent.doWork(nowNs);
            }
        }

        long expectedNs() {
            return loadNs + backlogNs;
        }
    }

    @Test
    void shouldMakeASnapshotBeforeTheForecastExceedsTheObjective() {
        Node node = new Node(2 * SECOND, false);

        long longest = 0;
        for (int i = 0; i < 600; i++) {
            node.tick(30_000);
            longest = Math.max(longest, node.expectedNs());
            assertThat(node.agent.state().kept()).as("tick " + i).isTrue();
        }

        assertThat(longest).isBetween(SECOND, 2 * SECOND);
        assertThat(node.snapshots).isBetween(5, 60);
        assertThat(node.agent.state().snapshots()).isEqualTo(node.snapshots);
        assertThat(node.agent.state().bytesPerSecond()).isZero();
    }

    @Test
    void shouldMakeNoSnapshotWhenNothingIsWritten() {
        Node node = new Node(2 * SECOND, true);

        for (int i = 0; i < 100; i++) {
            node.tick(0);
        }

        assertThat(node.snapshots).isZero();
        assertThat(node.agent.state().kept()).isTrue();
    }

    @Test
    void shouldTellThatTheObjectiveIsMissedWhenSnapshotsAreTooSlow() {
        Node node = new Node(2 * SECOND, false);
        node.snapshotTakesNs = 20 * SECOND;

        boolean missed = false;
        for (int i = 0; i < 300; i++) {
            node.tick(30_000);
            missed |= !node.agent.state().kept();
        }

        assertThat(missed).isTrue();
        assertThat(node.agent.state().bytesPerSecond()).isZero();
    }

    @Test
    void shouldSlowWritersDownWhenSnapshotsAreTooSlow() {
        Node node = new Node(10 * SECOND, true);
        node.snapshotTakesNs = 5 * SECOND;

        long longest = 0;
        boolean paced = false;
        for (int i = 0; i < 600; i++) {
            node.tick(400_000);
            longest = Math.max(longest, node.expectedNs());
            paced |= node.agent.state().bytesPerSecond() > 0;
        }
        long written = node.durable;

        assertThat(paced).isTrue();
        assertThat(longest).isLessThan(10 * SECOND);
        assertThat(node.snapshots).isGreaterThan(5);
        assertThat(written).isGreaterThan(20_000_000);
    }

    @Test
    void shouldEndThePaceWhenWritersBecomeSlow() {
        Node node = new Node(10 * SECOND, true);
        node.snapshotTakesNs = 5 * SECOND;
        for (int i = 0; i < 300; i++) {
            node.tick(400_000);
        }

        for (int i = 0; i < 300; i++) {
            node.tick(100);
        }

        assertThat(node.agent.state().bytesPerSecond()).isZero();
        assertThat(node.replies.of(0).position()).isEqualTo(node.durable);
    }

    @Test
    void shouldSortTheLogInsteadOfMakingASnapshotWhenTheFirstAnswerWouldTakeTooLong() {
        Node node = new Node(new RecoveryObjective(0, 500 * MS, 0, false));
        node.sorts = true;

        long longest = 0;
        for (int i = 0; i < 300; i++) {
            node.tick(20_000);
            longest = Math.max(longest, node.outlooks().now().firstNs());
        }

        assertThat(longest).isBetween(200 * MS, 500 * MS);
        assertThat(node.runs).isGreaterThan(5);
        assertThat(node.snapshots).isZero();
        ObjectiveState state = node.agent.state();
        assertThat(state.kept()).isTrue();
        assertThat(state.runs()).isEqualTo(node.runs);
        assertThat(state.bounds()).singleElement().satisfies(bound -> {
            assertThat(bound.kind()).isEqualTo(ObjectiveState.Kind.FIRST);
            assertThat(bound.mostNs()).isEqualTo(500 * MS);
        });
    }

    @Test
    void shouldMakeASnapshotWhenTheLogIsNotSortedInTime() {
        Node node = new Node(new RecoveryObjective(0, 500 * MS, 0, false));
        node.sorts = true;
        node.sortingTakesNs = Long.MAX_VALUE;

        for (int i = 0; i < 200; i++) {
            node.tick(20_000);
        }

        assertThat(node.runs).isEqualTo(1);
        assertThat(node.snapshots).isPositive();
    }

    @Test
    void shouldKeepTheTimeOfABucketAndThatOfAllRowsBySnapshots() {
        Node node = new Node(new RecoveryObjective(60 * SECOND, 0, 20 * MS, false));
        node.sorts = true;

        long longest = 0;
        for (int i = 0; i < 600; i++) {
            node.tick(30_000);
            longest = Math.max(longest, node.outlooks().now().bucketNs());
        }

        assertThat(longest).isBetween(10 * MS, 20 * MS);
        assertThat(node.snapshots).isBetween(5, 60);
        assertThat(node.runs).isZero();
        assertThat(node.agent.state().bounds()).hasSize(2).allMatch(ObjectiveState.Bound::kept);
    }

    @Test
    void shouldMakeFewSnapshotsWhenTheRowsAloneTakeLonger() {
        Node node = new Node(SECOND, false);
        node.loadNs = 20 * SECOND;

        for (int i = 0; i < 100; i++) {
            node.tick(30_000);
        }

        assertThat(node.agent.state().kept()).isFalse();
        assertThat(node.snapshots).isBetween(1, 4);
    }

    @Test
    void shouldShareAPaceAmongPartitionsByWhatWaits() {
        long[] durable = {1000, 1000, 1000};
        PacedReplies replies =
                new PacedReplies(new LongSupplier[] {() -> durable[0], () -> durable[1], () -> durable[2]});
        replies.begin();
        durable[0] = 4000;
        durable[1] = 2000;

        assertThat(replies.areWaiting()).isTrue();
        replies.release(400);

        assertThat(replies.of(0).position()).isEqualTo(1300);
        assertThat(replies.of(1).position()).isEqualTo(1100);
        assertThat(replies.of(2).position()).isEqualTo(1000);
        replies.release(1_000_000);
        assertThat(replies.areWaiting()).isFalse();
        replies.end();
        durable[2] = 5000;
        assertThat(replies.of(2).position()).isEqualTo(5000);
    }

    @Test
    void shouldRefuseAnObjectiveOfNothing() {
        assertThatThrownBy(() -> new RecoveryObjective(0, true)).hasMessageContaining("can't be kept");
        assertThatThrownBy(() -> new RecoveryObjective(SECOND, -1, 0, true)).hasMessageContaining("can't be kept");
    }

    /** Commands cost four microseconds each, and the rest of a recovery twenty milliseconds, before the first measurement. */
    @Test
    void shouldKeepTheForecastOfAnEngineWithinTheObjective() {
        SimulatedClock clock = new SimulatedClock();
        try (Reprise engine = Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .durability(Durability.standard()
                        .with(SmallDurability.logOfSchemas(256 << 10))
                        .with(SmallDurability.snapshots(1)))
                .recoveryObjective(new RecoveryObjective(30 * MS, true))
                .files(new SimulatedFileStore(1))
                .open()) {
            for (long id = 0; id < 100; id++) {
                engine.call("OpenAccount", id, 1_000_000L, "owner " + id);
            }
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (long i = 0; i < 12_000; i++) {
                replies.add(engine.callAsync("Transfer", i % 100, (i + 1) % 100, 1L));
                clock.advance(MS);
                if (i % 10 == 0) {
                    engine.runSites();
                    assertThat(engine.recoveryForecast().orElseThrow().expectedNs())
                            .isLessThan(30 * MS);
                }
            }
            while (!replies.getLast().isDone()) {
                clock.advance(10 * MS);
                engine.runSites();
            }

            assertThat(replies.stream().allMatch(reply -> reply.join().error() == null))
                    .isTrue();
            ObjectiveState state = engine.objective().orElseThrow();
            assertThat(state.kept()).isTrue();
            assertThat(state.snapshots()).isGreaterThan(3);
        }
    }
}
