package io.reprise.runtime.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.runtime.time.SystemClock;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class IdleStrategyTest {
    private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);

    /** An earlier test may have left a permit, also in another class, and the next park would end at once. */
    @BeforeEach
    @AfterEach
    void consumeThePermitOfAWakeUp() {
        LockSupport.parkNanos(1);
    }

    @Test
    void shouldReturnAtOnceWhenWorkWasDone() {
        Waker waker = new Waker();
        IdleStrategy[] strategies = {
            new BusySpinIdleStrategy(),
            new YieldingIdleStrategy(),
            new BackoffIdleStrategy(0, 0, HOUR_NS, HOUR_NS),
            new ParkingIdleStrategy(waker, 0, 0, HOUR_NS, HOUR_NS)
        };

        long before = System.nanoTime();
        for (IdleStrategy strategy : strategies) {
            strategy.idle(1);
        }

        assertThat(System.nanoTime() - before).isLessThan(HOUR_NS);
    }

    @Test
    void shouldParkLongerEachTimeUpToTheBoundWhenNothingComes() {
        long minNs = 100_000;
        BackoffIdleStrategy strategy = new BackoffIdleStrategy(1, 1, minNs, 8 * minNs);

        long firstPark = idleNs(strategy, 3);
        long fourParks = idleNs(strategy, 4);

        assertThat(firstPark).isGreaterThanOrEqualTo(minNs);
        assertThat(fourParks).isGreaterThanOrEqualTo((2 + 4 + 8 + 8) * minNs);
    }

    @Test
    void shouldLookOnceMoreBeforeItParks() {
        Waker waker = new Waker();
        ParkingIdleStrategy strategy = new ParkingIdleStrategy(waker, 0, 0, HOUR_NS, HOUR_NS);

        strategy.idle(0);
        waker.wake();
        strategy.idle(0);

        assertThat(waker.park(HOUR_NS)).as("woken before, so it does not park").isTrue();
    }

    @Test
    void shouldNotParkWhenTheLastLookFoundWork() {
        Waker waker = new Waker();
        ParkingIdleStrategy strategy = new ParkingIdleStrategy(waker, 0, 0, HOUR_NS, HOUR_NS);

        strategy.idle(0);
        strategy.idle(1);
        strategy.idle(0);
        waker.wake();
        strategy.idle(0);

        assertThat(waker.park(HOUR_NS)).isTrue();
    }

    @Test
    void shouldYieldInsteadOfParkingOnlyWhereThatWasRewarded() {
        Waker waker = new Waker();
        SpinBudget budget = new SpinBudget(HOUR_NS);
        ParkingIdleStrategy strategy = new ParkingIdleStrategy(waker, 0, 0, HOUR_NS, HOUR_NS, 1, budget);

        strategy.idle(0);
        boolean armedAtFirst = waker.isArmed();
        for (int i = 0; i < 20; i++) {
            strategy.idle(1);
            strategy.idle(0);
        }

        assertThat(armedAtFirst).isTrue();
        assertThat(waker.isArmed()).isFalse();
    }

    @Test
    void shouldWakeAParkedConsumerForEachElement() throws Exception {
        echo(null, null);
    }

    /** So short that waits are now spun, now slept, and often just about to be slept. */
    @Test
    void shouldWakeAConsumerForEachElementWhenItSpinsBeforeItParks() throws Exception {
        echo(new SpinBudget(20_000), new SpinBudget(20_000));
    }

    private static void echo(SpinBudget echoBudget, SpinBudget replyBudget) throws Exception {
        Waker waker = new Waker();
        MpscRing<Integer> requests = new MpscRing<>(4, waker);
        Waker replyWaker = new Waker();
        SpscRing<Integer> replies = new SpscRing<>(4, replyWaker);
        ParkingIdleStrategy replyIdle = new ParkingIdleStrategy(replyWaker, 0, 0, HOUR_NS, HOUR_NS, 1, replyBudget);
        RecordingFailures failures = new RecordingFailures();
        int rounds = 20_000;

        try (AgentRunner runner = new AgentRunner(
                "n",
                new EchoAgent(requests, replies),
                new ParkingIdleStrategy(waker, 0, 0, HOUR_NS, HOUR_NS, 1, echoBudget),
                SystemClock.INSTANCE,
                failures)) {
            runner.start();
            for (int i = 0; i < rounds; i++) {
                requests.offer(i);
                Integer reply = replies.poll();
                while (reply == null) {
                    replyIdle.idle(0);
                    reply = replies.poll();
                }
                replyIdle.idle(1);
                assertThat(reply).isEqualTo(i);
            }
        }

        assertThat(failures.causes).isEmpty();
    }

    /** Measured more than once: a machine that stands still for a while may count that as the work of whom it was running. */
    @Test
    void shouldUseHardlyAnyCpuWhenIdle() throws Exception {
        double least = 1;
        for (int round = 0; round < 5 && least >= 0.1; round++) {
            least = Math.min(least, shareOfACoreWhenIdle());
        }

        assertThat(least).as("CPU time by time").isLessThan(0.1);
    }

    /** Over as long as it takes to park some times, however seldom the thread gets a core. */
    private static double shareOfACoreWhenIdle() throws InterruptedException {
        // A dozen looks without a park, then two for each, of a millisecond at least.
        int looksWithSomeParks = 20;
        long leastNs = 300_000_000;
        long[] cpuNs = new long[1];
        long[] tookNs = new long[1];
        int[] looks = new int[1];
        IdleStrategy idle = new ParkingIdleStrategy(new Waker());
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Thread thread = Thread.ofPlatform().start(() -> {
            long start = System.nanoTime();
            long cpuStart = threads.getCurrentThreadCpuTime();
            while (looks[0] < looksWithSomeParks || System.nanoTime() - start < leastNs) {
                idle.idle(0);
                looks[0]++;
            }
            cpuNs[0] = threads.getCurrentThreadCpuTime() - cpuStart;
            tookNs[0] = System.nanoTime() - start;
        });
        thread.join();

        assertThat(looks[0])
                .as("looks in %d ns", tookNs[0])
                .isLessThanOrEqualTo(looksWithSomeParks + (int) (2 * tookNs[0] / 1_000_000));
        return (double) cpuNs[0] / tookNs[0];
    }

    @Test
    void shouldRefuseBoundsThatDescend() {
        assertThatThrownBy(() -> new BackoffIdleStrategy(1, 1, 10, 9)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ParkingIdleStrategy(new Waker(), -1, 1, 10, 10))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static long idleNs(IdleStrategy strategy, int cycles) {
        long before = System.nanoTime();
        for (int i = 0; i < cycles; i++) {
            strategy.idle(0);
        }
        return System.nanoTime() - before;
    }

    private record EchoAgent(MpscRing<Integer> requests, SpscRing<Integer> replies) implements Agent {
        @Override
        public String roleName() {
            return "echo";
        }

        @Override
        public int doWork(long nowNs) {
            return requests.drain(replies::offer, 16);
        }
    }
}
