package io.reprise.storage.index;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.RowSpace;
import java.util.Arrays;

/**
 * An iteration over an index, reused without allocation: one for each place in a plan. The index must not change while
 * one is in use: plans that write collect the rows first. The bounds' keys must not change either.
 *
 * <p>In a tree, holds the current leaf's row numbers as a range of addresses. Whether the leaf ends the range is decided once for
 * each leaf, so a step is a load and an addition. From a hash table, holds the few rows that were found.
 */
public final class IndexCursor {
    private Memory memory;
    private RowSpace rows;
    private long at;
    private int step;
    private int left;
    private long[] found = new long[1];
    private long[] foundIds = new long[1];
    private int foundCount;
    private int foundAt;

    private BTree tree;
    private int nextLeaf;
    private boolean descending;
    private IndexKey stop;
    private int stopColumns;
    private boolean stopInclusive;

    private KeyLayout verifyLayout;
    private IndexKey verifyKey;

    /** A cursor that has nothing to give until an index opens it. */
    public IndexCursor() {}

    /** The next row, or 0. */
    public long next() {
        while (true) {
            if (left == 0) {
                if (nextLeaf == 0) {
                    return foundAt < foundCount ? found[foundAt++] : 0;
                }
                enterNextLeaf();
            } else {
                long row = rows.address(memory.getInt(at));
                at += step;
                left--;
                if (verifyKey == null || verifyLayout.matches(memory, row, verifyKey)) {
                    return row;
                }
            }
        }
    }

    /** Nothing so far. */
    void openEmpty() {
        left = 0;
        nextLeaf = 0;
        foundCount = 0;
        foundAt = 0;
    }

    /** Adds a row to those that it gives, in the order of their ids. */
    void add(long row, long rowId) {
        if (foundCount == found.length) {
            found = Arrays.copyOf(found, SharedKeys.MOST_TOGETHER);
            foundIds = Arrays.copyOf(foundIds, SharedKeys.MOST_TOGETHER);
        }
        int slot = foundCount++;
        for (; slot > 0 && foundIds[slot - 1] > rowId; slot--) {
            found[slot] = found[slot - 1];
            foundIds[slot] = foundIds[slot - 1];
        }
        found[slot] = row;
        foundIds[slot] = rowId;
    }

    /** The rows of a tree from a bound in the direction of the iteration until {@code stop}; 0 columns: unbounded. */
    void openRange(
            BTree source,
            IndexKey start,
            int startColumns,
            boolean startInclusive,
            IndexKey end,
            int endColumns,
            boolean endInclusive,
            boolean backwards) {
        tree = source;
        memory = source.memory;
        rows = source.rows;
        descending = backwards;
        step = backwards ? -4 : 4;
        stop = end;
        stopColumns = endColumns;
        stopInclusive = endInclusive;
        verifyKey = null;
        openEmpty();
        if (source.root == 0) {
            return;
        }
        boolean bounded = startColumns > 0;
        boolean orEqual = startInclusive == backwards;
        if (bounded) {
            source.probe.forPrefix(start, startColumns);
        }
        int node = source.leafFor(bounded, orEqual, backwards);
        long leaf = source.nodes.address(node);
        int count = source.nodes.count(leaf);
        int slot = bounded ? source.probe.search(leaf, count, true, orEqual) : backwards ? count : 0;
        enter(leaf, slot);
    }

    /** Leaves out rows that don't have this key. */
    void verify(KeyLayout layout, IndexKey key) {
        verifyLayout = layout;
        verifyKey = key;
    }

    private void enterNextLeaf() {
        long leaf = tree.nodes.address(nextLeaf);
        enter(leaf, descending ? tree.nodes.count(leaf) : 0);
    }

    /** Takes the leaf's rows from the slot on (descending: before the slot) as far as they are within the bound. */
    private void enter(long leaf, int slot) {
        TreeNodes nodes = tree.nodes;
        int count = nodes.count(leaf);
        if (descending) {
            nextLeaf = nodes.previous(leaf);
            int end = 0;
            if (stopColumns > 0) {
                tree.probe.forPrefix(stop, stopColumns);
                end = tree.probe.search(leaf, count, true, !stopInclusive);
            }
            left = Math.max(0, slot - end);
            at = leaf + nodes.leafRows + (slot - 1) * 4L;
            if (end > 0) {
                nextLeaf = 0;
            }
        } else {
            nextLeaf = nodes.next(leaf);
            int end = count;
            if (stopColumns > 0) {
                tree.probe.forPrefix(stop, stopColumns);
                end = tree.probe.search(leaf, count, true, stopInclusive);
            }
            left = Math.max(0, end - slot);
            at = leaf + nodes.leafRows + slot * 4L;
            if (end < count) {
                nextLeaf = 0;
            }
        }
    }
}
