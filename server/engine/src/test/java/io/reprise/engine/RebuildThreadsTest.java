package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.recovery.rebuild.RebuildReport;
import io.reprise.runtime.SeededRandomness;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients of several threads call an engine whose partitions are rebuilt meanwhile, one after the other. Each account has a history of its own:
 * a client that alone changes it finds what it wrote last, and transfers never change the sum.
 */
final class RebuildThreadsTest {
    private static final int ACCOUNTS = 400;
    private static final long BALANCE = 1_000;
    private static final int PARTITIONS = 4;
    private static final int CLIENTS = 4;
    private static final int REBUILDS = 6;
    private static final long LIMIT_S = 240;

    @TempDir
    private Path directory;

    private Reprise open() {
        return Options.create()
                .partitions(PARTITIONS)
                .sites(2)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .directory(directory)
                .durability(Durability.standard().withFootprints(true).with(SmallDurability.snapshots(2)))
                .open();
    }

    @Test
    void shouldAnswerInOneOrderWhenPartitionsAreRebuiltUnderLoad() {
        long[] hashes;
        try (Reprise engine = open()) {
            List<CompletableFuture<Reply>> opened = new ArrayList<>();
            for (long id = 0; id < ACCOUNTS; id++) {
                opened.add(engine.callAsync("OpenAccount", id, BALANCE, "owner " + id));
            }
            opened.forEach(reply -> assertThat(reply.join().error()).isNull());
            assertThat(engine.snapshot().problem()).isEmpty();
            AtomicBoolean over = new AtomicBoolean();
            List<CompletableFuture<Long>> clients = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                int number = client;
                clients.add(CompletableFuture.supplyAsync(
                        () -> call(engine, number, over),
                        task -> Thread.ofPlatform().daemon().start(task)));
            }
            for (int i = 0; i < REBUILDS; i++) {
                RebuildReport report = engine.rebuildAsync(i % PARTITIONS)
                        .orTimeout(LIMIT_S, TimeUnit.SECONDS)
                        .join();
                assertThat(report.rows()).isPositive();
            }
            over.set(true);
            for (CompletableFuture<Long> client : clients) {
                assertThat(client.orTimeout(LIMIT_S, TimeUnit.SECONDS).join()).isPositive();
            }
            assertThat(engine.call("Total").longValue()).isEqualTo(ACCOUNTS * BALANCE);
            hashes = engine.contentHashes();
        }
        try (Reprise engine = open()) {
            assertThat(engine.contentHashes()).isEqualTo(hashes);
        }
    }

    /** Transfers between accounts that only this client changes, whose balances it knows. Returns the number of calls. */
    private static long call(Reprise engine, int client, AtomicBoolean over) {
        SeededRandomness random = new SeededRandomness(client);
        int own = ACCOUNTS / CLIENTS;
        long[] balances = new long[own];
        java.util.Arrays.fill(balances, BALANCE);
        long calls = 0;
        while (!over.get()) {
            int from = random.nextInt(own);
            int to = random.nextInt(own);
            long amount = 1L + random.nextInt(20);
            if (from == to || balances[from] < amount) {
                continue;
            }
            try {
                long left = engine.call(
                                "Transfer", (long) from * CLIENTS + client, (long) to * CLIENTS + client, amount)
                        .longValue();
                balances[from] -= amount;
                balances[to] += amount;
                assertThat(left).isEqualTo(balances[from]);
                assertThat(engine.call("Balance", (long) to * CLIENTS + client).longValue())
                        .isEqualTo(balances[to]);
                calls++;
            } catch (ProcedureException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED);
            }
        }
        return calls;
    }
}
