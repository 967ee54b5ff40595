package io.reprise.command;

import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.engine.Reply;
import io.reprise.engine.Reprise;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogSettings;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.snapshot.SnapshotSettings;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * Recoveries, rehearsed: a database with each kind of log is filled, closed, and opened again, also on demand, so that the classes of a
 * replay, and those that write what is replayed, are in the {@link StartCache}.
 */
final class RecoveryRehearsal {
    /** Of each database. */
    static final int CALLS = 1_000;

    private static final int ACCOUNTS = 400;

    /** So many calls are under way. */
    private static final int TOGETHER = 500;

    private static final long MEMORY = 1L << 30;
    private static final long FORCE_EVERY_NS = 50_000_000;

    /** A segment is made by writing all of it. */
    private static final long SEGMENT = 16L << 20;

    private static final int RING = 4 << 20;
    private static final int FRAME = 64 << 10;

    /** The text is too long to be shared within a process, so the next opening takes it from the kept statements. */
    private static final String KEPT =
            "CREATE PROCEDURE KeptStatement PARTITION ON TABLE account COLUMN id AS SELECT total" + " ".repeat(17_000)
                    + " FROM account WHERE id = ? AND name LIKE '%a%' ORDER BY total;";

    private RecoveryRehearsal() {}

    /** Runs it in a folder that is there. */
    static void rehearse(Path folder) {
        for (LoggingMethod method : new LoggingMethod[] {LoggingMethod.PHYSIOLOGICAL, LoggingMethod.COMMAND}) {
            Path directory = folder.resolve(method.name().toLowerCase(Locale.ROOT));
            try (Reprise engine = open(directory, method, false)) {
                fill(engine, 0);
            }
            try (Reprise engine = open(directory, method, false)) {
                if (engine.recovery().transactions() != CALLS) {
                    throw new IllegalStateException(
                            "of " + CALLS + " transactions " + engine.recovery().transactions() + " were replayed");
                }
                engine.snapshot();
                fill(engine, CALLS);
            }
            try (Reprise engine = open(directory, method, true)) {
                engine.call("RehearsedWrites", 1, 2 * CALLS);
                LoadStats load = engine.load().orElseThrow();
                while (!load.isOver()) {
                    engine.call("KeptStatement", 1);
                }
            }
        }
    }

    private static Reprise open(Path directory, LoggingMethod method, boolean onDemand) {
        LogSettings log = LogSettings.DEFAULTS
                .withSizes(FRAME, RING, RING, RING)
                .withSegmentBytes(SEGMENT)
                .asynchronous(FORCE_EVERY_NS);
        return Options.create()
                .name("rehearsal")
                .memoryPerPartition(MEMORY)
                .directory(directory)
                .durability(Durability.standard()
                        .with(method)
                        .with(log)
                        .with(SnapshotSettings.usual().onDemand()))
                .ddl(RehearsedWrites.SCHEMA + KEPT)
                .keepStatements(true)
                .recoverOnDemand(onDemand)
                .open();
    }

    private static void fill(Reprise engine, int firstNumber) {
        for (int first = 0; first < CALLS; first += TOGETHER) {
            CompletableFuture<?>[] underWay = new CompletableFuture<?>[Math.min(TOGETHER, CALLS - first)];
            for (int i = 0; i < underWay.length; i++) {
                int call = first + i;
                underWay[i] = engine.callAsync("RehearsedWrites", call % ACCOUNTS, firstNumber + call / ACCOUNTS)
                        .thenAccept(Reply::orThrow);
            }
            CompletableFuture.allOf(underWay).join();
        }
    }
}
