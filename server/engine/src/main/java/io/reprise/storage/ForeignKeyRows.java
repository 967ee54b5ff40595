package io.reprise.storage;

import io.reprise.catalog.ChildSearch;
import io.reprise.catalog.Index;
import io.reprise.procedure.LoopGuard;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.index.IndexCursor;
import io.reprise.storage.index.IndexKey;
import io.reprise.storage.index.KeyLayout;
import io.reprise.storage.index.OrderedIndex;
import io.reprise.storage.index.RowIndex;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The rows of one foreign key in one partition: finds a child's parent, and the children of a parent's key. Owned by the partition's
 * holder. Bound to indexes, so it is made again when one of its tables changes.
 */
final class ForeignKeyRows {
    /** A search looks at the time limit once in so many rows, a power of two. */
    private static final int ROWS_PER_CHECK = 1024;

    final ForeignKeyRule rule;
    final TableStore child;
    final TableStore parent;
    private final PartitionStore store;
    private final Memory memory;

    /** The values that are looked for: words, or references to strings; by the key's columns. */
    final long[] values;

    private final RowIndex parentIndex;
    private final IndexKey parentKey;

    /** For each column of the parent's index its place in the foreign key. */
    private final int[] parentPlaces;

    /** Null for a scan. */
    private final RowIndex childIndex;

    private final IndexKey childKey;
    private final int[] childPlaces;
    private final IndexCursor cursor = new IndexCursor();
    private final long readOfChild;

    /** Whether the child's index can't have the values. */
    private boolean outOfRange;

    /** The row that a scan gives next. */
    private long scanned;

    private int seen;

    ForeignKeyRows(PartitionStore store, ForeignKeyRule rule) {
        this.store = store;
        this.rule = rule;
        memory = store.memory();
        child = store.table(rule.child());
        parent = store.table(rule.parent());
        values = new long[rule.childColumns().length];
        parentIndex = parent.rowIndex(parentIndex().position());
        parentKey = new IndexKey(parentIndex.layout());
        parentPlaces = places(parentIndex, parentIndex.layout().columns(), rule.parentColumns());
        ChildSearch search = ChildSearch.of(
                child.table(), Arrays.stream(rule.childColumns()).boxed().toList());
        childIndex =
                search.index().map(index -> child.rowIndex(index.position())).orElse(null);
        childKey = childIndex == null ? null : new IndexKey(childIndex.layout());
        childPlaces = childIndex == null ? null : places(childIndex, search.columns(), rule.childColumns());
        long read = child.masks().indexed();
        for (int column : rule.childColumns()) {
            read |= child.masks().column(column);
        }
        readOfChild = read;
    }

    /** The unique index over the key's columns; one that finds a row in one step is preferred. */
    private Index parentIndex() {
        Index found = null;
        for (Index index : parent.table().indexes()) {
            boolean fits = index.unique()
                    && index.columns().size() == rule.parentColumns().length
                    && Arrays.stream(rule.parentColumns())
                            .allMatch(column -> index.columns().contains(column));
            if (fits && (found == null || index.kind() == Index.Kind.HASH && found.kind() != Index.Kind.HASH)) {
                found = index;
            }
        }
        if (found == null) {
            throw new IllegalStateException("foreign key " + rule.name() + " has no unique index at table "
                    + parent.table().name());
        }
        return found;
    }

    private static int[] places(RowIndex index, int count, int[] columns) {
        return IntStream.range(0, count)
                .map(i -> IntStream.range(0, columns.length)
                        .filter(place -> columns[place] == index.layout().column(i))
                        .findFirst()
                        .orElseThrow())
                .toArray();
    }

    /** Whether a child's row has a parent, or needs none because a column of its key is NULL. */
    boolean hasParent(long row) {
        for (int place = 0; place < values.length; place++) {
            int column = rule.childColumns()[place];
            if (child.layout().isNull(memory, row, column)) {
                return true;
            }
            values[place] = read(child, row, column);
        }
        return findParent();
    }

