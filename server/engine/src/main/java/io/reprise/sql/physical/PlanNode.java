package io.reprise.sql.physical;

import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.sql.bind.OnConflict;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.rex.RexNode;

/**
 * A physical operator. An operator's expressions refer to the fields of its input (for a leaf: to the table's columns by
 * position) with {@code RexInputRef}, to parameters with {@code RexDynamicParam}, and, inside the inner side of a {@link
 * NestedLoopJoin}, to the outer row with {@code RexFieldAccess} of a {@code RexCorrelVariable} whose name is the join's
 * {@code correlation}. Predicates are true or not: NULL counts as not true.
 *
 * <p>Expressions are in a normal form: no {@code RexSubQuery}, no {@code RexOver}, {@code SEARCH} expanded.
 */
public sealed interface PlanNode {
    /** The columns of the rows that it produces. */
    List<PlanField> fields();

    /** Reads all rows of a table. */
    record Scan(Table table, Optional<RexNode> filter, List<PlanField> fields) implements PlanNode {}

    /** Reads the rows that equal all key columns of an index; {@code keys} in key order, cast to the column's type. */
    record IndexLookup(Table table, Index index, List<RexNode> keys, Optional<RexNode> filter, List<PlanField> fields)
            implements PlanNode {}

    /**
     * Reads a range of an ordered index: the first key columns equal {@code equal}; the next key column is within the
     * bounds. A NULL key or bound finds nothing.
     */
    record IndexRange(
            Table table,
            Index index,
            List<RexNode> equal,
            Optional<Bound> lower,
            Optional<Bound> upper,
            boolean descending,
            Optional<RexNode> filter,
            List<PlanField> fields)
            implements PlanNode {}

    /** One end of a range. */
    record Bound(RexNode value, boolean inclusive) {}

    /** Rows computed from expressions without input (INSERT ... VALUES, SELECT without FROM). */
    record Values(List<List<RexNode>> rows, List<PlanField> fields) implements PlanNode {}

    /** The numbers from the first to the last, or none if any of the three is NULL; all have the field's type. */
    record Series(RexNode start, RexNode stop, RexNode step, List<PlanField> fields) implements PlanNode {}

    /** The elements of an array and their numbers, from 1; none if it is NULL. */
    record Elements(RexNode array, List<PlanField> fields) implements PlanNode {}

    /**
     * WITH RECURSIVE: the rows of the first part, and those that the step finds from the rows found last, until it finds none. They come in
     * the order in which they are found.
     *
     * @param number of the recursion within its plan, by which {@link WorkTable} refers to it
     * @param distinct whether each row is given, and passed on to the next step, once
     */
    record Recursion(int number, PlanNode first, PlanNode step, boolean distinct, List<PlanField> fields)
            implements PlanNode {}

    /** In the step of a recursion: the rows found last. */
    record WorkTable(int number, String name, List<PlanField> fields) implements PlanNode {}

    /** In a merge plan: the rows that the fragments of all partitions produced, partition by partition. */
    record Gathered(List<PlanField> fields) implements PlanNode {}

    /** Passes on the rows for which the condition is true. */
    record Filter(PlanNode input, RexNode condition) implements PlanNode {
        @Override
        public List<PlanField> fields() {
            return input.fields();
        }
    }

    /**
     * Passes on the rows that this partition has to answer for: those where the value of a field belongs to a bucket of
     * its own. Of rows that all partitions have alike, each is so taken once. For {@code table}, whose rows with that
     * value are then in the same partition.
     */
    record Owned(PlanNode input, int field, Table table) implements PlanNode {
        @Override
        public List<PlanField> fields() {
            return input.fields();
        }
    }

    /**
     * Runs its input only if a condition over outer rows is true, and gives no rows otherwise: a branch that is not
     * taken is not computed, and can't fail.
     */
    record Guard(PlanNode input, RexNode condition) implements PlanNode {
        @Override
        public List<PlanField> fields() {
            return input.fields();
        }
    }

    /** Computes new rows. */
    record Project(PlanNode input, List<RexNode> expressions, List<PlanField> fields) implements PlanNode {}

