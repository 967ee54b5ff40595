package io.reprise.node.http;

import io.reprise.engine.EngineMetrics;
import io.reprise.engine.Reprise;
import io.reprise.execution.Work;
import io.reprise.execution.durable.adaptive.LoggingStats;
import java.util.ArrayList;
import java.util.List;

/**
 * The adaptive logging of a procedure's transactions.
 *
 * @param distributed of those with several partitions; otherwise of those with one
 * @param reason the reason for the present form of their records
 */
record ProcedureLogging(String procedure, boolean distributed, LoggingStats stats, String reason) {
    /** All of a node that have run; none if its method is not adaptive. */
    static List<ProcedureLogging> all(Reprise engine, EngineMetrics metrics) {
        List<ProcedureLogging> all = new ArrayList<>();
        for (EngineMetrics.ProcedureMetrics procedure : metrics.procedures()) {
            Work work = engine.procedures().get(procedure.name());
            for (boolean distributed : new boolean[] {false, true}) {
                engine.loggingStats(procedure.name(), distributed)
                        .filter(stats -> stats.records() > 0)
                        .map(stats -> new ProcedureLogging(
                                procedure.name(), distributed, stats, stats.reason(work.logging())))
                        .ifPresent(all::add);
            }
        }
        return all;
    }

    String partitions() {
        return distributed ? "several" : "one";
    }
}
