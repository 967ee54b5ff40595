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
 * <p>Rows are in a {@link LinearTable}. Several rows with one key (non-unique indexes) are kept as {@link SharedKeys}
 * says.
 *
 * <p>Keys of a unique index that contain NULL, which any number of rows can have, are in the tree only.
 */
public final class HashIndex extends RowIndex {
    /** As many rows are in the processor's cache anyway if they are used at all: announcing them would be in vain. */
    private static final int FEW = 4096;

    private static final long HASH_MASK = 0xFFFF_FFFFL;

    private final Memory memory;
    private final RowSpace rows;
    private final LinearTable table;
    private final BTree many;

    /** Null in a unique index. */
    private final SharedKeys shared;

    private final boolean unique;
    private final boolean nullable;
    private final boolean singleWord;

    private final ReadAhead readAhead;

    /** The offset in a row of a word that lies in its second cache line, unless it begins with a line or is shorter than one. */
    private final long secondLine;

    /** An empty index over the rows in the given space. */
    public HashIndex(
            AddressSpace space,
            ReadAhead readAhead,
            MemoryAccount account,
            RowSpace rows,
            KeyLayout layout,
            Index definition) {
        super(definition, layout);
        this.memory = space.memory();
        this.rows = rows;
        unique = definition.unique();
        nullable = layout.nullable();
        singleWord = layout.words() == 1 && !layout.inexact();
        this.readAhead = readAhead;
        secondLine = (long) Math.min(rows.rowSize(), BucketChains.BUCKET) - Long.BYTES;
        table = new LinearTable(space, account);
        many = !unique || nullable ? new BTree(space, account, rows, layout, true, false) : null;
        shared = unique ? null : new SharedKeys(memory, readAhead, rows, layout, table, many);
    }