    /**
     * For each outer row runs the inner side. INNER and LEFT produce outer ++ inner columns (LEFT: inner columns NULL
     * where nothing matched), SEMI and ANTI the outer columns. {@code condition} refers to outer ++ inner fields. With {@code
     * everyRow} SEMI and ANTI compute the condition for every inner row, though the first that matches decides.
     */
    record NestedLoopJoin(
            PlanNode outer,
            PlanNode inner,
            JoinKind kind,
            Optional<RexNode> condition,
            String correlation,
            List<PlanField> fields,
            boolean everyRow)
            implements PlanNode {
        /** A join that stops looking where it can. */
        public NestedLoopJoin(
                PlanNode outer,
                PlanNode inner,
                JoinKind kind,
                Optional<RexNode> condition,
                String correlation,
                List<PlanField> fields) {
            this(outer, inner, kind, condition, correlation, fields, false);
        }
    }

    /** The kinds of join. */
    enum JoinKind {
        INNER,
        LEFT,
        SEMI,
        ANTI
    }

    /** Computes its input once per execution of the statement, and replays it each time it is run. Not correlated. */
    record Materialize(PlanNode input) implements PlanNode {
        @Override
        public List<PlanField> fields() {
            return input.fields();
        }
    }

    /**
     * Groups by the values of input fields (NULLs are equal) and computes aggregates. Produces the group fields, then the
     * aggregates; groups in the order of their first row. Without group fields exactly one row, also for empty input.
     */
    record Aggregate(PlanNode input, List<Integer> groupBy, List<AggregateCall> calls, List<PlanField> fields)
            implements PlanNode {}

