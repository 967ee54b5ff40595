package io.reprise.benchmark.engine;

import io.reprise.execution.BucketMap;
import io.reprise.id.Buckets;
import io.reprise.node.Reprise;
import io.reprise.node.Response;
import io.reprise.procedure.Rows;
import io.reprise.workload.Database;
import io.reprise.workload.Placement;
import io.reprise.workload.ScalarRows;

/** The embedded engine as loaders and checkers see it. */
final class EngineDatabase implements Database {
    private final Reprise engine;

    EngineDatabase(Reprise engine) {
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
        return placement(engine.buckets());
    }

    static Placement placement(BucketMap buckets) {
        return new Placement() {
            @Override
            public int partitions() {
                return buckets.partitions();
            }

            @Override
            public int partitionOf(long partitioningValue) {
                return buckets.partition(Buckets.of(partitioningValue));
            }
        };
    }

    private static Rows rows(Response response) {
        return switch (response.kind()) {
            case NOTHING -> ScalarRows.none();
            case INTEGER, BOOLEAN -> ScalarRows.of(response.longValue());
            case DOUBLE -> ScalarRows.of(response.doubleValue());
            case STRING -> ScalarRows.of(response.stringValue());
            case ROWS -> response.rows();
        };
    }
}
