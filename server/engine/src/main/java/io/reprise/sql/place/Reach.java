package io.reprise.sql.place;

import io.reprise.catalog.SqlType;

/**
 * The partitions that a statement reaches, as its routing needs to know them: a {@link StatementScope} without the planner's
 * expressions. {@link Reaches} derives it from a scope.
 */
public sealed interface Reach {
    /** Any partition, because it reads replicated tables at most. */
    record Any() implements Reach {}

    /** All partitions, whose results are merged. */
    record All() implements Reach {}

    /** All partitions alike, because it writes a replicated table. */
    record Everywhere() implements Reach {}

    /**
     * One bucket.
     *
     * @param source the origin of the partitioning value
     * @param type the partitioning column's type, which decides how the value is hashed
     * @param wholeParameter the parameter whose value, a whole number, is the partitioning value itself; or -1
     */
    record Bucket(Source source, SqlType type, int wholeParameter) implements Reach {}

    /** The origin of a partitioning value. */
    sealed interface Source {
        /** A parameter, whose values mean the same bucket as the column's. */
        record Parameter(int index) implements Source {}

        /** A whole number. */
        record Whole(long value) implements Source {}

        /** An expression that only the compiled statement evaluates. */
        record Computed() implements Source {}
    }
}
