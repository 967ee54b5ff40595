package io.reprise.storage.index;

import io.reprise.runtime.memory.Memory;

/**
 * Keeps the nodes above the leaves of a {@link BTree} in balance when nodes are split, filled up or merged. Works
 * along the path that the tree's last descent left behind. All of it is rare, so separators are shifted through
 * arrays on the heap.
 */
final class TreeBalance {
    private final BTree tree;
    private final TreeNodes nodes;
    private final Memory memory;
    private final boolean inexact;
    private final int words;

    private final long[] keys;
    private final int[] keyRows;
    private final int[] children;

    TreeBalance(BTree tree, boolean inexact) {
        this.tree = tree;
        this.nodes = tree.nodes;
        this.memory = tree.memory;
        this.inexact = inexact;
        this.words = nodes.stride / 8;
        int most = 2 * nodes.innerCapacity + 2;
        keys = new long[most * words];
        keyRows = new int[most];
        children = new int[most + 1];
    }

    /** Enters a new right-hand neighbour of the path's node at {@code depth + 1}; its first key becomes the separator. */
    void insertSeparator(int depth, long rightLeaf, int rightNode) {
        readSeparator(rightLeaf, 0, true, 0);
        long[] separator = new long[words];
        System.arraycopy(keys, 0, separator, 0, words);
        insertSeparator(depth, separator, keyRows[0], rightNode);
    }

    private void insertSeparator(int startDepth, long[] startSeparator, int startRow, int startRight) {
        long[] separator = startSeparator;
        int separatorRow = startRow;
        int right = startRight;
        for (int depth = startDepth; depth >= 0; depth--) {
            long inner = nodes.address(tree.pathNode[depth]);
            int slot = tree.pathSlot[depth];
            int count = nodes.count(inner);
            if (count < nodes.innerCapacity) {
                insertIntoInner(inner, count, slot, separator, separatorRow, right);
                return;
            }
            gather(inner, 0);
            System.arraycopy(keys, slot * words, keys, (slot + 1) * words, (count - slot) * words);
            System.arraycopy(keyRows, slot, keyRows, slot + 1, count - slot);
            System.arraycopy(children, slot + 1, children, slot + 2, count - slot);
            System.arraycopy(separator, 0, keys, slot * words, words);
            keyRows[slot] = separatorRow;
            children[slot + 1] = right;
            int total = count + 1;
            int keep = slot == count ? total - 2 : total / 2;
            int newRight = nodes.allocate();
            scatter(inner, 0, keep);
            scatter(nodes.address(newRight), keep + 1, total - keep - 1);
            System.arraycopy(keys, keep * words, separator, 0, words);
            separatorRow = keyRows[keep];
            right = newRight;
        }
        growRoot(separator, separatorRow, right);
    }

    private void growRoot(long[] separator, int separatorRow, int right) {
        int newRoot = nodes.allocate();
        long inner = nodes.address(newRoot);
        nodes.setChild(inner, 0, tree.root);
        insertIntoInner(inner, 0, 0, separator, separatorRow, right);
        tree.root = newRoot;
        tree.innerLevels++;
    }

    private void insertIntoInner(long inner, int count, int slot, long[] separator, int separatorRow, int right) {
        int moved = count - slot;
        memory.move(nodes.key(inner, slot), nodes.key(inner, slot + 1), (long) moved * nodes.stride);
        long child = inner + nodes.children + (slot + 1) * 4L;
        memory.move(child, child + 4, moved * 4L);
        for (int i = 0; i < words; i++) {
            memory.putLong(nodes.key(inner, slot) + i * 8L, separator[i]);
        }
        nodes.setChild(inner, slot + 1, right);
        if (inexact) {
            long row = inner + nodes.separatorRows + slot * 4L;
            memory.move(row, row + 4, moved * 4L);
            nodes.setSeparatorRow(inner, slot, separatorRow);
        }
        nodes.setCount(inner, count + 1);
    }

    /** Reads a key of a node into the arrays. */
    private void readSeparator(long node, int slot, boolean leaf, int into) {
        for (int i = 0; i < words; i++) {
            keys[into * words + i] = memory.getLong(nodes.key(node, slot) + i * 8L);
        }
        if (inexact) {
            keyRows[into] = leaf ? nodes.row(node, slot) : nodes.separatorRow(node, slot);
        }
    }

    private void writeSeparator(long inner, int slot, int from) {
        for (int i = 0; i < words; i++) {
            memory.putLong(nodes.key(inner, slot) + i * 8L, keys[from * words + i]);
        }
        if (inexact) {
            nodes.setSeparatorRow(inner, slot, keyRows[from]);
        }
    }

    /** Reads an inner node's separators and children into the arrays. */
    private void gather(long inner, int into) {
        int count = nodes.count(inner);
        for (int i = 0; i < count; i++) {
            readSeparator(inner, i, false, into + i);
        }
        for (int i = 0; i <= count; i++) {
            children[into + i] = nodes.child(inner, i);
        }
    }

