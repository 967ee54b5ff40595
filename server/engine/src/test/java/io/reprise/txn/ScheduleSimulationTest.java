package io.reprise.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Sites;
import io.reprise.execution.BucketMap;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Partition;
import io.reprise.execution.SiteLayout;
import io.reprise.execution.SiteMeter;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.agent.Waker;
import io.reprise.simulation.Simulation;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Thousands of schedules of clients, initiators and executors, each checked against a serial run. */
class ScheduleSimulationTest {
    private static final int SCHEDULES = 300;
    private static final int MANY_SCHEDULES = Integer.getInteger("reprise.test.schedules", 5000);
    private static final int ACCOUNTS = 24;

    @Test
    void shouldEqualSerialRunInIdOrderWhenScheduledAtRandom() {
        assertThat(abortsOf(1, SCHEDULES)).isPositive();
    }

    @Test
    @Tag("long")
    void shouldEqualSerialRunInIdOrderWhenScheduledAtRandomManyTimes() {
        assertThat(abortsOf(SCHEDULES + 1, MANY_SCHEDULES)).isPositive();
    }

    private static long abortsOf(int firstSeed, int lastSeed) {
        long aborts = 0;
        for (long seed = firstSeed; seed <= lastSeed; seed++) {
            aborts += run(new Simulation(seed));
        }
        return aborts;
    }

    @Test
    void shouldTellTheSameTraceWhenSeedIsTheSame() {
        for (long seed = 1; seed <= 20; seed++) {
            Simulation.checkRepeats(seed, ScheduleSimulationTest::run);
        }
    }

    private static long run(Simulation simulation) {
        Randomness random = simulation.randomness();
        int partitions = 1 + random.nextInt(4);
        int transactions = 20 + random.nextInt(60);
        BucketMap buckets = BucketMap.dealt(partitions);
        AccountWork.Journal journal = new AccountWork.Journal(partitions, simulation);
        Oracle oracle = new Oracle(ACCOUNTS, buckets);
        List<PartitionStore> stores = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            stores.add(AccountWork.store(i, buckets, ACCOUNTS));
        }
        int siteCount = 1 + random.nextInt(partitions);
        Sites.Settings settings = new Sites.Settings(
                1 << random.nextInt(5),
                1 + random.nextInt(4000),
                1 + random.nextInt(40),
                random.nextInt(3) * 5_000L,
                64,
                1 + random.nextInt(16));
        List<SiteMeter> meters = SiteMeter.unread(siteCount, simulation.clock());
        Sites sites = new Sites(
                settings,
                buckets,
                Partition.over(shuffled(stores, random), SiteLayout.dealt(partitions, siteCount)),
                new Waker[siteCount],
                simulation.clock(),
                CommitGate.open(meters),
                meters,
                0);
        List<AccountClient> clients = new ArrayList<>();
        if (random.chance(0.5)) {
            simulation.wallClockJumps(0.01, 1000);
        }
        int multiPercent = random.nextInt(101);
        for (int i = 0; i < siteCount; i++) {
            AccountClient client = new AccountClient(
                    sites.port(i, 1 + random.nextInt(40)),
                    journal,
                    buckets,
                    ACCOUNTS,
                    multiPercent,
                    transactions,
                    random.fork(),
                    oracle);
            clients.add(client);
            simulation.add(client).add(sites.initiator(i));
            sites.partitions(i).forEach(partition -> simulation.add(sites.executor(partition)));
        }

        simulation.runUntil(() -> clients.stream().allMatch(AccountClient::isDone), 2_000_000);

        check(simulation.seed(), stores, buckets, journal, oracle);
        assertThat(oracle.count()).isEqualTo(siteCount * transactions);
        stores.forEach(PartitionStore::close);
        return oracle.aborts();
    }

    /** Slots in another order than ids: none may be taken for the other. */
    private static List<PartitionStore> shuffled(List<PartitionStore> stores, Randomness random) {
        List<PartitionStore> bySlot = new ArrayList<>(stores);
        for (int slot = bySlot.size() - 1; slot > 0; slot--) {
            Collections.swap(bySlot, slot, random.nextInt(slot + 1));
        }
        return bySlot;
    }

    static void check(
            long seed, List<PartitionStore> stores, BucketMap buckets, AccountWork.Journal journal, Oracle oracle) {
        for (List<Long> ids : journal.ids) {
            assertThat(ids).as("seed %d: ids at a partition", seed).isSorted().doesNotHaveDuplicates();
        }
        long[] expected;
        try {
            expected = oracle.run();
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
        for (int account = 0; account < ACCOUNTS; account++) {
            int partition = buckets.partition(io.reprise.id.Buckets.DEFAULT.of(account));
            assertThat(AccountWork.balance(stores.get(partition), account))
                    .as("seed %d: account %d", seed, account)
                    .isEqualTo(expected[account]);
        }
        stores.forEach(PartitionStore::verify);
    }
}
