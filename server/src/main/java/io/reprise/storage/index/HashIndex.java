package io.reprise.storage.index;

import io.reprise.catalog.Index;
import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.storage.row.RowLayout;
import io.reprise.storage.row.RowSpace;

/**
 * Point access by the whole key. Owned by the partition's thread.
 *
 * <p>Keys that only one row can have are in a {@link LinearTable}. Keys that several rows can have (non-unique indexes,
 * and keys that contain NULL) are in a {@link BTree} of key words and row id: so they come in the order of their row ids
 * and a key with a million rows costs no more than a million keys.
 */
public final class HashIndex extends RowIndex {
    private static final long HASH_MASK = 0xFFFF_FFFFL;

    private final Memory memory;
    private final RowSpace rows;
    private final LinearTable table;
    private final BTree many;
    private final boolean unique;
    private final boolean nullable;
    private final boolean inexact;
    private final boolean singleWord;

    /** Where in a row a word lies that is in the second cache line, unless the row is too short or begins with a line. */
    private final int secondLine;

    /** Of no meaning; what is read ahead goes here, so that the compiler cannot leave the reading out. */
    private long prefetched;

    /** An empty index over the rows in the given space. */
    public HashIndex(AddressSpace space, MemoryAccount account, RowSpace rows, KeyLayout layout, Index definition) {
        super(definition, layout);
        this.memory = space.memory();
        this.rows = rows;
        unique = definition.unique();
        nullable = layout.nullable();
        inexact = layout.inexact();
        singleWord = layout.words() == 1 && !inexact;
        secondLine = Math.min(rows.rowSize(), LinearTable.BUCKET) - Long.BYTES;
        table = unique ? new LinearTable(space, account) : null;
        many = !unique || nullable ? new BTree(space, account, rows, layout, true, false) : null;
    }

    /** The row with this key (unique indexes), or 0. */
    public long find(IndexKey key) {
        if (singleWord) {
            return find(key.words[0]);
        }
        int hash = hash(key);
        long bucket = table.bucketFor(hash);
        int bytes = LinearTable.BUCKET;
        while (true) {
            long slot = 0;
            for (int at = 0; at < bytes; at += 8) {
                slot = memory.getLong(bucket + at);
                if ((int) (slot >>> 32) == hash && (int) slot > 0) {
                    long row = rows.address((int) slot - 1);
                    if (layout.matches(memory, row, key)) {
                        return row;
                    }
                }
            }
            if ((int) slot >= 0) {
                return 0;
            }
            bucket = table.overflowBucket(slot);
            bytes = LinearTable.OVERFLOW;
        }
    }

    /** The same for a key that is exactly one word. */
    public long find(long word) {
        int hash = hash(word);
        long bucket = table.bucketFor(hash);
        long slot = 0;
        for (int at = 0; at < LinearTable.BUCKET; at += 8) {
            slot = memory.getLong(bucket + at);
            if ((int) (slot >>> 32) == hash && (int) slot > 0) {
                long row = rows.address((int) slot - 1);
                if (layout.encodeWord(memory, row) == word) {
                    return row;
                }
            }
        }
        return (int) slot >= 0 ? 0 : findInOverflow(hash, word, slot);
    }

    private long findInOverflow(int hash, long word, long pointer) {
        long slot = pointer;
        while ((int) slot < 0) {
            long bucket = table.overflowBucket(slot);
            for (int at = 0; at < LinearTable.OVERFLOW; at += 8) {
                slot = memory.getLong(bucket + at);
                if ((int) (slot >>> 32) == hash && (int) slot > 0) {
                    long row = rows.address((int) slot - 1);
                    if (layout.encodeWord(memory, row) == word) {
                        return row;
                    }
                }
            }
        }
        return 0;
    }

    /**
     * Begins to bring what {@link #find(long)} will read into the processor's cache: the bucket, and the beginning of a row
     * with the key's hash that is in it. No jump depends on what it reads, but for the last, which goes the same way nearly
     * always; so the processor need not wait for one such call's memory before it begins the next.
     */
    public void prefetch(long word) {
        int hash = hash(word);
        long bucket = table.bucketFor(hash);
        long wanted = hash & HASH_MASK;
        long number = 0;
        for (int at = 0; at < LinearTable.BUCKET; at += 8) {
            long slot = memory.getLong(bucket + at);
            long difference = slot >>> 32 ^ wanted;
            number |= slot & (difference - 1) >> 63;
        }
        long row = rows.address((int) number - 1);
        if ((int) number > 0 && row < rows.end()) {
            prefetched ^= memory.getLong(row) ^ memory.getLong(row + secondLine);
        }
    }

