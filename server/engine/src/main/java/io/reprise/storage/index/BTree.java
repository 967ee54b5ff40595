package io.reprise.storage.index;

import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.storage.row.RowSpace;

/**
 * A B+tree of rows by their normalised key words, then (if keys can be equal) by row id.
 *
 * <p>A separator is a copy of a key that was once the first of its right-hand subtree: lesser keys go left, all else
 * right. Inexact words with equal values are told apart by reading their rows. There a separator names its row, and
 * that row must live: the separator <em>is</em> the first entry of its right-hand subtree, and is replaced when that
 * entry is removed.
 *
 * <p>A leaf in which keys arrive in ascending order is split at the arrival, not in the middle, and so stays full.
 * Nodes below a third are filled up from or merged with a neighbour.
 */
final class BTree {
    private static final int MOST_LEVELS = 32;

    final Memory memory;
    final RowSpace rows;
    final TreeNodes nodes;
    final TreeProbe probe;
    private final int keyWords;
    private final boolean withRowId;
    private final boolean inexact;
    private final boolean singleWord;
    private final TreeBalance balance;

    int root;
    int innerLevels;
    private long size;

    final int[] pathNode = new int[MOST_LEVELS];
    final int[] pathSlot = new int[MOST_LEVELS];

    /** The leaf of the last insertion, or 0 when a split or merge may have changed what belongs there. */
    private int warmLeaf;

    /** Keys less than this belong there too, if {@link #warmFenced}; else all that is more than its keys. */
    private long warmFence;

    private boolean warmFenced;

    /** The leaf of the last search for a word, or 0 as {@link #warmLeaf} is. */
    private int foundLeaf;

    /** The lowest separator above the probe that the last descent met, if {@link #fenced}. */
    private long fence;

    private boolean fenced;

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
        this.keyWords = layout.words();
        this.withRowId = withRowId;
        this.inexact = inexact;
        this.singleWord = keyWords == 1 && !withRowId && !inexact;
        this.nodes = new TreeNodes(space, account, keyWords + (withRowId ? 1 : 0), inexact);
        this.balance = new TreeBalance(this, inexact);
        this.probe = new TreeProbe(memory, rows, nodes, layout, withRowId, inexact);
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

