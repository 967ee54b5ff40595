package io.reprise.sql.compile;

import io.reprise.sql.plan.StatementPlan;
import io.reprise.storage.PartitionStore;

/** A compiled statement's class; makes the instances that partitions run. */
public final class StatementFactory {
    /** Compiles a plan. */
    public static StatementFactory compile(StatementPlan plan) {
        throw new UnsupportedOperationException();
    }

    public StatementPlan plan() {
        throw new UnsupportedOperationException();
    }

    /** An instance bound to a partition's tables. */
    public CompiledStatement create(PartitionStore store) {
        throw new UnsupportedOperationException();
    }
}
