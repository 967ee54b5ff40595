package io.reprise.sql.place;

import io.reprise.catalog.SqlType;
import java.util.List;
import org.apache.calcite.rex.RexNode;

/** The partitions that a statement has to run in. */
public sealed interface StatementScope {
    /**
     * One bucket: the partitioning columns of all partitioned tables equal this value, an expression over parameters and
     * literals only. Every row read or written lies in the value's bucket, or in replicated tables that are read.
     *
     * @param value the partitioning value
     * @param type the partitioning column's type, which decides how the value is hashed
     * @param others further values, hashed alike, that partitioning columns are bound to: whether they are of the
     *     same bucket is known only when the statement runs, and is checked then; others are refused
     */
    record Key(RexNode value, SqlType type, List<RexNode> others) implements StatementScope {
        /** One value for all tables. */
        public Key(RexNode value, SqlType type) {
            this(value, type, List.of());
        }
    }

    /** Reads replicated tables only (or none): any one partition can run it. */
    record Any() implements StatementScope {}

    /** Reads or writes partitioned tables without pinning one bucket: runs in all partitions, results are merged. */
    record All() implements StatementScope {}

    /** Writes a replicated table: runs alike in all partitions; the result of one of them counts. */
    record Everywhere() implements StatementScope {}
}
