package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Callers.Answer;
import io.reprise.engine.Callers.Call;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.runtime.SeededRandomness;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients of several threads call an engine whose sites run on threads of their own, while its rows are loaded on demand. */
final class DemandRecoveryThreadsTest {
    private static final int ACCOUNTS = 4_000;
    private static final long BALANCE = 1_000;
    private static final int ROUNDS = 2;
    private static final int CALLS = 150;
    private static final int AT_ONCE = 64;
    private static final int NUMBERED = 20;
    private static final long MEMORY = 6 << 20;
    private static final long LIMIT_S = 120;
    private static final String FILLING = "x".repeat(1_900);

    private static final String DDL = Bank.DDL + """
            CREATE TABLE filling (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(2000));
            PARTITION TABLE filling ON COLUMN id;
            CREATE PROCEDURE Fill PARTITION ON TABLE filling COLUMN id AS INSERT INTO filling (id, text) VALUES (?, ?);
            """;

    @TempDir
    private Path directory;

    private final Callers callers = new Callers();
    private final List<Call> numbered = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();

    private boolean images;

    private Reprise open(LoggingMethod method, boolean onDemand) {
        return Options.create()
                .partitions(4)
                .sites(2)
                .memoryPerPartition(MEMORY)
                .ddl(DDL)
                .siteAgent(callers::at)
                .directory(directory)
                .durability(Durability.standard().with(method).with(SmallDurability.snapshots(2)))
                .recoverOnDemand(onDemand)
                .sortedLog(SmallDurability.runs(images ? 32 << 10 : 16 << 20)
                        .withImages(images)
                        .withReuse(images))
                .open();
    }

    @ParameterizedTest
    @CsvSource({"COMMAND, false", "COMMAND, true", "PHYSIOLOGICAL, false"})
    void shouldServeAllKindsOfCallsWhenThreadsCallWhileRowsAreLoaded(LoggingMethod method, boolean withImages) {
        images = withImages;
        try (Reprise engine = open(method, true)) {
            List<CompletableFuture<Reply>> opened = new ArrayList<>();
            for (long id = 0; id < ACCOUNTS; id++) {
                opened.add(engine.callAsync("OpenAccount", id, BALANCE, "owner " + id));
            }
            opened.forEach(reply -> assertThat(reply.join().error()).isNull());
            assertThat(fill(engine, 0)).isPositive();
            assertThat(engine.snapshot().problem()).isEmpty();
            transfer(engine, 1);
            callNumbered(engine, 0);
        }

        for (int round = 1; round <= ROUNDS; round++) {
            try (Reprise engine = open(method, true)) {
                assertThat(engine.load()).isPresent();
                callAtOnce(engine, round);
                awaitLoad(engine);
                assertThat(engine.call("Total").longValue()).isEqualTo(ACCOUNTS * BALANCE);
            }
        }

        long[] hashes;
        try (Reprise engine = open(method, true)) {
            hashes = engine.contentHashes();
        }
        try (Reprise engine = open(method, false)) {
            assertThat(engine.load()).isEmpty();
            assertThat(engine.contentHashes()).isEqualTo(hashes);
        }
    }

    private void callAtOnce(Reprise engine, int round) {
        List<CompletableFuture<Void>> clients = List.of(
                start(() -> transfer(engine, 10L * round)),
                start(() -> transfer(engine, 10L * round + 1)),
                start(() -> {
                    callAgain(engine);
                    callNumbered(engine, round);
                }),
                start(() -> askAdHoc(engine, round)),
                start(() -> fill(engine, 1_000_000L * round)));
        clients.forEach(client -> client.orTimeout(LIMIT_S, TimeUnit.SECONDS).join());
    }

    private static CompletableFuture<Void> start(Runnable client) {
        return CompletableFuture.runAsync(
                client, task -> Thread.ofPlatform().daemon().start(task));
    }

    private static void transfer(Reprise engine, long seed) {
        SeededRandomness random = new SeededRandomness(seed);
        for (int i = 0; i < CALLS; i++) {
            long from = random.nextInt(ACCOUNTS);
            long to = random.nextInt(ACCOUNTS);
            try {
                engine.call("Transfer", from, to, 1L + random.nextInt(20));
            } catch (ProcedureException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.USER_ABORT);
            }
        }
    }

    /** Calls that were answered before the stop have the same answers now. */
    private void callAgain(Reprise engine) {
        List<Answer> again = callers.run(engine, numbered);
        for (int i = 0; i < answers.size(); i++) {
            assertThat(again.get(i).shown()).isEqualTo(answers.get(i).shown());
        }
    }

    private void callNumbered(Reprise engine, int round) {
        numbered.clear();
        answers.clear();
        for (int i = 1; i <= NUMBERED; i++) {
            long from = (i * 97L + round) % ACCOUNTS;
            long sequence = (long) round * NUMBERED + i;
            long acknowledged = (long) round * NUMBERED + 1;
            numbered.add(new Call(i, 7, sequence, acknowledged, "Transfer", from, (from + i) % ACCOUNTS, 1L));
        }
        answers.addAll(callers.run(engine, numbered));
        assertThat(answers).allMatch(Answer::wrote);
    }

    private static void askAdHoc(Reprise engine, int round) {
        for (long id = round; id < 200; id += 10) {
            assertThat(engine.sql("UPDATE account SET owner = ? WHERE id = ?", "round " + round, id)
                            .longValue())
                    .isEqualTo(1);
            Rows owner =
                    engine.sql("SELECT owner FROM account WHERE id = " + id).rows();
            assertThat(owner.next()).isTrue();
            assertThat(owner.textAt(0).toString()).isEqualTo("round " + round);
        }
        Rows count = engine.sql("SELECT COUNT(*), SUM(balance) FROM account").rows();
        assertThat(count.next()).isTrue();
        assertThat(count.longAt(0)).isEqualTo(ACCOUNTS);
        assertThat(count.longAt(1)).isEqualTo(ACCOUNTS * BALANCE);
    }

    /** Adds large rows, several at once, until some have been refused. Returns the number of rows. */
    private static int fill(Reprise engine, long first) {
        int rows = 0;
        int refused = 0;
        for (long id = first; refused < 100; id += AT_ONCE) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                replies.add(engine.callAsync("Fill", id + i, FILLING));
            }
            for (CompletableFuture<Reply> reply : replies) {
                ErrorCode error = reply.join().error();
                assertThat(error).isIn(null, ErrorCode.MEMORY_LIMIT);
                rows += error == null ? 1 : 0;
                refused += error == null ? 0 : 1;
            }
        }
        return rows;
    }

    private static void awaitLoad(Reprise engine) {
        LoadStats loads = engine.load().orElseThrow();
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
        while (loads.tookNs() == 0 && System.nanoTime() < endNs) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(loads.tookNs()).isPositive();
        assertThat(loads.failed()).isZero();
        assertThat(loads.ready()).isEqualTo(loads.buckets());
        assertThat(loads.rows()).isEqualTo(loads.allRows());
        assertThat(loads.records()).isEqualTo(loads.allRecords());
    }
}
