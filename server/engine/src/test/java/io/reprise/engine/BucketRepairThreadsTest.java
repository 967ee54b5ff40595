package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Buckets are repaired one after the other while threads call: no call is lost, and no money. */
final class BucketRepairThreadsTest {
    private static final int ACCOUNTS = 200;
    private static final int REPAIRS = 12;
    private static final int CALLS = 40;
    private static final long BALANCE = 1_000;
    private static final long LIMIT_S = 120;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldKeepAllMoneyWhenBucketsAreRepairedUnderCalls(LoggingMethod method) throws Exception {
        Options options = Options.create()
                .partitions(3)
                .sites(2)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .directory(directory)
                .durability(Durability.standard().with(method).with(SmallDurability.snapshots(2)));
        long[] hashes;
        try (Reprise engine = options.open()) {
            for (long id = 0; id < ACCOUNTS; id++) {
                engine.call("OpenAccount", id, BALANCE, "owner " + id);
            }
            assertThat(engine.snapshot().problem()).isEmpty();

            List<CompletableFuture<Reply>> calls = new ArrayList<>();
            for (int repair = 0; repair < REPAIRS; repair++) {
                int bucket = engine.buckets().buckets().of((long) repair);
                CompletableFuture<RepairReport> report = CompletableFuture.supplyAsync(() -> engine.repair(bucket));
                for (int i = 0; i < CALLS; i++) {
                    long from = ((long) repair + i) % REPAIRS;
                    calls.add(engine.callAsync("Transfer", from, (from + 1 + i % 5) % ACCOUNTS, 1L));
                    calls.add(engine.callAsync("Balance", from));
                }
                calls.add(engine.callAsync("Total"));
                assertThat(report.get(LIMIT_S, TimeUnit.SECONDS).problem()).isNull();
            }

            for (CompletableFuture<Reply> call : calls) {
                assertThat(call.get(LIMIT_S, TimeUnit.SECONDS).error()).isNull();
            }
            assertThat(engine.call("Total").longValue()).isEqualTo(BALANCE * ACCOUNTS);
            hashes = engine.contentHashes();
        }
        try (Reprise again = options.open()) {
            assertThat(again.contentHashes()).isEqualTo(hashes);
        }
    }
}
