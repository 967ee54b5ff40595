package io.reprise.storage.index;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowSpace;
import java.util.Arrays;

/**
 * The target of a search in a {@link BTree}, and the search in its nodes. Nothing here depends on the tree's shape,
 * and only the target changes. Owned by the partition's thread, as the tree is.
 */
final class TreeProbe {
    private final Memory memory;
    private final RowSpace rows;
    private final TreeNodes nodes;
    private final KeyLayout layout;
    private final int keyWords;
    private final boolean withRowId;
    private final boolean inexact;

    /** By word of a key: the string that ends in it, or -1. */
    private final int[] stringEnd;

    /** Set for ever once a string with a zero byte has been entered: only then can zero padding be ambiguous. */
    private boolean zeroBytes;

    private IndexKey key;
    private boolean keyZeroBytes;
    private long rowId;
    private int row;
    private int lastWord;
    private long lastMask;
    private boolean compareRowId;

    TreeProbe(Memory memory, RowSpace rows, TreeNodes nodes, KeyLayout layout, boolean withRowId, boolean inexact) {
        this.memory = memory;
        this.rows = rows;
        this.nodes = nodes;
        this.layout = layout;
        this.withRowId = withRowId;
        this.inexact = inexact;
        keyWords = layout.words();
        stringEnd = new int[keyWords];
        Arrays.fill(stringEnd, -1);
        for (int i = 0; inexact && i < layout.columns(); i++) {
            if (layout.isString(i)) {
                stringEnd[layout.word(i) + 1] = i;
            }
        }
    }

    /** The i-th word of what is looked for. */
    long word(int i) {
        return key.words[i];
    }

    long rowId() {
        return rowId;
    }

    /** The number of the row that is looked for, or -1. */
    int row() {
        return row;
    }

    /** The target is going to be entered. */
    void enters() {
        zeroBytes = keyZeroBytes;
    }

    /** Looks for whole keys: the words, and the row id where the tree has it. */
    void forRow(IndexKey of, long withId, long address) {
        key = of;
        rowId = withId;
        row = address == 0 ? -1 : rows.number(address);
        lastWord = keyWords - 1;
        lastMask = -1;
        compareRowId = withRowId;
        if (inexact) {
            keyZeroBytes = zeroBytes || hasZeroBytes();
        }
    }

    /** Looks for the first columns of keys. */
    void forPrefix(IndexKey of, int columns) {
        key = of;
        row = -1;
        lastWord = layout.prefixWord(columns);
        lastMask = layout.prefixMask(columns);
        compareRowId = false;
        if (inexact) {
            keyZeroBytes = zeroBytes || hasZeroBytes();
        }
    }

