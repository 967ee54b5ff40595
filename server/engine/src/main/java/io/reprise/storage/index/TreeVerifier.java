package io.reprise.storage.index;

/** Checks a tree's invariants: order, separators, links, fill, and that every node is either in use or free. */
final class TreeVerifier {
    private final BTree tree;
    private final TreeNodes nodes;
    private final String name;
    private int seen;
    private long entries;
    private int previousLeaf;
    private long previousKey;
    private int previousRow;

    TreeVerifier(BTree tree, String name) {
        this.tree = tree;
        this.nodes = tree.nodes;
        this.name = name;
    }

    void verify() {
        if (tree.root != 0) {
            visit(tree.root, tree.innerLevels);
            check(nodes.next(nodes.address(previousLeaf)) == 0, "the last leaf has a neighbour to its right");
        }
        check(entries == tree.size(), "has " + entries + " entries, not " + tree.size());
        check(seen == nodes.inUse(), "reaches " + seen + " nodes of " + nodes.inUse());
    }

    private void visit(int node, int level) {
        seen++;
        long address = nodes.address(node);
        int count = nodes.count(address);
        if (level == 0) {
            visitLeaf(node, address, count);
            return;
        }
        check(count >= 1 && count <= nodes.innerCapacity, "inner node with " + count + " separators");
        for (int i = 0; i <= count; i++) {
            visit(nodes.child(address, i), level - 1);
            if (i < count) {
                checkSeparator(address, i, level);
            }
        }
    }

    /** Everything to the left is less than the separator, and it is not above the first entry to its right. */
    private void checkSeparator(long inner, int slot, int level) {
        int child = nodes.child(inner, slot + 1);
        for (int i = level - 1; i > 0; i--) {
            child = nodes.child(nodes.address(child), 0);
        }
        long leaf = nodes.address(child);
        long first = nodes.key(leaf, 0);
        long separator = nodes.key(inner, slot);
        if (tree.inexact()) {
            int row = nodes.separatorRow(inner, slot);
            check(compareWords(separator, first) == 0 && row == nodes.row(leaf, 0), "separator of another row");
            check(tree.probe.inOrder(previousKey, previousRow, separator, row), "separator below an entry to its left");
        } else {
            check(compareWords(separator, first) <= 0, "separator above the first entry to its right");
            check(compareWords(previousKey, separator) < 0, "separator not above the last entry to its left");
        }
    }

    private int compareWords(long a, long b) {
        for (int i = 0; i < nodes.stride; i += 8) {
            int order = Long.compareUnsigned(tree.memory.getLong(a + i), tree.memory.getLong(b + i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private void visitLeaf(int node, long leaf, int count) {
        check(count >= 1 && count <= nodes.leafCapacity, "leaf with " + count + " entries");
        check(nodes.previous(leaf) == previousLeaf, "leaf links don't match");
        check(previousLeaf == 0 || nodes.next(nodes.address(previousLeaf)) == node, "leaf links don't match");
        for (int i = 0; i < count; i++) {
            long key = nodes.key(leaf, i);
            int row = nodes.row(leaf, i);
            if (entries > 0) {
                check(tree.probe.inOrder(previousKey, previousRow, key, row), "entries out of order");
            }
            previousKey = key;
            previousRow = row;
            entries++;
        }
        previousLeaf = node;
    }

    private void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("index " + name + ": " + what);
        }
    }
}
