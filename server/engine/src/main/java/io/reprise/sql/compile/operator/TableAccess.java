package io.reprise.sql.compile.operator;

import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.procedure.LoopGuard;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Loop;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.RowReads;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.emit.TableRow;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Expressions;
import io.reprise.sql.compile.expression.Scope;
import io.reprise.sql.compile.runtime.FieldContent;
import io.reprise.sql.physical.PlanNode.IndexLookup;
import io.reprise.sql.physical.PlanNode.IndexRange;
import io.reprise.sql.physical.PlanNode.Scan;
import io.reprise.storage.RowTeller;
import io.reprise.storage.TableStore;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.index.IndexCursor;
import io.reprise.storage.index.IndexKey;
import io.reprise.storage.index.KeyLayout;
import io.reprise.storage.index.OrderedIndex;
import io.reprise.storage.row.RowLayout;
import java.lang.classfile.Label;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.calcite.rex.RexNode;

/** The leaves of a plan: scans, lookups and ranges. */
public final class TableAccess {
    /** A scan looks at the time limit when it begins, and once in so many rows, a power of two. */
    private static final int ROWS_PER_CHECK = 1024;

    private final Code code;
    private final Expressions expressions;

    public TableAccess(Code code, Expressions expressions) {
        this.code = code;
        this.expressions = expressions;
    }

    public void scan(Scan scan, Scope scope, Consumer<Row> consumer) {
        StatementField table = code.owner().table(scan.table());
        int row = code.newLong();
        int end = code.newLong();
        int seen = code.newInt();
        code.field(table);
        code.call(TableStore.class, "scanStart");
        code.storeLong(row);
        code.field(table);
        code.call(TableStore.class, "scanEnd");
        code.storeLong(end);
        code.setInt(seen, 0);
        code.call(LoopGuard.class, "check");
        Label start = code.newLabel();
        Label next = code.newLabel();
        Label done = code.newLabel();
        Label unchecked = code.newLabel();
        code.bind(start);
        code.loadLong(row);
        code.loadLong(end);
        code.raw().lcmp().ifge(done);
        code.raw().iinc(seen, 1).iload(seen);
        code.push(ROWS_PER_CHECK - 1);
        code.raw().iand().ifne(unchecked);
        code.call(LoopGuard.class, "check");
        code.bind(unchecked);
        code.field(table);
        code.loadLong(row);
        code.call(TableStore.class, "isLive");
        code.raw().ifeq(next);
        RowReads reads = tellRow(scan.table(), row);
        code.conditionally(() ->
                filtered(new TableRow(code, scan.table(), row, reads, false), scan.filter(), scope, next, consumer));
        code.bind(next);
        code.loadLong(row);
        code.push((long) RowLayout.of(scan.table()).size());
        code.raw().ladd();
        code.storeLong(row);
        code.jump(start);
        code.bind(done);
    }

    private void filtered(Row row, Optional<RexNode> filter, Scope scope, Label otherwise, Consumer<Row> consumer) {
        filter.ifPresent(f -> expressions.conditions().jumpUnlessTrue(f, scope.withInput(row), otherwise));
        consumer.accept(row);
    }

    /** Whether the lookup finds at most one row. */
    public static boolean isUnique(IndexLookup lookup) {
        return lookup.index().unique();
    }

    public void lookup(IndexLookup lookup, Scope scope, Consumer<Row> consumer) {
        Label none = code.newLabel();
        code.conditionally(() -> {
            if (isUnique(lookup)) {
                int row = code.newLong();
                RowReads reads = find(lookup.table(), lookup.index(), lookup.keys(), scope, row, none);
                filtered(new TableRow(code, lookup.table(), row, reads, false), lookup.filter(), scope, none, consumer);
            } else {
                StatementField cursor = openLookup(lookup, scope, none);
                iterate(lookup.table(), cursor, lookup.filter(), scope, consumer);
            }
        });
        code.bind(none);
    }