    /** Whether there is a parent with the values. */
    boolean findParent() {
        if (!fill(parentIndex.layout(), parentKey, parentPlaces)) {
            return false;
        }
        long row = parentIndex instanceof HashIndex hash
                ? hash.find(parentKey)
                : ((OrderedIndex) parentIndex).find(parentKey);
        if (row == 0) {
            return false;
        }
        store.tellRead(parent, row, parent.masks().indexed());
        return true;
    }

    private long read(TableStore table, long row, int column) {
        RowLayout layout = table.layout();
        return layout.kind(column).isString()
                ? layout.readString(memory, row, column)
                : layout.readWord(memory, row, column);
    }

    /** Fills an index's key; false if a value is out of its column's range, so that no row has it. */
    private boolean fill(KeyLayout layout, IndexKey key, int[] places) {
        layout.clear(key);
        for (int i = 0; i < places.length; i++) {
            long value = values[places[i]];
            if (layout.isString(i)) {
                layout.putString(memory, key, i, value);
            } else {
                int above = Long.SIZE - layout.bits(i);
                if (value << above >> above != value) {
                    return false;
                }
                layout.put(key, i, value);
            }
        }
        return true;
    }

    /**
     * Reads the key that a parent's row had before a write into the values.
     *
     * @param image the row as far as it was saved, as if it began at its beginning
     * @param from the offset of the first byte that was saved
     * @param to the offset behind the last one
     * @return false if a column was NULL, so that no child named the row
     */
    boolean readParentKey(long row, long image, int from, int to) {
        RowLayout layout = parent.layout();
        for (int place = 0; place < values.length; place++) {
            int column = rule.parentColumns()[place];
            int nullByte = layout.nullByte(column);
            if (nullByte >= 0 && layout.isNull(memory, nullByte >= from && nullByte < to ? image : row, column)) {
                return false;
            }
            int offset = layout.offset(column);
            values[place] = read(parent, offset >= from && offset < to ? image : row, column);
        }
        return true;
    }

    /** Whether a row of a table has the values in these columns. */
    private boolean matches(TableStore table, long row, int[] columns) {
        RowLayout layout = table.layout();
        for (int place = 0; place < values.length; place++) {
            int column = columns[place];
            if (layout.isNull(memory, row, column)) {
                return false;
            }
            long value = read(table, row, column);
            if (layout.kind(column).isString()) {
                long wanted = values[place];
                if (memory.compare(Ref.address(value), Ref.length(value), Ref.address(wanted), Ref.length(wanted))
                        != 0) {
                    return false;
                }
            } else if (value != values[place]) {
                return false;
            }
        }
        return true;
    }

    /** Whether a child's row has the values. */
    boolean childMatches(long row) {
        return matches(child, row, rule.childColumns());
    }

    /** Whether a parent's row has the values. */
    boolean parentMatches(long row) {
        return matches(parent, row, rule.parentColumns());
    }

    /** Begins to look for the children that have the values. */
    void openChildren() {
        if (childIndex == null) {
            scanned = child.first();
            return;
        }
        outOfRange = !fill(childIndex.layout(), childKey, childPlaces);
        if (outOfRange) {
            return;
        }
        if (childIndex instanceof HashIndex hash) {
            hash.open(childKey, cursor);
        } else {
            int columns = childPlaces.length;
            ((OrderedIndex) childIndex).open(childKey, columns, true, childKey, columns, true, false, cursor);
        }
    }

    /** The next of these children, or 0. The table must not change meanwhile. */
    long nextChild() {
        while (true) {
            long row = nextCandidate();
            if (row == 0) {
                return 0;
            }
            if ((++seen & ROWS_PER_CHECK - 1) == 0) {
                LoopGuard.check();
            }
            store.tellRead(child, row, readOfChild);
            if (childMatches(row)) {
                return row;
            }
        }
    }

    private long nextCandidate() {
        if (childIndex != null) {
            return outOfRange ? 0 : cursor.next();
        }
        long row = scanned;
        scanned = row == 0 ? 0 : child.next(row);
        return row;
    }
}
