package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.BucketMap;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.simulation.SimulatedFileStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Four partitions on one site, on two, and on four: a site count changes speed only. */
class SeveralPartitionsOnASiteTest {
    private static final int PARTITIONS = 4;
    private static final int ACCOUNTS = 40;

    private static Options options(int sites, Options.Threads threads) {
        return Options.create()
                .partitions(PARTITIONS)
                .sites(sites)
                .threads(threads)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL);
    }

    private static Reprise durable(SimulatedFileStore disk, int sites, LoggingMethod method) {
        return options(sites, Options.Threads.CALLER)
                .files(disk)
                .durability(Durability.standard()
                        .with(method)
                        .with(SmallDurability.logOfSchemas(48 << 10))
                        .with(SmallDurability.snapshots(2)))
                .open();
    }

    private static void openAccounts(Reprise engine) {
        for (int id = 0; id < ACCOUNTS; id++) {
            engine.call("OpenAccount", id, 1000, "owner " + id);
        }
    }

    /** Each transfer lends a partition to another one, often of the same site; both directions are under way at once. */
    @ParameterizedTest
    @CsvSource({"1", "2", "3", "4"})
    void shouldLendBetweenPartitionsOfASiteWhenTransfersCross(int sites) {
        try (Reprise engine = options(sites, Options.Threads.SITE).open()) {
            openAccounts(engine);
            List<CompletableFuture<Reply>> transfers = new ArrayList<>();

            for (int i = 0; i < 4_000; i++) {
                int from = i * 7 % ACCOUNTS;
                int to = (i * 11 + 3) % ACCOUNTS;
                transfers.add(engine.callAsync("Transfer", from, to, 1));
                if (i % 500 == 0) {
                    transfers.add(engine.callAsync("Total"));
                }
            }

            transfers.forEach(transfer -> assertThat(transfer.join().error()).isNull());
            assertThat(engine.call("Total").longValue()).isEqualTo(ACCOUNTS * 1000L);
            assertThat(engine.stats().partitions()).hasSize(PARTITIONS).allMatch(p -> p.committed() > 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 2, COMMAND", "2, 1, PHYSIOLOGICAL", "4, 2, COMMAND", "1, 4, PHYSIOLOGICAL"})
    void shouldRecoverTheSameRowsWhenAnotherNumberOfSitesOpensTheDirectory(
            int sites, int sitesAfterwards, LoggingMethod method) {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        long[] hashes;
        try (Reprise engine = durable(disk, sites, method)) {
            openAccounts(engine);
            engine.call("Transfer", 1, 2, 10);
            assertThat(engine.snapshot().problem()).isEmpty();
            engine.ddl("ALTER TABLE account ADD COLUMN note VARCHAR(10) DEFAULT 'none'");
            engine.call("Transfer", 3, 9, 10);
            engine.sql("DELETE FROM account WHERE id = 7");
            hashes = engine.contentHashes();
        }

        SimulatedFileStore left = disk;
        for (int power = 0; power < 2; power++) {
            left = power == 0 ? left.crash() : left.kill();
            try (Reprise engine = durable(left, sitesAfterwards, method)) {
                assertThat(engine.contentHashes()).isEqualTo(hashes);
                assertThat(engine.recovery().snapshot()).isPresent();
                assertThat(engine.call("Balance", 9).longValue()).isEqualTo(1010);
                assertThat(engine.call("Transfer", 9, 3, 10).longValue()).isEqualTo(1000);
                engine.call("Transfer", 3, 9, 10);
                assertThat(engine.snapshot().problem()).isEmpty();
            }
        }
    }

    /** The load and the queues of a site are told once, and each partition's own buckets with it. */
    @ParameterizedTest
    @CsvSource({"1", "2"})
    void shouldMeasureEachPartitionWhenASiteRunsSeveral(int sites) {
        try (Reprise engine = options(sites, Options.Threads.CALLER).open()) {
            openAccounts(engine);

            List<EngineMetrics.PartitionMetrics> metrics = engine.metrics().partitions();

            assertThat(metrics).hasSize(PARTITIONS);
            BucketMap buckets = engine.buckets();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                long[] load = metrics.get(partition).bucketLoad();
                for (int bucket = 0; bucket < load.length; bucket++) {
                    if (load[bucket] > 0) {
                        assertThat(buckets.partition(bucket)).isEqualTo(partition);
                    }
                }
            }
        }
    }
}
