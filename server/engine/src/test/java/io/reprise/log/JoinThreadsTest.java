package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.Randomness;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.agent.AgentRunner;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.time.SystemClock;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/**
 * {@link JoinOrderTest} with real threads: several of them run transactions over one or more partitions, holding those as a
 * lent partition is held, while the log's writer takes what they leave; and the power goes at some moment.
 */
class JoinThreadsTest {
    private static final int PARTITIONS = 4;
    private static final int TRANSACTIONS = Integer.getInteger("reprise.transactions", 8_000);
    private static final LogSettings SETTINGS = LogSettings.DEFAULTS
            .withSizes(2048, 8192, 1 << 13, 4096)
            .withSegmentBytes(64 << 10)
            .withCompression(Compression.NONE);

    private final AtomicLong ids = new AtomicLong(1_000_000);
    private final List<ReentrantLock> locks = new ArrayList<>();
    private final PartitionLog[] logs = new PartitionLog[PARTITIONS];
    private final Waker waker = new Waker();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** The transactions run on each partition, in its order; guarded by the partition's lock. */
    private final List<List<Ran>> order = new ArrayList<>();

    private record Ran(long id, int home, long end, int participants) {}

    @Test
    void shouldKeepTheOrderOfEveryPartitionWhenThreadsRunTransactionsOverSeveral() {
        Seeds.forEach(3, seed -> new JoinThreadsTest().run(seed, 0));
    }

    @Test
    void shouldHaveAConsistentStateWithAllThatWasAcknowledgedWhenThePowerGoes() {
        Seeds.forEach(4, seed -> new JoinThreadsTest().run(seed, 50 + Math.floorMod(seed, 250L)));
    }

    /** Power loss at a call, or 0 for a clean end. */
    private void run(long seed, long powerLossAtCall) {
        for (int i = 0; i < PARTITIONS; i++) {
            locks.add(new ReentrantLock());
            order.add(new ArrayList<>());
            logs[i] = new PartitionLog(i, i, SETTINGS, waker);
        }
        SimulatedFileStore disk = new SimulatedFileStore(seed);
        LogTail tail = LogTail.create(disk, SETTINGS, LogFixture.DATABASE);
        LogWriter writer =
                new LogWriter(tail, SETTINGS, logs, new Waker[0], SystemClock.INSTANCE, (transaction, position) -> {});
        AgentRunner runner = new AgentRunner(
                "stress",
                writer,
                new ParkingIdleStrategy(waker, 10, 5, 20_000, 100_000),
                SystemClock.INSTANCE,
                (where, cause) -> failure.compareAndSet(null, cause));
        if (powerLossAtCall > 0) {
            disk.faults().powerLossAtCall(powerLossAtCall);
        }
        runner.start();
        runWorkers(seed);
        runner.close();

        if (failure.get() != null) {
            assertThat(failure.get()).isInstanceOf(SimulatedPowerLoss.class);
        }
        assertThat(failure.get() != null).isEqualTo(powerLossAtCall > 0);
        check(LoggedRecord.readAll(disk.crash(), SETTINGS));
        for (PartitionLog log : logs) {
            log.close();
        }
    }

    private void runWorkers(long seed) {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < PARTITIONS; i++) {
            Randomness random = new SeededRandomness(seed + i);
            workers.add(Thread.ofPlatform()
                    .uncaughtExceptionHandler((thread, cause) -> failure.compareAndSet(null, cause))
                    .start(() -> work(random)));
        }
        for (Thread worker : workers) {
            try {
                worker.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private void work(Randomness random) {
        for (int i = 0; i < TRANSACTIONS && failure.get() == null; i++) {
            boolean[] on = new boolean[PARTITIONS];
            int count = random.chance(0.4) ? 2 + random.nextInt(PARTITIONS - 1) : 1;
            for (int chosen = 0; chosen < count; ) {
                int partition = random.nextInt(PARTITIONS);
                chosen += on[partition] ? 0 : 1;
                on[partition] = true;
            }
            int home = random.nextInt(PARTITIONS);
            while (!on[home]) {
                home = random.nextInt(PARTITIONS);
            }
            for (int p = 0; p < PARTITIONS; p++) {
                if (on[p]) {
                    locks.get(p).lock();
                }
            }
            try {
                transaction(on, home, count, random.nextInt(30));
            } finally {
                for (int p = 0; p < PARTITIONS; p++) {
                    if (on[p]) {
                        locks.get(p).unlock();
                    }
                }
            }
        }
    }

    private void transaction(boolean[] on, int home, int count, int bytes) {
        PartitionLog[] participants = new PartitionLog[count];
        for (int p = 0, n = 0; p < PARTITIONS; p++) {
            if (on[p]) {
                participants[n++] = logs[p];
                while (!logs[p].hasRoom()) {
                    logs[p].hurryWriter();
                    if (failure.get() != null) {
                        return;
                    }
                    Thread.yield();
                }
            }
        }
        long id = ids.incrementAndGet();
        RecordBuilder record = logs[home].begin(RecordKind.COMMAND, id, -1, (int) id);
        for (int i = 0; i < bytes; i++) {
            record.putByte((byte) i);
        }
        long end = count == 1 ? record.end() : record.end(participants, count);
        logs[home].hurryWriter();
        for (int p = 0; p < PARTITIONS; p++) {
            if (on[p]) {
                order.get(p).add(new Ran(id, home, end, count));
            }
        }
    }

    /** The log has the beginning of each partition's order, with everything that was acknowledged. */
    private void check(List<LoggedRecord> records) {
        Map<Long, Integer> places = new HashMap<>();
        for (LoggedRecord record : records) {
            assertThat(places.put(record.transactionId(), places.size())).isNull();
        }
        Set<Long> partly = new HashSet<>();
        for (int p = 0; p < PARTITIONS; p++) {
            int last = -1;
            boolean over = false;
            for (Ran ran : order.get(p)) {
                Integer place = places.get(ran.id);
                if (place == null) {
                    over = true;
                    partly.add(ran.id);
                    assertThat(ran.end <= logs[ran.home].durable())
                            .as("%s was acknowledged, but is not in the log", ran)
                            .isFalse();
                } else {
                    assertThat(over)
                            .as("%s is in the log, but what ran before it on partition %d is not", ran, p)
                            .isFalse();
                    assertThat(place).as("%s on partition %d", ran, p).isGreaterThan(last);
                    last = place;
                }
            }
        }
        assertThat(partly).noneMatch(places::containsKey);
        if (failure.get() == null) {
            assertThat(partly).isEmpty();
            assertThat(records).hasSize(PARTITIONS * TRANSACTIONS);
        }
    }
}