    /** The row with this key (unique indexes), or 0. */
    public long find(IndexKey key) {
        if (singleWord) {
            return find(key.words[0]);
        }
        readAhead.fetchIfPending();
        int hash = hash(key);
        long bucket = table.bucketFor(hash);
        int bytes = BucketChains.BUCKET;
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
            bytes = BucketChains.OVERFLOW;
        }
    }

    /** The same for a key that is exactly one word. */
    public long find(long word) {
        readAhead.fetchIfPending();
        int hash = hash(word);
        long bucket = table.bucketFor(hash);
        long slot = 0;
        for (int at = 0; at < BucketChains.BUCKET; at += 8) {
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
            for (int at = 0; at < BucketChains.OVERFLOW; at += 8) {
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
     * Announces that {@link #find(long)} is going to look for this key; see {@link ReadAhead}.
     *
     * @param rowWords the words of the row that will be read then: bit i stands for the one at offset 8 * i
     */
    public void prefetch(long word, long rowWords) {
        if (table.entries() > FEW) {
            int hash = hash(word);
            readAhead.announce(this, table.bucketFor(hash), hash, rowWords);
        }
    }

    /** Whether a key is a single number, which {@link #prefetchNumber} takes. */
    public boolean isOfOneNumber() {
        return singleWord && layout.isOneNumber();
    }

    /** The same for a number that is the whole key, and the beginning of the row. */
    public void prefetchNumber(long number) {
        prefetch(layout.ofNumber(number), 1 | 1L << secondLine / Long.BYTES);
    }

    /**
     * A row with this hash whose entry is in the bucket itself, or 0; some other row if there are several. No jump depends
     * on what it reads, but for the last, which goes the same way nearly always: so the processor need not wait for one
     * bucket before it goes on to the next.
     */
    long rowIn(long bucket, int hash) {
        long wanted = hash & HASH_MASK;
        long number = 0;
        for (int at = 0; at < BucketChains.BUCKET; at += 8) {
            long slot = memory.getLong(bucket + at);
            long difference = slot >>> 32 ^ wanted;
            number |= slot & (difference - 1) >> 63;
        }
        long row = rows.address((int) number - 1);
        return (int) number > 0 && row < rows.end() ? row : 0;
    }

    /** The bucket in which keys of this hash are, if they are in none that it overflows to. */
    long bucketFor(int hash) {
        return table.bucketFor(hash);
    }

    /** See {@link HashLookups}. */
    long secondLine() {
        return secondLine;
    }

    /** Whether there is a live row at an address where one was, and its key is this word, which is the whole key. */
    public boolean holds(long row, long word) {
        return (memory.getLong(row) & RowLayout.LIVE) != 0 && layout.encodeWord(memory, row) == word;
    }

    /** The same for any key. */
    public boolean holds(long row, IndexKey key) {
        return (memory.getLong(row) & RowLayout.LIVE) != 0 && layout.matches(memory, row, key);
    }

    /** Whether {@link #find(long)} may be used: a unique index whose key is one word and exact. */
    public boolean findsByWord() {
        return unique && singleWord;
    }

    /** Starts iterating over the rows with this key (any index), in the order of their row ids. */
    public void open(IndexKey key, IndexCursor cursor) {
        cursor.openEmpty();
        if (unique && !isNullKey(key)) {
            long row = find(key);
            if (row != 0) {
                cursor.add(row, 0);
            }
        } else if (unique) {
            SharedKeys.openTree(many, layout, key, cursor);
        } else {
            shared.open(key, hashOf(key), cursor);
        }
    }

    /** Whether any number of rows can have this key although the index is unique. */
    private boolean isNullKey(IndexKey key) {
        return nullable && layout.hasNull(key);
    }

    private long rowId(long row) {
        return memory.getLong(row) & RowLayout.ROW_ID_MASK;
    }

    static int hash(long word) {
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

    /** The hash of a key. Depends on the index's definition alone: any thread may ask. */
    public int hashOf(IndexKey key) {
        return singleWord ? hash(key.words[0]) : hash(key);
    }

    @Override
    public void reserve() {
        table.reserve();
        if (many != null) {
            many.reserve();
        }
    }

    /** Only where each row has an entry of its own. */
    @Override
    public void expectRows(long count, long likely) {
        if (unique && !nullable) {
            table.expect(count, likely);
        }
    }

    @Override
    public void trim() {
        table.trim();
    }

    @Override
    public void trimIfMuch() {
        table.trimIfMuch();
        if (many != null) {
            many.trimIfMuch();
        }
    }

    @Override
    public long insert(long row) {
        if (unique && !nullable && singleWord) {
            return insertHashed(hash(layout.encodeWord(memory, row)), row);
        }
        layout.encode(memory, row, own);
        if (unique && !isNullKey(own)) {
            return insertHashed(hashOf(own), row);
        }
        insertOwn(row);
        return 0;
    }

    /**
     * The same as {@link #insert} in a unique index for a key without NULL, where its {@linkplain #hashOf hash} is known already. One
     * way through the chain: the row is entered where the search for its key ends, and the key is read only where another one has
     * the same hash.
     */
    public long insertHashed(int hash, long row) {
        readAhead.fetchIfPending();
        long bucket = table.bucketFor(hash);
        long slot = 0;
        for (int at = 0; at < BucketChains.BUCKET; at += 8) {
            slot = memory.getLong(bucket + at);
            if (slot == 0) {
                table.insertAt(bucket + at, hash, rows.number(row));
                return 0;
            }
            if ((int) (slot >>> 32) == hash && (int) slot > 0 && hasKeyOf(slot, row)) {
                return rows.address((int) slot - 1);
            }
        }
        while ((int) slot < 0) {
            bucket = table.overflowBucket(slot);
            for (int at = 0; at < BucketChains.OVERFLOW; at += 8) {
                slot = memory.getLong(bucket + at);
                if ((int) (slot >>> 32) == hash && (int) slot > 0 && hasKeyOf(slot, row)) {
                    return rows.address((int) slot - 1);
                }
            }
        }
        table.insert(hash, rows.number(row));
        return 0;
    }

    private boolean hasKeyOf(long slot, long row) {
        layout.encode(memory, row, own);
        return layout.matches(memory, rows.address((int) slot - 1), own);
    }

    @Override
    public void insertImage(long row, long image) {
        layout.encode(memory, image, own);
        insertOwn(row);
    }

    /** Enters a row under the key in {@link #own}. */
    private void insertOwn(long row) {
        if (!unique) {
            shared.insert(own, hashOf(own), row);
        } else if (isNullKey(own)) {
            many.insert(own, rowId(row), row);
        } else {
            table.insert(hashOf(own), rows.number(row));
        }
    }

    @Override
    public void remove(long row, long image) {
        layout.encode(memory, image, own);
        boolean removed = unique && isNullKey(own)
                ? many.remove(own, rowId(row), row)
                : table.remove(hashOf(own), rows.number(row))
                        || !unique && shared.removeElsewhere(own, hashOf(own), row);
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
        return table.rows() + (many == null ? 0 : many.size());
    }

    @Override
    public long bytesInUse() {
        return table.bytesInUse() + (many == null ? 0 : many.bytesInUse());
    }

    @Override
    public Content detach() {
        return new HashContent(table.detach(), many == null ? null : many.detach());
    }

    @Override
    public void restore(Content content) {
        HashContent detached = (HashContent) content;
        table.restore(detached.table);
        if (many != null) {
            many.restore(detached.many);
        }
    }

    @Override
    public void drop() {
        table.drop();
        if (many != null) {
            many.nodes.drop();
        }
    }

    @Override
    public void verifyFinds(long row) {
        layout.encode(memory, row, own);
        boolean found;
        if (unique) {
            found = (isNullKey(own) ? many.find(own, rowId(row)) : find(own)) == row;
        } else {
            found = table.contains(hashOf(own), rows.number(row)) != (many.find(own, rowId(row)) == row);
        }
        if (!found) {
            throw new IllegalStateException("index " + definition().name() + " does not find row " + row);
        }
    }

    @Override
    public void verify() {
        long counted = table.verify(definition().name());
        if (many != null) {
            new TreeVerifier(many, definition().name()).verify();
            if (!unique && counted != table.rows() + many.size()) {
                throw new IllegalStateException("index " + definition().name() + " counts " + counted + " rows, has "
                        + table.rows() + " and " + many.size());
            }
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
            table.chains().drop();
            if (many != null) {
                many.drop();
            }
        }
    }
}
