package io.reprise.log.physiological;

import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.DamagedImageException;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.image.KeyHashes;
import io.reprise.storage.image.RowImageCodec;
import java.util.Arrays;

/**
 * Goes through data records ahead of their {@link DataRedo} and notes which rows it will need. A redo waits for memory
 * more than for anything else, as each row that it looks up is somewhere else; known beforehand, they can be fetched many
 * at a time.
 *
 * <p>Another thread's than the partition's: it touches no row, only definitions, which must not change meanwhile. What
 * it finds is a hint. Of bytes that are no record it says nothing: that is for the redo to say.
 */
public final class DataScout {
    private final PartitionStore store;
    private final long[] columns = new long[DataFormat.MOST_COLUMN_WORDS];
    private Target[] targets = new Target[16];
    private Memory memory;
    private ImageCursor in;
    private int bucket;

    private record Target(TableStore table, RowImageCodec codec, KeyHashes hashes) {
        static Target of(PartitionStore store, TableStore table) {
            RowImageCodec codec = new RowImageCodec(store, table);
            return new Target(table, codec, KeyHashes.of(codec));
        }
    }

    DataScout(PartitionStore store) {
        this.store = store;
    }

    /** Adds what a record's payload will need of this partition. */
    public void scan(Memory source, long address, long length, Lookups lookups) {
        if (memory != source) {
            memory = source;
            in = new ImageCursor(source);
        }
        in.over(address, length);
        bucket = -1;
        try {
            while (in.hasNext()) {
                int tableId = in.varintUpTo(Integer.MAX_VALUE, "a table's id");
                if (!store.hasTable(tableId)) {
                    return;
                }
                group(tableId, target(tableId), lookups);
            }
        } catch (DamagedImageException e) {
            // The redo comes to the same bytes and says whose they are.
            return;
        }
    }

    private Target target(int tableId) {
        TableStore table = store.table(tableId);
        if (tableId >= targets.length) {
            targets = Arrays.copyOf(targets, Math.max(tableId + 1, 2 * targets.length));
        }
        Target target = targets[tableId];
        if (target == null || !target.codec.isFor(table)) {
            target = Target.of(store, table);
            targets[tableId] = target;
        }
        return target;
    }

    private void group(int tableId, Target target, Lookups lookups) {
        boolean replicated = target.table.table().replicated();
        while (true) {
            int operation = in.unsignedByte();
            if (operation == DataFormat.END) {
                return;
            }
            if ((operation & DataFormat.BUCKET) != 0) {
                bucket = in.varintUpTo(Buckets.COUNT - 1, "a bucket");
            }
            boolean needed = target.hashes != null && (replicated || bucket >= 0 && store.owns(bucket));
            switch (operation & ~DataFormat.BUCKET) {
                case DataFormat.INSERT -> {
                    in.signedVarint();
                    if (needed) {
                        lookups.add(tableId, target.hashes.ofRow(in));
                    } else {
                        target.codec.skipRow(in);
                    }
                }
                case DataFormat.UPDATE -> {
                    key(tableId, target, needed, lookups);
                    target.codec.readColumnSet(in, columns);
                    target.codec.skipColumns(in, columns);
                }
                case DataFormat.DELETE -> key(tableId, target, needed, lookups);
                case DataFormat.SPENT -> in.signedVarint();
                case DataFormat.TRUNCATE -> in.skip(replicated ? 0 : Buckets.COUNT / Byte.SIZE);
                default -> throw in.damaged("there is no operation " + operation);
            }
        }
    }

    private void key(int tableId, Target target, boolean needed, Lookups lookups) {
        if (needed) {
            lookups.add(tableId, target.hashes.ofKey(in));
        } else if (target.codec.hasKey()) {
            target.codec.skipKey(in);
        } else {
            in.signedVarint();
        }
    }
}