    /** Whether {@link #find(long)} may be used: a unique index whose key is one word and exact. */
    public boolean findsByWord() {
        return unique && singleWord;
    }

    /** Starts iterating over the rows with this key (any index), in the order of their row ids. */
    public void open(IndexKey key, IndexCursor cursor) {
        if (isSingle(key)) {
            cursor.openSingle(find(key));
            return;
        }
        int columns = layout.columns();
        cursor.openRange(many, key, columns, true, key, columns, true, false);
        if (inexact) {
            cursor.verify(layout, key);
        }
    }

    /** Whether only one row can have this key. */
    private boolean isSingle(IndexKey key) {
        return unique && !(nullable && layout.hasNull(key));
    }

    private static int hash(long word) {
        long h = (word ^ word >>> 32) * 0x9E3779B97F4A7C15L;
        h = (h ^ h >>> 29) * 0xBF58476D1CE4E5B9L;
        return (int) (h >>> 32);
    }

    private static int hash(IndexKey key) {
        long h = 0;
        for (long word : key.words) {
            h = (h ^ word) * 0x9E3779B97F4A7C15L;
            h ^= h >>> 32;
        }
        h = (h ^ h >>> 29) * 0xBF58476D1CE4E5B9L;
        return (int) (h >>> 32);
    }

    private int ownHash() {
        return singleWord ? hash(own.words[0]) : hash(own);
    }

    @Override
    public void reserve() {
        if (table != null) {
            table.reserve();
        }
        if (many != null) {
            many.reserve();
        }
    }

    @Override
    public long insert(long row) {
        layout.encode(memory, row, own);
        if (!isSingle(own)) {
            return many.insert(own, memory.getLong(row) & RowLayout.ROW_ID_MASK, row);
        }
        long existing = find(own);
        if (existing == 0) {
            table.insert(ownHash(), rows.number(row));
        }
        return existing;
    }

    @Override
    public void insertImage(long row, long image) {
        layout.encode(memory, image, own);
        if (isSingle(own)) {
            table.insert(ownHash(), rows.number(row));
        } else {
            many.insert(own, memory.getLong(row) & RowLayout.ROW_ID_MASK, row);
        }
    }

    @Override
    public void remove(long row, long image) {
        layout.encode(memory, image, own);
        boolean removed = isSingle(own)
                ? table.remove(ownHash(), rows.number(row))
                : many.remove(own, memory.getLong(row) & RowLayout.ROW_ID_MASK, row);
        if (!removed) {
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
        return (table == null ? 0 : table.size()) + (many == null ? 0 : many.size());
    }

    @Override
    public long bytesInUse() {
        return (table == null ? 0 : table.bytesInUse()) + (many == null ? 0 : many.bytesInUse());
    }

    @Override
    public Content detach() {
        return new HashContent(table == null ? null : table.detach(), many == null ? null : many.detach());
    }

    @Override
    public void restore(Content content) {
        HashContent detached = (HashContent) content;
        if (table != null) {
            table.restore(detached.table);
        }
        if (many != null) {
            many.restore(detached.many);
        }
    }

    @Override
    public void drop() {
        if (table != null) {
            table.drop();
        }
        if (many != null) {
            many.nodes.drop();
        }
    }

    @Override
    public void verifyFinds(long row) {
        layout.encode(memory, row, own);
        long found = isSingle(own) ? find(own) : many.find(own, memory.getLong(row) & RowLayout.ROW_ID_MASK);
        if (found != row) {
            throw new IllegalStateException("index " + definition().name() + " does not find row " + row);
        }
    }

    @Override
    public void verify() {
        if (table != null) {
            table.verify(definition().name());
        }
        if (many != null) {
            new TreeVerifier(many, definition().name()).verify();
        }
    }

    private static final class HashContent extends Content {
        private final LinearTable.Detached table;
        private final BTree.Detached many;

        private HashContent(LinearTable.Detached table, BTree.Detached many) {
            this.table = table;
            this.many = many;
        }

        @Override
        public void drop() {
            if (table != null) {
                table.primary().drop();
                table.overflow().drop();
            }
            if (many != null) {
                many.drop();
            }
        }
    }
}