    private boolean hasZeroBytes() {
        for (int i = 0; i < layout.columns(); i++) {
            if (layout.isString(i) && hasZeroByte(i)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a zero byte is among those bytes of the key's string that are in its words. */
    private boolean hasZeroByte(int keyColumn) {
        int length = Ref.length(key.refs[keyColumn]);
        int at = layout.word(keyColumn);
        return hasZeroByte(key.words[at], Math.min(length, 8))
                || hasZeroByte(key.words[at + 1], Math.min(length - 8, 8));
    }

    private static boolean hasZeroByte(long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            if ((value >>> (56 - 8 * i) & 0xFF) == 0) {
                return true;
            }
        }
        return false;
    }

    /** Compares a stored key (of the given row) with what is looked for. */
    int compare(long stored, int storedRow) {
        if (inexact && storedRow == row) {
            return 0;
        }
        long[] words = key.words;
        for (int i = 0; i <= lastWord; i++) {
            long mask = i == lastWord ? lastMask : -1L;
            long a = memory.getLong(stored + i * 8L) & mask;
            long b = words[i] & mask;
            if (a != b) {
                return Long.compareUnsigned(a, b);
            }
            int string = stringEnd[i];
            if (string >= 0 && ((b & 0xFF) != 0 || keyZeroBytes)) {
                int difference = layout.compareString(memory, rows.address(storedRow), key, string);
                if (difference != 0) {
                    return difference;
                }
            }
        }
        return compareRowId ? Long.compareUnsigned(memory.getLong(stored + keyWords * 8L), rowId) : 0;
    }

    /** The number of keys in the node that are less than the target ({@code orEqual}: or equal to it). */
    int search(long node, int count, boolean leaf, boolean orEqual) {
        if (!inexact) {
            return lastWord == 0 && !compareRowId
                    ? searchWord(node, count, key.words[0] & lastMask, lastMask, orEqual)
                    : searchWords(node, count, orEqual);
        }
        int below = 0;
        int above = count;
        while (below < above) {
            int middle = (below + above) >>> 1;
            int storedRow = leaf ? nodes.row(node, middle) : nodes.separatorRow(node, middle);
            int order = compare(nodes.key(node, middle), storedRow);
            if (order < 0 || orEqual && order == 0) {
                below = middle + 1;
            } else {
                above = middle;
            }
        }
        return below;
    }

    /** The same for exact keys of several words, or of words and a row id; as in {@link #searchWord}. */
    private int searchWords(long node, int count, boolean orEqual) {
        long stride = nodes.stride;
        long keys = node + TreeNodes.KEYS;
        long end = keys + count * stride;
        long equal = orEqual ? 1 : 0;
        long blocks = 0;
        for (long at = keys + 7 * stride; at < end; at += 8 * stride) {
            blocks += isLess(at, equal);
        }
        int below = (int) blocks * 8;
        long from = keys + below * stride;
        long to = Math.min(from + 7 * stride, end);
        for (long at = from; at < to; at += stride) {
            below += (int) isLess(at, equal);
        }
        return below;
    }

    /**
     * 1 if a stored key is less than what is looked for, or equal to it with {@code orEqual} 1; else 0. It is if subtracting
     * that, as one long number, and {@code orEqual} borrows in the end; so no jump depends on what is compared.
     */
    private long isLess(long stored, long orEqual) {
        long[] words = key.words;
        long borrow = orEqual;
        if (compareRowId) {
            borrow = borrow(memory.getLong(stored + keyWords * 8L), rowId, borrow);
        }
        borrow = borrow(memory.getLong(stored + lastWord * 8L) & lastMask, words[lastWord] & lastMask, borrow);
        for (int i = lastWord - 1; i >= 0; i--) {
            borrow = borrow(memory.getLong(stored + i * 8L), words[i], borrow);
        }
        return borrow;
    }

    /** Whether subtracting borrows, of unsigned numbers: 1 or 0. */
    private static long borrow(long a, long b, long before) {
        return (~a & b | (~a | b) & a - b - before) >>> 63;
    }

    /**
     * The same for keys of one word. Counts instead of halving: first among every eighth key, then among the eight from
     * there on. None of these loads waits for another, so that where the node is not in the cache, its lines are fetched
     * all at once and not one after the other; and there is no branch that depends on what is compared.
     */
    int searchWord(long node, int count, long word, long mask, boolean orEqual) {
        long bound = word ^ Long.MIN_VALUE;
        if (orEqual) {
            if (word == (-1L & mask)) {
                return count;
            }
            bound += mask & -mask;
        }
        long stride = nodes.stride;
        long keys = node + TreeNodes.KEYS;
        long end = keys + count * stride;
        long blocks = 0;
        for (long at = keys + 7 * stride; at < end; at += 8 * stride) {
            blocks += ((memory.getLong(at) & mask) ^ Long.MIN_VALUE) < bound ? 1 : 0;
        }
        int below = (int) blocks * 8;
        long from = keys + below * stride;
        long to = Math.min(from + 7 * stride, end);
        for (long at = from; at < to; at += stride) {
            below += ((memory.getLong(at) & mask) ^ Long.MIN_VALUE) < bound ? 1 : 0;
        }
        return below;
    }

    /** Whether the stored key of one row is less than that of another; for checks. */
    boolean inOrder(long stored, int storedRow, long nextStored, int nextRow) {
        IndexKey nextKey = new IndexKey(layout);
        layout.encode(memory, rows.address(nextRow), nextKey);
        forRow(nextKey, withRowId ? memory.getLong(nextStored + keyWords * 8L) : 0, 0);
        for (int i = 0; i < keyWords; i++) {
            if (nextKey.words[i] != memory.getLong(nextStored + i * 8L)) {
                return false;
            }
        }
        return compare(stored, storedRow) < 0;
    }
}