    /** Writes an inner node from the arrays. */
    private void scatter(long inner, int from, int count) {
        for (int i = 0; i < count; i++) {
            writeSeparator(inner, i, from + i);
        }
        for (int i = 0; i <= count; i++) {
            nodes.setChild(inner, i, children[from + i]);
        }
        nodes.setCount(inner, count);
    }

    /** The first entry of the path's leaf is gone: makes the separator to its left, if there is one, its new first entry. */
    void replaceSeparator(long leaf) {
        for (int depth = tree.innerLevels - 1; depth >= 0; depth--) {
            int slot = tree.pathSlot[depth];
            if (slot > 0) {
                readSeparator(leaf, 0, true, 0);
                writeSeparator(nodes.address(tree.pathNode[depth]), slot - 1, 0);
                return;
            }
        }
    }

    /** The path's leaf has become too empty. */
    void fillLeaf(int depth) {
        long parent = nodes.address(tree.pathNode[depth]);
        int slot = tree.pathSlot[depth];
        int separator = slot < nodes.count(parent) ? slot : slot - 1;
        int leftNode = nodes.child(parent, separator);
        int rightNode = nodes.child(parent, separator + 1);
        long left = nodes.address(leftNode);
        long right = nodes.address(rightNode);
        int leftCount = nodes.count(left);
        int rightCount = nodes.count(right);
        int total = leftCount + rightCount;
        nodes.setLast(left, -2);
        nodes.setLast(right, -2);
        if (total <= nodes.leafCapacity - nodes.leafCapacity / 8) {
            nodes.moveEntries(right, 0, left, leftCount, rightCount);
            nodes.setCount(left, total);
            int next = nodes.next(right);
            nodes.setNext(left, next);
            if (next != 0) {
                nodes.setPrevious(nodes.address(next), leftNode);
            }
            nodes.release(rightNode);
            keepFirst(left, leftCount);
            removeSeparator(depth, separator);
            return;
        }
        int newLeft = total / 2;
        if (newLeft > leftCount) {
            nodes.moveEntries(right, 0, left, leftCount, newLeft - leftCount);
            nodes.moveEntries(right, newLeft - leftCount, right, 0, total - newLeft);
        } else {
            nodes.moveEntries(right, 0, right, leftCount - newLeft, rightCount);
            nodes.moveEntries(left, newLeft, right, 0, leftCount - newLeft);
        }
        nodes.setCount(left, newLeft);
        nodes.setCount(right, total - newLeft);
        readSeparator(right, 0, true, 0);
        writeSeparator(parent, separator, 0);
        keepFirst(left, leftCount);
    }

    /** A leaf that had become empty has a new first entry, which its left-hand separator must be. */
    private void keepFirst(long leaf, int countBefore) {
        if (inexact && countBefore == 0) {
            replaceSeparator(leaf);
        }
    }

    /** Removes a separator and the child to its right, which is empty. */
    private void removeSeparator(int depth, int slot) {
        long inner = nodes.address(tree.pathNode[depth]);
        int count = nodes.count(inner);
        int moved = count - slot - 1;
        memory.move(nodes.key(inner, slot + 1), nodes.key(inner, slot), (long) moved * nodes.stride);
        long child = inner + nodes.children + (slot + 1) * 4L;
        memory.move(child + 4, child, moved * 4L);
        if (inexact) {
            long row = inner + nodes.separatorRows + slot * 4L;
            memory.move(row + 4, row, moved * 4L);
        }
        nodes.setCount(inner, count - 1);
        if (depth == 0) {
            if (count == 1) {
                int oldRoot = tree.root;
                tree.root = nodes.child(inner, 0);
                tree.innerLevels--;
                nodes.release(oldRoot);
            }
        } else if (count - 1 < nodes.innerCapacity / 3) {
            fillInner(depth);
        }
    }

    private void fillInner(int depth) {
        long parent = nodes.address(tree.pathNode[depth - 1]);
        int slot = tree.pathSlot[depth - 1];
        int separator = slot < nodes.count(parent) ? slot : slot - 1;
        long left = nodes.address(nodes.child(parent, separator));
        int rightNode = nodes.child(parent, separator + 1);
        long right = nodes.address(rightNode);
        int leftCount = nodes.count(left);
        gather(left, 0);
        readSeparator(parent, separator, false, leftCount);
        gather(right, leftCount + 1);
        int total = leftCount + 1 + nodes.count(right);
        if (total <= nodes.innerCapacity - nodes.innerCapacity / 8) {
            scatter(left, 0, total);
            nodes.release(rightNode);
            removeSeparator(depth - 1, separator);
            return;
        }
        int newLeft = total / 2;
        scatter(left, 0, newLeft);
        scatter(right, newLeft + 1, total - newLeft - 1);
        writeSeparator(parent, separator, newLeft);
    }
}
