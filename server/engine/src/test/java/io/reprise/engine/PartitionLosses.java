package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Table;
import io.reprise.recovery.rebuild.RebuildReport;
import io.reprise.recovery.rebuild.RebuildStats;
import io.reprise.simulation.SimulatedClock;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Partitions of an engine stepped by its test, which lose rows and are rebuilt. */
final class PartitionLosses {
    private static final int ROUNDS = 10_000;

    private PartitionLosses() {}

    /** Takes every other row of some tables away behind the engine's back. */
    static void spoil(Reprise engine, int partition, Predicate<Table> of) {
        PartitionStore store = engine.stores().get(partition);
        for (Table table : engine.catalog().tables().values()) {
            TableStore rows = store.table(table.id());
            List<Long> all = new ArrayList<>();
            for (long row = rows.first(); row != 0; row = rows.next(row)) {
                all.add(row);
            }
            for (int i = 0; i < all.size() && of.test(table); i += 2) {
                rows.directWrites().delete(all.get(i));
            }
        }
    }

    /** A rebuild from its begin to its end. */
    static RebuildReport run(Reprise engine, SimulatedClock clock, int partition) {
        CompletableFuture<RebuildReport> rebuild = engine.rebuildAsync(partition);
        runToEnd(engine, clock, rebuild);
        assertThat(rebuild).isDone();
        return rebuild.join();
    }

    /** Steps the engine until a rebuild has ended, or for very long. */
    static void runToEnd(Reprise engine, SimulatedClock clock, CompletableFuture<RebuildReport> rebuild) {
        for (int i = 0; i < ROUNDS && !rebuild.isDone(); i++) {
            clock.advance(1_000_000);
            engine.runSites();
        }
    }

    /** Steps the engine until the rebuild under way has its fence. */
    static void runToFence(Reprise engine) {
        RebuildStats stats = engine.rebuildStats().orElseThrow();
        while (!stats.present().map(RebuildStats.State::fenced).orElse(false)) {
            engine.agents().forEach(agent -> agent.doWork(0));
        }
    }
}