    /** A lookup of at most one row that always passes on a row: one that may be missing. */
    public void lookupOrMissing(IndexLookup lookup, Scope scope, Consumer<TableRow> filterAndConsume) {
        int row = code.newLong();
        int found = code.newLong();
        Label none = code.newLabel();
        code.setLong(row, 0);
        RowReads reads = newReads(lookup.table());
        code.conditionally(() -> {
            find(lookup.table(), lookup.index(), lookup.keys(), scope, found, reads, none);
            filtered(new TableRow(code, lookup.table(), found, reads, false), lookup.filter(), scope, none, r -> {});
            code.loadLong(found);
            code.storeLong(row);
        });
        code.bind(none);
        filterAndConsume.accept(new TableRow(code, lookup.table(), row, reads, true));
    }

    /** Whether {@link #prefetch} can be emitted for the lookup. */
    public static boolean canPrefetch(IndexLookup lookup) {
        KeyLayout layout = KeyLayout.of(lookup.table(), RowLayout.of(lookup.table()), lookup.index());
        return isUnique(lookup) && lookup.index().kind() == Index.Kind.HASH && layout.words() == 1 && !layout.inexact();
    }

    /** Announces the lookup, of which the words in a local will be read; see {@code ReadAhead}. */
    public void prefetch(IndexLookup lookup, Scope scope, int words) {
        Label none = code.newLabel();
        code.conditionally(() -> {
            Keys key = new Keys(code, expressions, lookup.table(), lookup.index());
            List<Value> values = key.emit(lookup.keys(), scope, none);
            code.field(code.owner().index(lookup.table(), lookup.index()));
            key.pushSingleWord(values);
            code.loadLong(words);
            code.call(HashIndex.class, "prefetch", long.class, long.class);
        });
        code.bind(none);
    }

    /** Finds the row with a unique key, into a local; jumps if there is none. */
    private RowReads find(Table table, Index index, List<RexNode> keys, Scope scope, int row, Label none) {
        RowReads reads = newReads(table);
        find(table, index, keys, scope, row, reads, none);
        return reads;
    }

    private void find(Table table, Index index, List<RexNode> keys, Scope scope, int row, RowReads reads, Label none) {
        Keys key = new Keys(code, expressions, table, index);
        List<Value> values = key.emit(keys, scope, none);
        findByValues(table, index, values, row, reads, none);
    }

    /** The same by computed keys. */
    public RowReads findByValues(Table table, Index index, List<Value> values, int row, Label none) {
        RowReads reads = newReads(table);
        findByValues(table, index, values, row, reads, none);
        return reads;
    }

    private void findByValues(Table table, Index index, List<Value> values, int row, RowReads reads, Label none) {
        Keys key = new Keys(code, expressions, table, index);
        StatementField field = code.owner().index(table, index);
        if (index.kind() == Index.Kind.HASH && key.isSingleWord()) {
            code.field(field);
            key.pushSingleWord(values);
            code.call(HashIndex.class, "find", long.class);
        } else {
            StatementField indexKey = key.field();
            key.fill(indexKey, values);
            code.field(field);
            code.field(indexKey);
            code.call(field.type(), "find", IndexKey.class);
        }
        code.storeLong(row);
        code.loadLong(row);
        code.push(0L);
        code.raw().lcmp().ifeq(none);
        tell(reads, row);
    }

    /** The reads of another access to a table; null if the statement does not tell reads. A replicated table is in no footprint. */
    private RowReads newReads(Table table) {
        return code.owner().tellsReads() && !table.replicated() ? new RowReads(table) : null;
    }

    private RowReads tellRow(Table table, int row) {
        RowReads reads = newReads(table);
        tell(reads, row);
        return reads;
    }

    /** Emits the telling of a row that was looked at. */
    private void tell(RowReads reads, int row) {
        if (reads != null) {
            // Code behind this adds columns to the reads.
            StatementField teller = code.owner()
                    .fieldOfWhole(
                            "teller", RowTeller.class, () -> new FieldContent.Teller(reads.tableId(), reads.mask()));
            code.field(teller);
            code.loadLong(row);
            code.call(RowTeller.class, "tell");
        }
    }

