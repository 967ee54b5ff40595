package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Statement;
import io.reprise.runtime.SeededRandomness;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that share rows see one order of calls, which agrees with time, while partitions are rebuilt. Each pair of counters is in two
 * partitions and changes together.
 */
final class RebuildHistoryTest {
    private static final int PAIRS = 12;
    private static final int PARTITIONS = 4;
    private static final int CLIENTS = 4;
    private static final int REBUILDS = 5;
    private static final long LIMIT_S = 240;

    private static final String DDL = """
            CREATE TABLE counter (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL);
            PARTITION TABLE counter ON COLUMN id;
            CREATE PROCEDURE AddCounter PARTITION ON TABLE counter COLUMN id AS INSERT INTO counter VALUES (?, 0);
            CREATE PROCEDURE Increment PARTITION ON TABLE counter COLUMN id PARAMETER 0
              AND ON TABLE counter COLUMN id PARAMETER 1 FROM CLASS io.reprise.engine.RebuildHistoryTest$Increment;
            CREATE PROCEDURE Look PARTITION ON TABLE counter COLUMN id PARAMETER 0
              AND ON TABLE counter COLUMN id PARAMETER 1 FROM CLASS io.reprise.engine.RebuildHistoryTest$Look;
            """;

    /** Increments both counters of a pair. */
    public static final class Increment extends Procedure {
        private final Statement add = sql("UPDATE counter SET n = n + 1 WHERE id = ?");
        private final Statement read = sql("SELECT n FROM counter WHERE id = ?");

        /** Returns the new number, or -1 if the counters differ. */
        public long run(long one, long other) {
            add.set(0, one).update();
            add.set(0, other).update();
            return both(read, one, other);
        }
    }

    /** Reads both counters of a pair. */
    public static final class Look extends Procedure {
        private final Statement read = sql("SELECT n FROM counter WHERE id = ?");

        /** Returns the number, or -1 if the counters differ. */
        public long run(long one, long other) {
            return both(read, one, other);
        }
    }

    private static long both(Statement read, long one, long other) {
        read.set(0, one).first();
        long n = read.rows().longAt(0);
        read.set(0, other).first();
        return n == read.rows().longAt(0) ? n : -1;
    }

    /** A call that was answered. */
    private record Seen(int pair, boolean wrote, long n, long beganNs, long endedNs) {}

    @TempDir
    private Path directory;

    private Reprise open() {
        return Options.create()
                .partitions(PARTITIONS)
                .sites(2)
                .memoryPerPartition(64 << 20)
                .ddl(DDL)
                .directory(directory)
                .durability(Durability.standard().withFootprints(true).with(SmallDurability.snapshots(2)))
                .open();
    }

    @Test
    void shouldKeepOneOrderThatAgreesWithTimeWhilePartitionsAreRebuilt() {
        List<Seen> history = new ArrayList<>();
        try (Reprise engine = open()) {
            for (long id = 0; id < 2 * PAIRS; id++) {
                engine.call("AddCounter", id);
            }
            assertThat(engine.snapshot().problem()).isEmpty();
            AtomicBoolean over = new AtomicBoolean();
            List<CompletableFuture<List<Seen>>> clients = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                int number = client;
                clients.add(CompletableFuture.supplyAsync(
                        () -> call(engine, number, over),
                        task -> Thread.ofPlatform().daemon().start(task)));
            }
            for (int i = 0; i < REBUILDS; i++) {
                engine.rebuildAsync(i % PARTITIONS)
                        .orTimeout(LIMIT_S, TimeUnit.SECONDS)
                        .join();
            }
            over.set(true);
            clients.forEach(client ->
                    history.addAll(client.orTimeout(LIMIT_S, TimeUnit.SECONDS).join()));
        }

        for (int pair = 0; pair < PAIRS; pair++) {
            check(pair, history);
        }
    }

    private static List<Seen> call(Reprise engine, int client, AtomicBoolean over) {
        SeededRandomness random = new SeededRandomness(client);
        List<Seen> seen = new ArrayList<>();
        while (!over.get()) {
            int pair = random.nextInt(PAIRS);
            boolean writes = random.nextInt(2) == 0;
            long beganNs = System.nanoTime();
            try {
                long n = engine.call(writes ? "Increment" : "Look", 2L * pair, 2L * pair + 1)
                        .longValue();
                seen.add(new Seen(pair, writes, n, beganNs, System.nanoTime()));
            } catch (ProcedureException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED);
            }
        }
        return seen;
    }

    /** By number, a write before its reads: no call has ended before one of an earlier place began. */
    private static void check(int pair, List<Seen> history) {
        List<Seen> order = history.stream()
                .filter(seen -> seen.pair() == pair)
                .sorted(Comparator.comparingLong(Seen::n)
                        .thenComparing(Seen::wrote, Comparator.reverseOrder())
                        .thenComparingLong(Seen::beganNs))
                .toList();
        long writes = 0;
        for (Seen seen : order) {
            writes += seen.wrote() ? 1 : 0;
            if (seen.n() != writes) {
                throw new AssertionError(seen + " has " + writes + " writes up to its place");
            }
        }
        long earliestEndNs = Long.MAX_VALUE;
        for (Seen seen : order.reversed()) {
            if (seen.beganNs() > earliestEndNs) {
                throw new AssertionError(seen + " began after a call of a later place had ended");
            }
            earliestEndNs = Math.min(earliestEndNs, seen.endedNs());
        }
        assertThat(writes).isPositive();
    }
}
