package io.reprise.storage.index;

import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.storage.row.RowSpace;

/**
 * A B+tree of rows by their normalised key words, then (where keys can be equal) by row id.
 *
 * <p>A separator is a copy of a key that was once the first of its right-hand subtree: what is less goes left, all else
 * right. Where words are inexact, keys with equal words are told apart by reading their rows, so there a separator names
 * its row, and that row must live: the separator <em>is</em> the first entry of its right-hand subtree, and is replaced
 * when that entry is removed.
 *
 * <p>A leaf in which keys arrive in ascending order is split where they arrive, not in the middle, and so stays full.
 * Nodes below a third are filled up from or merged with a neighbour.
 */
final class BTree {
    private static final int MOST_LEVELS = 32;

    final Memory memory;
    final RowSpace rows;
    final TreeNodes nodes;
    private final KeyLayout layout;
    private final int keyWords;
    private final boolean withRowId;
    private final boolean inexact;
    private final boolean singleWord;
    private final int[] stringEnd;
    private final TreeBalance balance;

    int root;
    int innerLevels;
    private long size;

    /** Set for ever once a string with a zero byte has been seen: only then can zero padding be ambiguous. */
    private boolean zeroBytes;

    final int[] pathNode = new int[MOST_LEVELS];
    final int[] pathSlot = new int[MOST_LEVELS];

    /** The leaf of the last insertion, or 0 when a split or merge may have changed what belongs there. */
    private int warmLeaf;

    /** What is less than this belongs there too, if {@link #warmFenced}; else all that is more than its keys. */
    private long warmFence;

    private boolean warmFenced;

    /** The lowest separator above the probe that the last descent met, if {@link #fenced}. */
    private long fence;

    private boolean fenced;

    private IndexKey probe;
    private boolean probeZeroBytes;
    private long probeRowId;
    private int probeRow;
    private int lastWord;
    private long lastMask;
    private boolean compareRowId;

    /**
     * An empty tree.
     *
     * @param withRowId whether keys can be equal
     * @param inexact whether keys with equal words are told apart by reading rows
     */
    BTree(
            AddressSpace space,
            MemoryAccount account,
            RowSpace rows,
            KeyLayout layout,
            boolean withRowId,
            boolean inexact) {
        this.memory = space.memory();
        this.rows = rows;
        this.layout = layout;
        this.keyWords = layout.words();
        this.withRowId = withRowId;
        this.inexact = inexact;
        this.singleWord = keyWords == 1 && !withRowId && !inexact;
        this.nodes = new TreeNodes(space, account, keyWords + (withRowId ? 1 : 0), inexact);
        this.balance = new TreeBalance(this, inexact);
        this.stringEnd = new int[keyWords];
        java.util.Arrays.fill(stringEnd, -1);
        for (int i = 0; inexact && i < layout.columns(); i++) {
            if (layout.isString(i)) {
                stringEnd[layout.word(i) + 1] = i;
            }
        }
    }

    boolean inexact() {
        return inexact;
    }

    long size() {
        return size;
    }

    /** Makes sure that an insertion finds the nodes it may need. Throws MEMORY_LIMIT. */
    void reserve() {
        nodes.reserve(innerLevels + 3);
    }

    /** Looks for whole keys: the words, and the row id where the tree has it. */
    private void probeFor(IndexKey key, long rowId, long row) {
        probe = key;
        probeRowId = rowId;
        probeRow = row == 0 ? -1 : rows.number(row);
        lastWord = keyWords - 1;
        lastMask = -1;
        compareRowId = withRowId;
        if (inexact) {
            probeZeroBytes = zeroBytes || hasZeroBytes(key);
        }
    }

    /** Looks for the first columns of keys. */
    void probeForPrefix(IndexKey key, int columns) {
        probe = key;
        probeRow = -1;
        lastWord = layout.prefixWord(columns);
        lastMask = layout.prefixMask(columns);
        compareRowId = false;
        if (inexact) {
            probeZeroBytes = zeroBytes || hasZeroBytes(key);
        }
    }

    private boolean hasZeroBytes(IndexKey key) {
        for (int i = 0; i < layout.columns(); i++) {
            if (layout.isString(i) && layout.hasZeroByte(key, i)) {
                return true;
            }
        }
        return false;
    }

    /** Compares a stored key (of the given row) with the probe. */
    private int compare(long stored, int row) {
        if (inexact && row == probeRow) {
            return 0;
        }
        long[] words = probe.words;
        for (int i = 0; i <= lastWord; i++) {
            long mask = i == lastWord ? lastMask : -1L;
            long a = memory.getLong(stored + i * 8L) & mask;
            long b = words[i] & mask;
            if (a != b) {
                return Long.compareUnsigned(a, b);
            }
            int string = stringEnd[i];
            if (string >= 0 && ((b & 0xFF) != 0 || probeZeroBytes)) {
                int difference = layout.compareString(memory, rows.address(row), probe, string);
                if (difference != 0) {
                    return difference;
                }
            }
        }
        return compareRowId ? Long.compareUnsigned(memory.getLong(stored + keyWords * 8L), probeRowId) : 0;
    }