    /**
     * One aggregate. SUM0 is SUM with 0 instead of NULL; SINGLE is the value of the only row, NULL without rows and the
     * error CARDINALITY with more.
     *
     * <p>An exact sum, also that of AVG, is out of range or not whatever the order of its rows: it is kept in two words. A part
     * of one that is to be added to others is given in two fields, SUM_LOW, which is NULL as the sum is, and SUM_HIGH.
     *
     * @param high of SUM, SUM0 and AVG: the field with the high words of the sums that are summed up, whose low words are the
     *     argument
     * @param count of AVG: the field that tells of how many values these are the sums
     * @param separator of STRING_AGG: the field whose string precedes the value, except for the first one
     */
    record AggregateCall(
            Function function,
            OptionalInt argument,
            boolean distinct,
            OptionalInt filter,
            OptionalInt high,
            OptionalInt count,
            OptionalInt separator) {
        /** One that doesn't add sums up. */
        public AggregateCall(Function function, OptionalInt argument, boolean distinct, OptionalInt filter) {
            this(function, argument, distinct, filter, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
        }

        /** The aggregate functions; AVG is of exact numbers, that of DOUBLEs is computed as SUM over COUNT. */
        public enum Function {
            COUNT,
            AVG,
            SUM,
            SUM0,
            SUM_LOW,
            SUM_HIGH,
            MIN,
            MAX,
            SINGLE,
            STRING_AGG,
            VAR_POP,
            VAR_SAMP,
            STDDEV_POP,
            STDDEV_SAMP;

            /** Whether it is a variance or the root of one. */
            public boolean isVariance() {
                return compareTo(VAR_POP) >= 0;
            }
        }
    }

    /**
     * Window functions over one division and order of the rows. Produces the rows of its input, partition by partition in that order,
     * each with the functions' values behind its fields. Rows that the order doesn't tell apart keep the input's sequence.
     */
    record Window(
            PlanNode input,
            List<Integer> partitionBy,
            List<SortKey> orderBy,
            List<WindowCall> calls,
            List<PlanField> fields)
            implements PlanNode {}

    /** One window function; its arguments are fields. */
    record WindowCall(WindowFunction function, List<Integer> arguments, Frame frame) {}

    /** The window functions; SUM0 is SUM with 0 instead of NULL. */
    enum WindowFunction {
        ROW_NUMBER,
        RANK,
        DENSE_RANK,
        PERCENT_RANK,
        CUME_DIST,
        NTILE,
        LAG,
        LEAD,
        FIRST_VALUE,
        LAST_VALUE,
        NTH_VALUE,
        COUNT,
        SUM,
        SUM0,
        AVG,
        MIN,
        MAX;

        /** Whether a function looks at the rows of its frame, and not at the whole partition. */
        public boolean hasFrame() {
            return compareTo(FIRST_VALUE) >= 0;
        }
    }

    /**
     * The rows of a partition that a window function sees from the current one.
     *
     * @param rows whether bounds count rows; otherwise the current row stands for all rows that the order doesn't tell from it
     */
    record Frame(boolean rows, FrameBound lower, FrameBound upper) {}

    /**
     * One end of a frame.
     *
     * @param offset the field with the number of rows, of PRECEDING and FOLLOWING
     */
    record FrameBound(Kind kind, OptionalInt offset) {
        /** The kinds of ends. */
        public enum Kind {
            UNBOUNDED_PRECEDING,
            PRECEDING,
            CURRENT_ROW,
            FOLLOWING,
            UNBOUNDED_FOLLOWING
        }
    }

    /** Sorts; with {@code fetch}, keeps only the first rows while sorting (top-n). */
    record Sort(PlanNode input, List<SortKey> keys, Optional<RexNode> offset, Optional<RexNode> fetch)
            implements PlanNode {
        @Override
        public List<PlanField> fields() {
            return input.fields();
        }
    }

    /** A field to sort by. */
    record SortKey(int field, boolean descending, boolean nullsFirst) {}

    /** Skips and stops. */
    record Limit(PlanNode input, Optional<RexNode> offset, Optional<RexNode> fetch) implements PlanNode {
        @Override
        public List<PlanField> fields() {
            return input.fields();
        }
    }

    /** All rows of all inputs, one input after the other. */
    record UnionAll(List<PlanNode> inputs, List<PlanField> fields) implements PlanNode {}

    /**
     * An operator that changes a table. It produces the count, or, with {@code returning}, a row for each row that it has written:
     * expressions over the table's columns, of the new row, or of the old one where it is deleted.
     */
    sealed interface Write extends PlanNode permits Insert, Update, Delete, Truncate {
        /** The table that it changes. */
        Table table();

        /** The values of a written row that are returned; none: the count is. */
        default List<RexNode> returning() {
            return List.of();
        }

        /** The checks that a written row must pass. */
        default List<RowCheck> checks() {
            return List.of();
        }
    }

    /**
     * A CHECK constraint over the table's columns.
     *
     * @param name the constraint's
     * @param text the condition as it was declared
     * @param condition true unless the row violates the constraint
     */
    record RowCheck(String name, String text, RexNode condition) {}

    /**
     * The change of a row that exists, of DO UPDATE: expressions over the table's columns, of the row that exists, and behind them those of
     * the inserted row.
     *
     * @param values by the columns that are set; none: each column gets the inserted row's value
     * @param condition a row for which it is not true stays as it is
     */
    record ConflictUpdate(List<RexNode> values, Optional<RexNode> condition) {
        /** The inserted row's values. */
        public static final ConflictUpdate OF_INSERTED = new ConflictUpdate(List.of(), Optional.empty());
    }

    /**
     * Inserts the input's rows; its fields are the table's columns in order, cast to their types.
     *
     * @param onConflict the reaction to a row whose primary key exists
     * @param named the columns that are set in such a row, by position
     * @param update the values that they get; none: those of the inserted row
     * @param checks see {@link Write}
     * @param onlyOwned leave out rows whose bucket this partition does not own (statements that run in all partitions)
     * @param returning see {@link Write}
     * @param fields those of the returned values; of a numbered insert, with the row's number behind them
     */
    record Insert(
            Table table,
            PlanNode input,
            OnConflict onConflict,
            List<Integer> named,
            ConflictUpdate update,
            List<RowCheck> checks,
            boolean onlyOwned,
            List<RexNode> returning,
            List<PlanField> fields)
            implements Write {
        /** Whether a row whose primary key exists is no error. */
        public boolean upsert() {
            return onConflict != OnConflict.FAIL;
        }

        /** Whether each returned row ends with its number among the input's rows, by which partitions' rows are merged. */
        public boolean numbered() {
            return !returning.isEmpty() && fields.size() > returning.size();
        }
    }

    /**
     * Updates the rows of {@code table} that the input finds: the leftmost leaf of the input reads the table. {@code
     * columns} get the values of {@code expressions} over the input's fields.
     */
    record Update(
            Table table,
            PlanNode input,
            List<Integer> columns,
            List<RexNode> expressions,
            List<RowCheck> checks,
            List<RexNode> returning,
            List<PlanField> fields)
            implements Write {}

    /** Deletes the rows of {@code table} that the input finds, as {@link Update} does. */
    record Delete(Table table, PlanNode input, List<RexNode> returning, List<PlanField> fields) implements Write {}

    /** Deletes all rows. Produces the count. */
    record Truncate(Table table, List<PlanField> fields) implements Write {}
}
