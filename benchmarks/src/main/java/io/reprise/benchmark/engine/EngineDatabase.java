package io.reprise.benchmark.engine;

import io.reprise.engine.Reply;
import io.reprise.engine.Reprise;
import io.reprise.execution.BucketMap;
import io.reprise.procedure.Rows;
import io.reprise.workload.Database;
import io.reprise.workload.Placement;
import io.reprise.workload.ScalarRows;

/**
 * The view of an open engine that loaders and checkers of workloads have.
 */
public final class EngineDatabase implements Database {
    private final Reprise engine;

    /** A view of the engine, which stays the caller's to close. */
    public EngineDatabase(Reprise engine) {
        this.engine = engine;
    }

    @Override
    public Rows call(String procedure, Object... arguments) {
        return rows(engine.call(procedure, arguments));
    }

    @Override
    public Rows query(String sql, Object... arguments) {
        return rows(engine.sql(sql, arguments));
    }

    @Override
    public Placement placement() {
        BucketMap buckets = engine.buckets();
        return new Placement() {
            @Override
            public int partitions() {
                return buckets.partitions();
            }

            @Override
            public int partitionOf(long partitioningValue) {
                return buckets.partition(buckets.bucketOf(partitioningValue));
            }
        };
    }

    private static Rows rows(Reply response) {
        return switch (response.kind()) {
            case NOTHING -> ScalarRows.none();
            case INTEGER, BOOLEAN -> ScalarRows.of(response.longValue());
            case DOUBLE -> ScalarRows.of(response.doubleValue());
            case STRING -> ScalarRows.of(response.stringValue());
            case ROWS -> response.rows();
        };
    }
}
