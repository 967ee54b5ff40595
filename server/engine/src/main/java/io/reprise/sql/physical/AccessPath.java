package io.reprise.sql.physical;

import io.reprise.catalog.Column;
import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.sql.bind.CatalogSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/**
 * One way to read a table: by scanning it, or by one of its indexes, as far as the predicates allow.
 *
 * @param index empty: a scan
 * @param keys the values of the leading key columns
 * @param lower the range of the key column after those
 * @param upper its other end
 * @param residual the predicates that the access itself does not guarantee
 * @param cost rows looked at, roughly; for comparing
 * @param rows rows found, roughly
 */
record AccessPath(
        Table table,
        Optional<Index> index,
        List<RexNode> keys,
        Optional<PlanNode.Bound> lower,
        Optional<PlanNode.Bound> upper,
        List<RexNode> residual,
        double cost,
        double rows) {
    /** We keep no statistics: every table is taken to have this many rows. */
    static final double ROWS_OF_A_TABLE = CatalogSchema.ROWS_OF_A_TABLE;

    private static final double LOOKUP = 1.0;
    private static final double ORDERED_LOOKUP = 1.5;
    private static final double ROWS_OF_A_KEY = 10;
    private static final double RANGE_END = 0.4;
    private static final double EQUALITY = 0.1;
    private static final double OTHER = 0.5;

    /** Whether at most one row can be found. */
    boolean single() {
        return index.isPresent() && index.get().unique() && isLookup();
    }

    /** Whether all key columns have a value. */
    boolean isLookup() {
        return index.isPresent() && keys.size() == index.get().columns().size();
    }

    /** The key columns after those with a value, in whose order the rows come; empty for scans and lookups. */
    List<Integer> order() {
        return index.isEmpty() || index.get().kind() == Index.Kind.HASH
                ? List.of()
                : index.get()
                        .columns()
                        .subList(keys.size(), index.get().columns().size());
    }

    /** The columns that have the same value in all rows found. */
    List<Integer> constants() {
        return index.isEmpty() ? List.of() : index.get().columns().subList(0, keys.size());
    }

    /** All ways, given predicates in the form that {@link ColumnPredicate} describes. */
    static List<AccessPath> candidates(Table table, List<RexNode> conditions, Expressions expressions) {
        List<ColumnPredicate> predicates = new ArrayList<>();
        for (RexNode condition : conditions) {
            predicates.addAll(ColumnPredicate.of(table, condition, expressions));
        }
        List<AccessPath> paths = new ArrayList<>();
        for (Index index : table.indexes()) {
            AccessPath path = byIndex(table, index, predicates, conditions);
            if (path != null) {
                paths.add(path);
            }
        }
        paths.add(new AccessPath(
                table,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                conditions,
                ROWS_OF_A_TABLE,
                filtered(ROWS_OF_A_TABLE, conditions)));
        return paths;
    }

    private static AccessPath byIndex(
            Table table, Index index, List<ColumnPredicate> predicates, List<RexNode> conditions) {
        Set<RexNode> covered = Collections.newSetFromMap(new IdentityHashMap<>());
        List<RexNode> keys = new ArrayList<>();
        for (int column : index.columns()) {
            ColumnPredicate equal = find(predicates, column, SqlKind.EQUALS, SqlKind.EQUALS);
            if (equal == null) {
                break;
            }
            keys.add(equal.value());
            covered.add(equal.source());
        }
        int columns = index.columns().size();
        if (index.kind() == Index.Kind.HASH && keys.size() < columns) {
            return null;
        }
        Optional<PlanNode.Bound> lower = Optional.empty();
        Optional<PlanNode.Bound> upper = Optional.empty();
        if (keys.size() < columns) {
            int next = index.columns().get(keys.size());
            ColumnPredicate from = find(predicates, next, SqlKind.GREATER_THAN, SqlKind.GREATER_THAN_OR_EQUAL);
            ColumnPredicate to = find(predicates, next, SqlKind.LESS_THAN, SqlKind.LESS_THAN_OR_EQUAL);
            lower = bound(from);
            upper = bound(to);
            if (from != null && from.exact()) {
                covered.add(from.source());
            }
            // Without a lower end the range begins with the NULLs: the predicate has to keep them out.
            Column column = table.columns().get(next);
            if (to != null && to.exact() && (from != null || !column.nullable())) {
                covered.add(to.source());
            }
        }
        List<RexNode> residual =
                conditions.stream().filter(c -> !covered.contains(c)).toList();
        double found = estimate(index, keys.size(), lower.isPresent(), upper.isPresent());
        double start = index.kind() == Index.Kind.HASH ? LOOKUP : ORDERED_LOOKUP;
        boolean unbounded = keys.isEmpty() && lower.isEmpty() && upper.isEmpty();
        double cost = (unbounded ? 2 : 1) * found + start;
        return new AccessPath(table, Optional.of(index), keys, lower, upper, residual, cost, filtered(found, residual));
    }

    private static double estimate(Index index, int keys, boolean lower, boolean upper) {
        int columns = index.columns().size();
        double rows;
        if (keys == columns) {
            rows = index.unique() ? 1 : ROWS_OF_A_KEY;
        } else {
            rows = Math.max(2, Math.pow(ROWS_OF_A_TABLE, 1 - (double) keys / columns));
        }
        if (lower) {
            rows *= RANGE_END;
        }
        if (upper) {
            rows *= RANGE_END;
        }
        return rows;
    }

    private static double filtered(double rows, List<RexNode> residual) {
        double left = rows;
        for (RexNode condition : residual) {
            left *= condition.getKind() == SqlKind.EQUALS ? EQUALITY : OTHER;
        }
        return left;
    }

    private static Optional<PlanNode.Bound> bound(ColumnPredicate predicate) {
        return predicate == null
                ? Optional.empty()
                : Optional.of(new PlanNode.Bound(
                        predicate.value(),
                        predicate.kind() == SqlKind.GREATER_THAN_OR_EQUAL
                                || predicate.kind() == SqlKind.LESS_THAN_OR_EQUAL));
    }

    private static ColumnPredicate find(List<ColumnPredicate> predicates, int column, SqlKind one, SqlKind other) {
        ColumnPredicate best = null;
        for (ColumnPredicate predicate : predicates) {
            if (predicate.column() == column
                    && (predicate.kind() == one || predicate.kind() == other)
                    && (best == null || (predicate.exact() && !best.exact()))) {
                best = predicate;
            }
        }
        return best;
    }
}
