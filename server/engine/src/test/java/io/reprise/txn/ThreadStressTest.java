package io.reprise.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Sites;
import io.reprise.execution.BucketMap;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Partition;
import io.reprise.execution.SiteLayout;
import io.reprise.execution.SiteMeter;
import io.reprise.runtime.EventTrace;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.AgentRunner;
import io.reprise.runtime.agent.CompositeAgent;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.time.SystemClock;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same as the simulation, with a real thread for each site. */
class ThreadStressTest {
    private static final int ACCOUNTS = 24;

    @ParameterizedTest
    @CsvSource({
        "1, 1, 50, 3000",
        "2, 2, 5, 20000",
        "2, 2, 100, 4000",
        "3, 3, 30, 5000",
        "4, 4, 10, 5000",
        "4, 1, 50, 5000",
        "4, 2, 50, 5000",
        "5, 3, 30, 5000"
    })
    void shouldEqualSerialRunInIdOrderWhenSitesHaveThreads(
            int partitions, int siteCount, int multiPercent, int transactions) throws Exception {
        long seed = System.nanoTime();
        BucketMap buckets = BucketMap.dealt(partitions);
        AccountWork.Journal journal = new AccountWork.Journal(partitions, EventTrace.NONE);
        Oracle oracle = new Oracle(ACCOUNTS, buckets);
        List<PartitionStore> stores = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            stores.add(AccountWork.store(i, buckets, ACCOUNTS));
        }
        Waker[] wakers = new Waker[siteCount];
        Arrays.setAll(wakers, i -> new Waker());
        List<SiteMeter> meters = SiteMeter.unread(siteCount, SystemClock.INSTANCE);
        Sites sites = new Sites(
                Sites.Settings.usual(),
                buckets,
                Partition.over(stores, SiteLayout.dealt(partitions, siteCount)),
                wakers,
                SystemClock.INSTANCE,
                CommitGate.open(meters),
                meters,
                0);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(siteCount);
        List<AgentRunner> runners = new ArrayList<>();
        for (int i = 0; i < siteCount; i++) {
            AccountClient client = new AccountClient(
                    sites.port(i, 32),
                    journal,
                    buckets,
                    ACCOUNTS,
                    multiPercent,
                    transactions,
                    new SeededRandomness(seed + i),
                    oracle);
            client.whenDone(done::countDown);
            List<Agent> agents = new ArrayList<>(List.of(client, sites.initiator(i)));
            sites.partitions(i).forEach(partition -> agents.add(sites.executor(partition)));
            runners.add(new AgentRunner(
                    "stress",
                    new CompositeAgent("site-" + i, agents),
                    new ParkingIdleStrategy(wakers[i]),
                    SystemClock.INSTANCE,
                    (where, cause) -> {
                        failure.compareAndSet(null, cause);
                        for (int left = 0; left < siteCount; left++) {
                            done.countDown();
                        }
                    }));
        }

        runners.forEach(AgentRunner::start);
        assertThat(done.await(5, TimeUnit.MINUTES)).as("seed %d", seed).isTrue();
        runners.forEach(AgentRunner::close);

        assertThat(failure.get()).as("seed %d", seed).isNull();
        assertThat(oracle.count()).isEqualTo(siteCount * transactions);
        ScheduleSimulationTest.check(seed, stores, buckets, journal, oracle);
        stores.forEach(PartitionStore::close);
    }
}
