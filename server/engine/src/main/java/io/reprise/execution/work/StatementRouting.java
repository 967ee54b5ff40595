package io.reprise.execution.work;

import io.reprise.execution.deploy.Arguments;
import io.reprise.id.Buckets;
import io.reprise.sql.place.Reach;
import io.reprise.sql.plan.StatementTraits;

/** The place of a statement's execution, as known before it runs. */
enum StatementRouting {
    /** One bucket, given by a parameter or a literal. */
    ONE_BUCKET,
    /** One bucket, given by an expression that only the compiled statement can evaluate. */
    UNKNOWN_BUCKET,
    /** Any partition. */
    ANYWHERE,
    /** All partitions. */
    EVERYWHERE;

    static StatementRouting of(StatementTraits statement) {
        return switch (statement.reach()) {
            case Reach.Any any -> ANYWHERE;
            case Reach.All all -> EVERYWHERE;
            case Reach.Everywhere everywhere -> EVERYWHERE;
            case Reach.Bucket bucket -> bucket.source() instanceof Reach.Source.Computed ? UNKNOWN_BUCKET : ONE_BUCKET;
        };
    }

    /** The bucket for the given arguments; only for {@link #ONE_BUCKET}. */
    static int bucket(Buckets buckets, StatementTraits statement, Arguments arguments) {
        Reach.Bucket reach = (Reach.Bucket) statement.reach();
        return switch (reach.source()) {
            case Reach.Source.Parameter parameter ->
                Routing.bucket(buckets, arguments, parameter.index(), reach.type());
            case Reach.Source.Whole number -> buckets.of(number.value());
            case Reach.Source.Computed computed ->
                throw new IllegalStateException("no plain partitioning value: " + statement.sql());
        };
    }
}
