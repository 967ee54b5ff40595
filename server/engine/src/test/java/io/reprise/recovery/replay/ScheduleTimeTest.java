package io.reprise.recovery.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.id.BucketSet;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The times of replays of calls like TPC-C's, in log order and in bucket order, with a core for each lane: no machine disturbs them. */
final class ScheduleTimeTest {
    private static final int COUNT = 8_000;
    private static final int SEED = 1;

    /** The replaying thread reads and routes a command. */
    private static final long ROUTE_NS = 2_500;

    private static final double NEW_ORDERS = 0.49;
    private static final double PAYMENTS = 0.46;
    private static final double REMOTE_ORDERS = 0.096;
    private static final double REMOTE_PAYMENTS = 0.15;

    /** Calls with one warehouse or two, each a bucket. */
    private static final class Calls {
        private final Random random = new Random(SEED);
        private final BucketMap buckets;
        private final int warehouses;
        private final boolean allDistributed;

        Calls(BucketMap buckets, int warehouses, boolean allDistributed) {
            this.buckets = buckets;
            this.warehouses = warehouses;
            this.allDistributed = allDistributed;
        }

        void next(InFlight command) {
            double kind = allDistributed ? 0 : random.nextDouble();
            double remote;
            long ns;
            if (kind < NEW_ORDERS) {
                remote = allDistributed ? 1 : REMOTE_ORDERS;
                ns = 11_000L + random.nextInt(4_000);
            } else if (kind < NEW_ORDERS + PAYMENTS) {
                remote = REMOTE_PAYMENTS;
                ns = 5_000;
            } else {
                remote = 0;
                ns = 70_000L + random.nextInt(20_000);
            }
            int home = random.nextInt(warehouses);
            int other = random.nextDouble() < remote ? (home + 1 + random.nextInt(warehouses - 1)) % warehouses : home;
            route(command, ns, bucket(home), bucket(other));
        }

        private int bucket(int warehouse) {
            return buckets.buckets(warehouse % buckets.partitions())[warehouse / buckets.partitions()];
        }

        private void route(InFlight command, long ns, int home, int other) {
            Execution execution = command.execution();
            int at = buckets.partition(home);
            boolean lends = buckets.partition(other) != at;
            execution.prepare(new SimulatedLanes.Timed(lends ? ns * 3 / 2 : ns), command, 0);
            execution.routeBy(buckets);
            if (home == other) {
                execution.confineTo(home, at);
                return;
            }
            BucketSet both = execution.confineToSome();
            both.add(home);
            both.add(other);
            execution.addParticipant(at);
            if (lends) {
                execution.addParticipant(buckets.partition(other));
            }
            execution.runAt(at, home);
        }
    }

    private static long replayNs(
            ReplaySettings.Order order, int count, int warehouses, boolean allDistributed, long meetingNs) {
        try (SimulatedLanes lanes = new SimulatedLanes(count, meetingNs)) {
            Schedule schedule = switch (order) {
                case LOG -> new LogOrder(lanes.lanes, lanes.buckets, lanes::idle);
                case BUCKETS -> new BucketOrder(lanes.lanes, lanes.buckets, lanes::idle);
            };
            Calls calls = new Calls(lanes.buckets, warehouses, allDistributed);
            for (int i = 0; i < COUNT; i++) {
                InFlight command = schedule.acquire();
                calls.next(command);
                command.execution().stamp(i + 1L);
                command.expectSuccess(i);
                schedule.command(command);
                lanes.passNs(ROUTE_NS);
                if (i % 100 == 0) {
                    schedule.frameScheduled(i, COUNT);
                }
            }
            schedule.drain();
            schedule.close();
            assertThat(lanes.ran()).isEqualTo(COUNT);
            return lanes.nowNs();
        }
    }

    /** A partition with few buckets has no other work while a command waits, and two partitions are both held by each distributed command. */
    @ParameterizedTest
    @CsvSource({
        "8, 80, false, 10000, 1.08",
        "8, 16, false, 10000, 0.98",
        "2, 20, false, 50000, 1.02",
        "2, 20, true, 50000, 1.04",
        "2, 4, false, 50000, 0.95",
        "2, 4, true, 50000, 0.95"
    })
    void shouldReplayInBucketOrderAboutAsFastAsInLogOrderOrFaster(
            int partitions, int warehouses, boolean allDistributed, long meetingNs, double least) {
        long logNs = replayNs(ReplaySettings.Order.LOG, partitions, warehouses, allDistributed, meetingNs);
        long bucketsNs = replayNs(ReplaySettings.Order.BUCKETS, partitions, warehouses, allDistributed, meetingNs);

        assertThat((double) logNs / bucketsNs).isGreaterThan(least);
    }
}
