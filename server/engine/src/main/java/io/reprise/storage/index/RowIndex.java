package io.reprise.storage.index;

import io.reprise.catalog.Index;

/**
 * An index as its table keeps it up to date. Both kinds find an entry again by the key under which it was inserted
 * and the row's place. So a row may have changed by the time it is removed, if its old key is at hand.
 */
public abstract sealed class RowIndex permits HashIndex, OrderedIndex {
    private Index definition;

    /** The key that the table's own operations work with. */
    final IndexKey own;

    final KeyLayout layout;

    RowIndex(Index definition, KeyLayout layout) {
        this.definition = definition;
        this.layout = layout;
        this.own = new IndexKey(layout);
    }

    /**
     * The number of regions of address space that an index takes: a tree has one, a hash table two, and a tree if
     * keys can be equal.
     */
    public static int regions(Index definition, KeyLayout layout) {
        return switch (definition.kind()) {
            case ORDERED -> 1;
            case HASH -> definition.unique() && !layout.nullable() ? 2 : 3;
        };
    }

    /** The declaration. */
    public final Index definition() {
        return definition;
    }

    /** Takes on a definition that differs in position and in being the primary key's only. */
    public final void redefine(Index newDefinition) {
        definition = newDefinition;
    }

    /** The normal form of keys. */
    public final KeyLayout layout() {
        return layout;
    }

    /** Makes sure that the next insertion finds the memory it needs. Throws MEMORY_LIMIT. */
    public abstract void reserve();

    /**
     * Announces more rows: their room is made at once if its size is known. Throws MEMORY_LIMIT.
     *
     * @param likely the number that will probably follow them: room is made for these too if there is memory to
     *     spare. {@link #trim} gives back the rest
     */
    public abstract void expectRows(long count, long likely);

    /** Gives back room for rows that did not come. */
    public abstract void trim();

    /** Gives back memory that is not needed since many rows were taken out, where it is much. No cursor may be open. */
    public abstract void trimIfMuch();

    /** Enters a row; {@link #reserve} comes before. Returns 0, or the row that stands against it (unique indexes). */
    public abstract long insert(long row);

    /** Enters a row under the key of an earlier copy of it, undoing; there is nothing that stands against it. */
    public abstract void insertImage(long row, long image);

    /**
     * Takes out a row.
     *
     * @param image the row itself, or a copy of it with the key under which it was inserted
     */
    public abstract void remove(long row, long image);

    /** Whether two rows (or copies of a row) have the same key. */
    public abstract boolean sameKey(long row, long image);

    /** The number of rows in the index. */
    public abstract long size();

    /** The bytes of memory in use. */
    public abstract long bytesInUse();

    /** The whole content, set aside so that the index can begin anew. */
    public abstract Content detach();

    /** Puts back what was detached and drops what is here now. */
    public abstract void restore(Content content);

    /** Gives all memory back. */
    public abstract void drop();

    /** Checks the structure's invariants, and that it finds this live row. */
    public abstract void verifyFinds(long row);

    /** Checks the structure's invariants. */
    public abstract void verify();

    /** The content of an index that was set aside. */
    public abstract static class Content {
        /** Gives its memory back. */
        public abstract void drop();
    }
}
