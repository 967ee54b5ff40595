package io.reprise.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Sites;
import io.reprise.execution.BucketMap;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Execution;
import io.reprise.execution.Nothing;
import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.execution.SiteMeter;
import io.reprise.runtime.agent.AgentRunner;
import io.reprise.runtime.agent.CompositeAgent;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.time.SystemClock;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** An initiator that sleeps because another site's ring is full. */
class HeldBackTest {
    private static final int PARTITIONS = 2;
    private static final int CALLS = 100;
    private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(2);

    private final BucketMap buckets = BucketMap.dealt(PARTITIONS);
    private final List<PartitionStore> stores = new ArrayList<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile Thread siteThread;

    @Test
    void shouldGoOnAsSoonAsThereIsRoomWhenAnotherSitesRingWasFull() {
        Sites sites = sites();
        Waker waker = sites.port(0, 1).waker();
        ParkingIdleStrategy forAnHour = new ParkingIdleStrategy(waker, 0, 0, HOUR_NS, HOUR_NS);
        AgentRunner site = new AgentRunner(
                "held-back",
                new CompositeAgent(
                        "site-0",
                        List.of(
                                sites.initiator(0),
                                sites.executor(sites.partitions().get(0)))),
                work -> {
                    siteThread = Thread.currentThread();
                    forAnHour.idle(work);
                },
                SystemClock.INSTANCE,
                (where, cause) -> failure.set(cause));
        for (int i = 0; i < CALLS; i++) {
            assertThat(sites.initiator(0).offer(callOf(1))).isTrue();
        }
        site.start();
        awaitSleep();

        PartitionExecutor other = sites.executor(sites.partitions().get(1));
        long start = System.nanoTime();
        while (answered.get() < CALLS && failure.get() == null && System.nanoTime() - start < LONGEST_NS) {
            sites.meter(1).cycle(System.nanoTime());
            other.doWork(System.nanoTime());
        }

        int ran = answered.get();
        site.requestClose();
        waker.wake();
        site.close();
        stores.forEach(PartitionStore::close);
        assertThat(failure.get()).isNull();
        assertThat(ran).isEqualTo(CALLS);
    }

    private Sites sites() {
        Waker[] wakers = new Waker[PARTITIONS];
        for (int i = 0; i < PARTITIONS; i++) {
            stores.add(AccountWork.store(i, buckets, 1));
            wakers[i] = new Waker();
        }
        List<SiteMeter> meters = SiteMeter.unread(PARTITIONS, SystemClock.INSTANCE);
        return new Sites(
                Sites.Settings.usual(),
                buckets,
                Partition.over(stores),
                wakers,
                SystemClock.INSTANCE,
                CommitGate.open(meters),
                meters,
                0);
    }

    private Execution callOf(int partition) {
        Execution call = new Execution().prepare(new Nothing(false, false), this::ended, 0);
        call.addParticipant(partition);
        return call;
    }

    private void ended(Execution call) {
        if (call.outcome().succeeded()) {
            answered.incrementAndGet();
        }
    }

    /** Until it has sent what it may, and parks. */
    private void awaitSleep() {
        while (siteThread == null || siteThread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }
}
