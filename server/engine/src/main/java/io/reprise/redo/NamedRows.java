package io.reprise.redo;

import io.reprise.id.Buckets;
import io.reprise.record.data.DataFormat;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.image.KeyNames;
import io.reprise.storage.image.PerTable;
import io.reprise.storage.image.RowImageCodec;

/**
 * The rows that data records change or delete. A partition that has these rows only can apply the records. Rows are held as hashes of their
 * names, so {@link #holds} may be true of a few others. A table that is truncated counts as a whole. One thread.
 */
public final class NamedRows {
    private static final int FIRST_SLOTS = 1 << 10;

    private final int bucketCount;
    private final PerTable<Named> tables;
    private final long[] changed = new long[DataFormat.MOST_COLUMN_WORDS];

    /** Hashes of names, none of them 0; 0: free. Open addressing, at most half full. */
    private long[] slots = new long[FIRST_SLOTS];

    private int count;
    private Memory records;
    private ImageCursor in;
    private Memory images;
    private ImageCursor image;
    private int bucket;
    private long number;

    /** No rows, of tables as the store defines them. */
    public NamedRows(PartitionStore store) {
        bucketCount = store.buckets().count();
        tables = new PerTable<>(store, table -> new Named(store, table));
    }

    private static final class Named {
        private final int id;
        private final boolean replicated;
        private final RowImageCodec codec;

        /** Null without a primary key. */
        private final KeyNames keys;

        private boolean wholly;

        Named(PartitionStore store, TableStore table) {
            id = table.id();
            replicated = table.table().replicated();
            codec = new RowImageCodec(store, table);
            keys = codec.hasKey() ? new KeyNames(codec) : null;
        }
    }

    /** Adds the rows that a record's payload names. */
    public void add(Memory memory, long payload, long bytes) {
        if (records != memory) {
            records = memory;
            in = new ImageCursor(memory);
        }
        in.over(payload, bytes);
        bucket = -1;
        while (in.hasNext()) {
            int id = in.varintUpTo(Integer.MAX_VALUE, "a table's id");
            if (!tables.has(id)) {
                throw in.damaged("there is no table " + id);
            }
            Named table = tables.of(id);
            number = 0;
            boolean more = true;
            while (more) {
                more = operation(table);
            }
        }
    }

    /** Passes over an operation. Returns false at the end of the group. */
    private boolean operation(Named table) {
        int operation = in.unsignedByte();
        if ((operation & DataFormat.BUCKET) != 0) {
            bucket = in.varintUpTo(bucketCount - 1, "a bucket");
            number = 0;
        }
        switch (operation & ~DataFormat.BUCKET) {
            case DataFormat.END -> {
                return false;
            }
            case DataFormat.INSERT -> {
                number += in.signedVarint();
                table.codec.skipRow(in);
            }
            case DataFormat.SPENT -> number += in.signedVarint();
            case DataFormat.DELETE -> name(table);
            case DataFormat.UPDATE -> {
                name(table);
                table.codec.sets().read(in, changed);
                table.codec.skipColumns(in, changed);
            }
            case DataFormat.TRUNCATE -> {
                in.skip(table.replicated ? 0 : bucketCount / Byte.SIZE);
                table.wholly = true;
            }
            default -> throw in.damaged("there is no operation " + operation);
        }
        return true;
    }

    private void name(Named table) {
        if (table.keys == null) {
            number += in.signedVarint();
            add(hash(table, table.replicated ? number : DirectWrites.rowId(bucket, number)));
        } else {
            add(hash(table, table.keys.ofKey(in)));
        }
    }

    private static long hash(Named table, long name) {
        return Buckets.mix(Buckets.mix(1, table.id), name) | 1;
    }

    private void add(long hash) {
        int slot = slot(slots, hash);
        if (slots[slot] != 0) {
            return;
        }
        slots[slot] = hash;
        count++;
        if (2 * count > slots.length) {
            long[] more = new long[2 * slots.length];
            for (long each : slots) {
                if (each != 0) {
                    more[slot(more, each)] = each;
                }
            }
            slots = more;
        }
    }

    private static int slot(long[] in, long hash) {
        int slot = (int) (hash >>> 1) & in.length - 1;
        while (in[slot] != 0 && in[slot] != hash) {
            slot = slot + 1 & in.length - 1;
        }
        return slot;
    }

    /** The number of rows, those of tables that count as a whole apart. */
    public int count() {
        return count;
    }

    /** Whether the row with this id and image may be named. */
    public boolean holds(int tableId, long rowId, Memory memory, long address, int length) {
        Named table = tables.of(tableId);
        if (table.wholly) {
            return true;
        }
        if (table.keys == null) {
            return slots[slot(slots, hash(table, rowId))] != 0;
        }
        if (images != memory) {
            images = memory;
            image = new ImageCursor(memory);
        }
        image.over(address, length);
        return slots[slot(slots, hash(table, table.keys.ofRow(image)))] != 0;
    }
}