    /** From the root to the leaf where the probe belongs, remembering the way. */
    private long descend() {
        int node = root;
        fenced = false;
        for (int depth = 0; depth < innerLevels; depth++) {
            long inner = nodes.address(node);
            int count = nodes.count(inner);
            int slot = probe.search(inner, count, false, true);
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
        probe.forRow(key, rowId, 0);
        long leaf = descend();
        int count = nodes.count(leaf);
        int slot = probe.search(leaf, count, true, false);
        return slot < count && probe.compare(nodes.key(leaf, slot), nodes.row(leaf, slot)) == 0
                ? rows.address(nodes.row(leaf, slot))
                : 0;
    }

    /** The row with this key in a tree of exact single words, or 0. */
    long findWord(long word) {
        if (root == 0) {
            return 0;
        }
        if (!isWithin(foundLeaf, word)) {
            int node = root;
            for (int depth = innerLevels; depth > 0; depth--) {
                long inner = nodes.address(node);
                node = nodes.child(inner, probe.searchWord(inner, nodes.count(inner), word, -1L, true));
            }
            foundLeaf = node;
        }
        long leaf = nodes.address(foundLeaf);
        int count = nodes.count(leaf);
        int slot = probe.searchWord(leaf, count, word, -1L, false);
        return slot < count && memory.getLong(nodes.key(leaf, slot)) == word ? rows.address(nodes.row(leaf, slot)) : 0;
    }

    /** Whether a word lies between the first and the last key of a leaf: then it is there or nowhere. */
    private boolean isWithin(int node, long word) {
        if (node == 0) {
            return false;
        }
        long leaf = nodes.address(node);
        int count = nodes.count(leaf);
        return count > 0
                && Long.compareUnsigned(memory.getLong(nodes.key(leaf, 0)), word) <= 0
                && Long.compareUnsigned(word, memory.getLong(nodes.key(leaf, count - 1))) <= 0;
    }

    /** Inserts a row; {@link #reserve} has been called. Returns 0, or the row that has this key already. */
    long insert(IndexKey key, long rowId, long row) {
        if (root == 0) {
            root = nodes.allocate();
        }
        probe.forRow(key, rowId, row);
        if (singleWord && insertWhereLast(key.words[0])) {
            size++;
            return 0;
        }
        long leaf = descend();
        int count = nodes.count(leaf);
        int slot = probe.search(leaf, count, true, false);
        if (slot < count && probe.compare(nodes.key(leaf, slot), nodes.row(leaf, slot)) == 0) {
            return rows.address(nodes.row(leaf, slot));
        }
        probe.enters();
        if (count < nodes.leafCapacity) {
            insertEntry(leaf, count, slot);
            warmLeaf = pathNode[innerLevels];
            warmFence = fence;
            warmFenced = fenced;
        } else {
            splitLeaf(leaf, slot);
            forgetLeaves();
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

    /** Nodes have been split, merged or given back. */
    private void forgetLeaves() {
        warmLeaf = 0;
        foundLeaf = 0;
    }

    private void insertEntry(long leaf, int count, int slot) {
        nodes.moveEntries(leaf, slot, leaf, slot + 1, count - slot);
        long at = nodes.key(leaf, slot);
        for (int i = 0; i < keyWords; i++) {
            memory.putLong(at + i * 8L, probe.word(i));
        }
        if (withRowId) {
            memory.putLong(at + keyWords * 8L, probe.rowId());
        }
        nodes.setRow(leaf, slot, probe.row());
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
        probe.forRow(key, rowId, row);
        long leaf = descend();
        int count = nodes.count(leaf);
        int slot = probe.search(leaf, count, true, false);
        if (slot == count
                || nodes.row(leaf, slot) != probe.row()
                || probe.compare(nodes.key(leaf, slot), probe.row()) != 0) {
            return false;
        }
        nodes.moveEntries(leaf, slot + 1, leaf, slot, count - slot - 1);
        nodes.setCount(leaf, count - 1);
        if (slot <= nodes.last(leaf)) {
            nodes.setLast(leaf, nodes.last(leaf) - 1);
        }
        size--;
        if (size == 0) {
            forgetLeaves();
            root = 0;
            innerLevels = 0;
            nodes.clear();
            return true;
        }
        if (inexact && slot == 0 && count > 1) {
            balance.replaceSeparator(leaf);
        }
        if (innerLevels > 0 && count - 1 < nodes.leafCapacity / 3) {
            forgetLeaves();
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
            int slot = bounded ? probe.search(inner, count, false, orEqual) : rightmost ? count : 0;
            node = nodes.child(inner, slot);
        }
        return node;
    }

    /**
     * Gives back the memory of free nodes, if they are many and more than those in use: these move to where free ones are. No cursor may
     * be open.
     */
    void trimIfMuch() {
        if (!nodes.areMostlyFree()) {
            return;
        }
        forgetLeaves();
        int inUse = nodes.inUse();
        nodes.keepFree(inUse);
        if (root > inUse) {
            root = nodes.moveDown(root, innerLevels == 0);
        }
        moveChildrenDown(root, innerLevels, inUse);
        nodes.trimTo(inUse);
    }

    private void moveChildrenDown(int node, int levels, int inUse) {
        if (levels == 0) {
            return;
        }
        long inner = nodes.address(node);
        for (int slot = 0; slot <= nodes.count(inner); slot++) {
            int child = nodes.child(inner, slot);
            if (child > inUse) {
                child = nodes.moveDown(child, levels == 1);
                nodes.setChild(inner, slot, child);
            }
            moveChildrenDown(child, levels - 1, inUse);
        }
    }

    long bytesInUse() {
        return nodes.bytesInUse();
    }

    Detached detach() {
        Detached detached = new Detached(nodes.detach(), root, innerLevels, size);
        root = 0;
        innerLevels = 0;
        size = 0;
        forgetLeaves();
        return detached;
    }

    void restore(Detached detached) {
        nodes.restore(detached.nodes);
        root = detached.root;
        forgetLeaves();
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