    /** How many keys of the node are less than the probe ({@code orEqual}: or equal to it). */
    int search(long node, int count, boolean leaf, boolean orEqual) {
        if (!inexact) {
            return lastWord == 0 && !compareRowId
                    ? searchWord(node, count, probe.words[0] & lastMask, lastMask, orEqual)
                    : searchWords(node, count, orEqual);
        }
        int below = 0;
        int above = count;
        while (below < above) {
            int middle = (below + above) >>> 1;
            int row = leaf ? nodes.row(node, middle) : nodes.separatorRow(node, middle);
            int order = compare(nodes.key(node, middle), row);
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
     * 1 if a stored key is less than the probe, or equal to it with {@code orEqual} 1; else 0. It is if subtracting the
     * probe, as one long number, and {@code orEqual} borrows in the end; so no jump depends on what is compared.
     */
    private long isLess(long stored, long orEqual) {
        long[] words = probe.words;
        long borrow = orEqual;
        if (compareRowId) {
            borrow = borrow(memory.getLong(stored + keyWords * 8L), probeRowId, borrow);
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
    private int searchWord(long node, int count, long word, long mask, boolean orEqual) {
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

    /** From the root to the leaf where the probe belongs, remembering the way. */
    private long descend() {
        int node = root;
        fenced = false;
        for (int depth = 0; depth < innerLevels; depth++) {
            long inner = nodes.address(node);
            int count = nodes.count(inner);
            int slot = search(inner, count, false, true);
            if (slot < count) {
                fence = memory.getLong(nodes.key(inner, slot));
                fenced = true;
            }
            pathNode[depth] = node;
            pathSlot[depth] = slot;
            node = nodes.child(inner, slot);
        }
        pathNode[innerLevels] = node;
        return nodes.address(node);
    }

    /** The row with this key, or 0; in trees with row ids the one with this row id. */
    long find(IndexKey key, long rowId) {
        if (singleWord) {
            return findWord(key.words[0]);
        }
        if (root == 0) {
            return 0;
        }
        probeFor(key, rowId, 0);
        long leaf = descend();
        int count = nodes.count(leaf);
        int slot = search(leaf, count, true, false);
        return slot < count && compare(nodes.key(leaf, slot), nodes.row(leaf, slot)) == 0
                ? rows.address(nodes.row(leaf, slot))
                : 0;
    }

    /** The row with this key in a tree of exact single words, or 0. */
    long findWord(long word) {
        int node = root;
        if (node == 0) {
            return 0;
        }
        for (int depth = innerLevels; depth > 0; depth--) {
            long inner = nodes.address(node);
            node = nodes.child(inner, searchWord(inner, nodes.count(inner), word, -1L, true));
        }
        long leaf = nodes.address(node);
        int count = nodes.count(leaf);
        int slot = searchWord(leaf, count, word, -1L, false);
        return slot < count && memory.getLong(nodes.key(leaf, slot)) == word ? rows.address(nodes.row(leaf, slot)) : 0;
    }

    /** Inserts a row; {@link #reserve} has been called. Returns 0, or the row that has this key already. */
    long insert(IndexKey key, long rowId, long row) {
        if (root == 0) {
            root = nodes.allocate();
        }
        probeFor(key, rowId, row);
        if (singleWord && insertWhereLast(key.words[0])) {
            size++;
            return 0;
        }
        long leaf = descend();
        int count = nodes.count(leaf);
        int slot = search(leaf, count, true, false);
        if (slot < count && compare(nodes.key(leaf, slot), nodes.row(leaf, slot)) == 0) {
            return rows.address(nodes.row(leaf, slot));
        }
        zeroBytes = probeZeroBytes;
        if (count < nodes.leafCapacity) {
            insertEntry(leaf, count, slot);
            warmLeaf = pathNode[innerLevels];
            warmFence = fence;
            warmFenced = fenced;
        } else {
            splitLeaf(leaf, slot);
            warmLeaf = 0;
        }
        size++;
        return 0;
    }

    /** Inserts right behind the last insertion, without a descent, if the key belongs there: a batch of ascending keys. */
    private boolean insertWhereLast(long word) {
        if (warmLeaf == 0) {
            return false;
        }
        long leaf = nodes.address(warmLeaf);
        int slot = nodes.last(leaf) + 1;
        int count = nodes.count(leaf);
        if (slot < 1 || slot > count || count == nodes.leafCapacity) {
            return false;
        }
        boolean belongs = Long.compareUnsigned(memory.getLong(nodes.key(leaf, slot - 1)), word) < 0
                && (slot < count
                        ? Long.compareUnsigned(word, memory.getLong(nodes.key(leaf, slot))) < 0
                        : !warmFenced || Long.compareUnsigned(word, warmFence) < 0);
        if (belongs) {
            insertEntry(leaf, count, slot);
        }
        return belongs;
    }

    private void insertEntry(long leaf, int count, int slot) {
        nodes.moveEntries(leaf, slot, leaf, slot + 1, count - slot);
        long at = nodes.key(leaf, slot);
        for (int i = 0; i < keyWords; i++) {
            memory.putLong(at + i * 8L, probe.words[i]);
        }
        if (withRowId) {
            memory.putLong(at + keyWords * 8L, probeRowId);
        }
        nodes.setRow(leaf, slot, probeRow);
        nodes.setCount(leaf, count + 1);
        nodes.setLast(leaf, slot);
    }

    private void splitLeaf(long leaf, int slot) {
        int count = nodes.count(leaf);
        boolean ascending = slot == nodes.last(leaf) + 1;
        boolean append = slot == count && (ascending || nodes.next(leaf) == 0);
        int keep = append ? count : ascending && slot > count / 8 ? slot : count / 2;
        int rightNode = nodes.allocate();
        long right = nodes.address(rightNode);
        int next = nodes.next(leaf);
        nodes.moveEntries(leaf, keep, right, 0, count - keep);
        nodes.setCount(leaf, keep);
        nodes.setCount(right, count - keep);
        nodes.setLast(leaf, -2);
        nodes.setNext(leaf, rightNode);
        nodes.setPrevious(right, pathNode[innerLevels]);
        nodes.setNext(right, next);
        if (next != 0) {
            nodes.setPrevious(nodes.address(next), rightNode);
        }
        if (slot < keep || slot == keep && !append && ascending) {
            insertEntry(leaf, keep, slot);
        } else {
            insertEntry(right, count - keep, slot - keep);
        }
        balance.insertSeparator(innerLevels - 1, right, rightNode);
    }

    /**
     * Removes a row. The key is the one under which it was inserted, even if the row has changed since. Returns whether it
     * was there.
     */
    boolean remove(IndexKey key, long rowId, long row) {
        if (root == 0) {
            return false;
        }
        probeFor(key, rowId, row);
        long leaf = descend();
        int count = nodes.count(leaf);
        int slot = search(leaf, count, true, false);
        if (slot == count || nodes.row(leaf, slot) != probeRow || compare(nodes.key(leaf, slot), probeRow) != 0) {
            return false;
        }
        nodes.moveEntries(leaf, slot + 1, leaf, slot, count - slot - 1);
        nodes.setCount(leaf, count - 1);
        if (slot <= nodes.last(leaf)) {
            nodes.setLast(leaf, nodes.last(leaf) - 1);
        }
        size--;
        if (size == 0) {
            warmLeaf = 0;
            root = 0;
            innerLevels = 0;
            nodes.clear();
            return true;
        }
        if (inexact && slot == 0 && count > 1) {
            balance.replaceSeparator(leaf);
        }
        if (innerLevels > 0 && count - 1 < nodes.leafCapacity / 3) {
            warmLeaf = 0;
            balance.fillLeaf(innerLevels - 1);
        }
        return true;
    }

    /** The first leaf that may have keys at or above the probe ({@code orEqual}: above it); {@code null} probe: the first. */
    int leafFor(boolean bounded, boolean orEqual, boolean rightmost) {
        int node = root;
        for (int depth = innerLevels; depth > 0; depth--) {
            long inner = nodes.address(node);
            int count = nodes.count(inner);
            int slot = bounded ? search(inner, count, false, orEqual) : rightmost ? count : 0;
            node = nodes.child(inner, slot);
        }
        return node;
    }

    long bytesInUse() {
        return nodes.bytesInUse();
    }

    /** Whether the stored key of one row is less than that of another; for checks. */
    boolean inOrder(long stored, int row, long nextStored, int nextRow) {
        IndexKey key = new IndexKey(layout);
        layout.encode(memory, rows.address(nextRow), key);
        probeFor(key, withRowId ? memory.getLong(nextStored + keyWords * 8L) : 0, 0);
        for (int i = 0; i < keyWords; i++) {
            if (key.words[i] != memory.getLong(nextStored + i * 8L)) {
                return false;
            }
        }
        return compare(stored, row) < 0;
    }

    Detached detach() {
        Detached detached = new Detached(nodes.detach(), root, innerLevels, size);
        root = 0;
        innerLevels = 0;
        size = 0;
        warmLeaf = 0;
        return detached;
    }

    void restore(Detached detached) {
        nodes.restore(detached.nodes);
        root = detached.root;
        warmLeaf = 0;
        innerLevels = detached.innerLevels;
        size = detached.size;
    }

    /** A tree's content that was set aside. */
    record Detached(TreeNodes.Detached nodes, int root, int innerLevels, long size) {
        void drop() {
            nodes.region().drop();
        }
    }
}
