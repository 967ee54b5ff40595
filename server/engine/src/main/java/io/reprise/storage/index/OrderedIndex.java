package io.reprise.storage.index;

import io.reprise.catalog.Index;
import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.storage.row.RowLayout;
import io.reprise.storage.row.RowSpace;

/**
 * Access in key order: points, prefixes, ranges, forward and backward. Rows with equal keys follow in the order of their
 * row ids. Owned by the partition's thread.
 */
public final class OrderedIndex extends RowIndex {
    private final Memory memory;
    private final BTree tree;
    private final boolean unique;
    private final boolean nullable;

    /** An empty index over the rows in the given space. */
    public OrderedIndex(AddressSpace space, MemoryAccount account, RowSpace rows, KeyLayout layout, Index definition) {
        super(definition, layout);
        memory = space.memory();
        unique = definition.unique();
        nullable = layout.nullable();
        tree = new BTree(space, account, rows, layout, !unique || nullable, layout.inexact());
    }

    /** The row with this key (unique indexes, a key without NULL), or 0. */
    public long find(IndexKey key) {
        return tree.find(key, 0);
    }

    /** The same for a key that is exactly one word, in a unique index without nullable columns. */
    public long find(long word) {
        return tree.findWord(word);
    }

    /** Whether {@link #find(long)} may be used. */
    public boolean findsByWord() {
        return unique && !nullable && layout.words() == 1 && !layout.inexact();
    }

    /**
     * Starts iterating over the rows between two bounds. A bound is the first {@code ...Columns} columns of its key (0:
     * no bound at that end); with {@code ...Inclusive} false, rows that equal the bound in those columns are left out.
     *
     * <p>NULL comes first, so a range without a lower bound begins with the rows that have NULL there. To leave them out,
     * give NULL as an exclusive lower bound.
     *
     * @param descending false: from the lower bound upwards; true: from the upper bound downwards
     */
    public void open(
            IndexKey lower,
            int lowerColumns,
            boolean lowerInclusive,
            IndexKey upper,
            int upperColumns,
            boolean upperInclusive,
            boolean descending,
            IndexCursor cursor) {
        if (descending) {
            cursor.openRange(tree, upper, upperColumns, upperInclusive, lower, lowerColumns, lowerInclusive, true);
        } else {
            cursor.openRange(tree, lower, lowerColumns, lowerInclusive, upper, upperColumns, upperInclusive, false);
        }
    }

    /** In a unique index keys differ already, unless one contains NULL: then it is told apart by its row id. */
    private long rowIdFor(long row) {
        return unique && !(nullable && layout.hasNull(own)) ? 0 : memory.getLong(row) & RowLayout.ROW_ID_MASK;
    }

    @Override
    public void reserve() {
        tree.reserve();
    }

    @Override
    public void expectRows(long count, long likely) {
        // A tree grows as rows come.
    }

    @Override
    public void trim() {
        // A tree has room for what is in it.
    }

    @Override
    public void trimIfMuch() {
        tree.trimIfMuch();
    }

    @Override
    public long insert(long row) {
        layout.encode(memory, row, own);
        return tree.insert(own, rowIdFor(row), row);
    }

    @Override
    public void insertImage(long row, long image) {
        layout.encode(memory, image, own);
        tree.insert(own, rowIdFor(row), row);
    }

    @Override
    public void remove(long row, long image) {
        layout.encode(memory, image, own);
        if (!tree.remove(own, rowIdFor(row), row)) {
            throw new IllegalStateException(
                    "row " + row + " is not in index " + definition().name());
        }
    }

    @Override
    public boolean sameKey(long row, long image) {
        layout.encode(memory, image, own);
        return layout.matches(memory, row, own);
    }

    @Override
    public long size() {
        return tree.size();
    }

    @Override
    public long bytesInUse() {
        return tree.bytesInUse();
    }

    @Override
    public Content detach() {
        BTree.Detached detached = tree.detach();
        return new TreeContent(detached);
    }

    @Override
    public void restore(Content content) {
        tree.restore(((TreeContent) content).detached);
    }

    @Override
    public void drop() {
        tree.nodes.drop();
    }

    @Override
    public void verifyFinds(long row) {
        layout.encode(memory, row, own);
        if (tree.find(own, rowIdFor(row)) != row) {
            throw new IllegalStateException("index " + definition().name() + " does not find row " + row);
        }
    }

    @Override
    public void verify() {
        new TreeVerifier(tree, definition().name()).verify();
    }

    private static final class TreeContent extends Content {
        private final BTree.Detached detached;

        private TreeContent(BTree.Detached detached) {
            this.detached = detached;
        }

        @Override
        public void drop() {
            detached.drop();
        }
    }
}