    private StatementField openLookup(IndexLookup lookup, Scope scope, Label none) {
        Keys keys = new Keys(code, expressions, lookup.table(), lookup.index());
        List<Value> values = keys.emit(lookup.keys(), scope, none);
        StatementField key = keys.field();
        keys.fill(key, values);
        StatementField cursor = newCursor();
        StatementField index = code.owner().index(lookup.table(), lookup.index());
        code.field(index);
        code.field(key);
        if (lookup.index().kind() == Index.Kind.HASH) {
            code.field(cursor);
            code.call(HashIndex.class, "open");
        } else {
            int columns = lookup.index().columns().size();
            code.push(columns);
            code.push(1);
            code.field(key);
            code.push(columns);
            code.push(1);
            code.push(0);
            code.field(cursor);
            code.call(OrderedIndex.class, "open");
        }
        return cursor;
    }

    private StatementField newCursor() {
        return code.owner().field("cursor", IndexCursor.class, new FieldContent.Cursor());
    }

    private void iterate(
            Table table, StatementField cursor, Optional<RexNode> filter, Scope scope, Consumer<Row> consumer) {
        int row = code.newLong();
        Loop loop = new Loop(code);
        code.field(cursor);
        code.call(IndexCursor.class, "next");
        code.storeLong(row);
        code.loadLong(row);
        code.push(0L);
        code.raw().lcmp().ifeq(loop.end());
        Label next = code.newLabel();
        loop.body(() -> {
            RowReads reads = tellRow(table, row);
            filtered(new TableRow(code, table, row, reads, false), filter, scope, next, consumer);
        });
        code.bind(next);
        loop.close();
    }

    public void range(IndexRange range, Scope scope, Consumer<Row> consumer) {
        Label none = code.newLabel();
        code.conditionally(() -> {
            StatementField cursor = openRange(range, scope, none);
            iterate(range.table(), cursor, range.filter(), scope, consumer);
        });
        code.bind(none);
    }

    private StatementField openRange(IndexRange range, Scope scope, Label none) {
        Keys keys = new Keys(code, expressions, range.table(), range.index());
        List<Value> equal = keys.emit(range.equal(), scope, none);
        int prefix = equal.size();
        boolean excludeNull = range.lower().isEmpty() && range.upper().isPresent() && isNullable(range, prefix);
        Optional<Keys.End> lowerEnd = range.lower().map(bound -> keys.emitEnd(bound, true, prefix, scope, none));
        Optional<Keys.End> upperEnd = range.upper().map(bound -> keys.emitEnd(bound, false, prefix, scope, none));
        List<Value> lower = withEnd(equal, lowerEnd);
        List<Value> upper = withEnd(equal, upperEnd);
        StatementField lowerKey = keys.field();
        StatementField upperKey = keys.field();
        keys.fill(lowerKey, lower);
        keys.fill(upperKey, upper);
        StatementField cursor = newCursor();
        code.field(code.owner().index(range.table(), range.index()));
        code.field(lowerKey);
        code.push(excludeNull ? prefix + 1 : lower.size());
        pushInclusive(lowerEnd, !excludeNull);
        code.field(upperKey);
        code.push(upper.size());
        pushInclusive(upperEnd, true);
        code.push(range.descending() ? 1 : 0);
        code.field(cursor);
        code.call(OrderedIndex.class, "open");
        return cursor;
    }

    /** NULL sorts first, so a range without lower bound must leave it out. */
    private static boolean isNullable(IndexRange range, int keyColumn) {
        int column = range.index().columns().get(keyColumn);
        return range.table().columns().get(column).nullable();
    }

    private static List<Value> withEnd(List<Value> equal, Optional<Keys.End> end) {
        if (end.isEmpty()) {
            return equal;
        }
        List<Value> values = new ArrayList<>(equal);
        values.add(end.get().value());
        return values;
    }

    private void pushInclusive(Optional<Keys.End> end, boolean otherwise) {
        if (end.isPresent()) {
            code.loadInt(end.get().inclusive());
        } else {
            code.push(otherwise ? 1 : 0);
        }
    }
}
