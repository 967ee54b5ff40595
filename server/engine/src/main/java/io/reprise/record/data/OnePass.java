package io.reprise.record.data;

import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.ScratchSpace;
import io.reprise.storage.TableStore;
import io.reprise.storage.TransactionWrites;
import io.reprise.storage.TransactionWrites.Kind;
import io.reprise.storage.image.PerTable;
import io.reprise.storage.image.RowImageCodec;
import io.reprise.storage.image.UpdateWriter;
import io.reprise.storage.image.UpdateWriters;
import java.util.Arrays;

/**
 * The fast way to a payload: one pass over a transaction's writes, each of which becomes an operation at the end of its table's group. It
 * takes half the time of {@link SortedPass} and suits nearly all transactions. It gives up on the way if a row is written twice, is deleted
 * after insertions or updates, or has a changed unique key, if a table is truncated or too wide, or if the room does not suffice.
 *
 * <p>The first operation of a group gets its bucket when the groups are {@linkplain #writeTo put together}, because that depends on the groups
 * before it.
 *
 * <p>Owned by the partition's thread.
 */
final class OnePass {
    private static final int MOST_GROUPS = 12;

    /** The longest usual row fits in a few times. */
    private static final int GROUP_BYTES = 12 << 10;

    /** From one group's place to the next: not a multiple of pages, for the caches' sake. */
    private static final int PLACE_BYTES = GROUP_BYTES + 192;

    /** The room of a group besides its operations: its table and end, its first bucket, and bytes that are overwritten behind it. */
    private static final int AROUND_GROUP = DataFormat.OPERATION_BOUND + Varint.MOST_BYTES;

    private static final int MOST_WRITES = 256;
    private static final int SLOT_BITS = 9;
    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** A row's address has fewer; above them a slot has the transaction's stamp. */
    private static final int ADDRESS_BITS = 48;

    private final ScratchSpace scratch;
    private final Memory memory;
    private final PerTable<Group> perTable;
    private final RowSum rows;

    /** Rows by a hash of their address, each with its transaction's stamp. A slot with another stamp is empty. */
    private final long[] slots = new long[SLOT_MASK + 1];

    private long stamp;

    /** Those of the transaction's tables, in the order in which they were first written. */
    private final Group[] groups = new Group[MOST_GROUPS];

    private int groupCount;
    private long start;

    OnePass(PartitionStore store, PerTable<RowImageCodec> codecs, RowSum rows) {
        this.rows = rows;
        perTable = new PerTable<>(store, table -> {
            codecs.forgetChanged();
            return new Group(table, codecs.of(table.table().id()));
        });
        scratch = store.scratch();
        memory = store.memory();
    }

    /** The transaction's writes to one table. Kept from one transaction to the next. */
    private static final class Group {
        private final int tableId;
        private final TableStore table;
        private final RowImageCodec codec;
        private final boolean replicated;
        private final boolean narrow;
        private long stamp;

        /** The writer of its last update. */
        private UpdateWriter updateWriter;

        private long updatedRange;

        private long start;
        private long at;
        private long end;

        /** The buckets of the first and the last operation; of replicated tables -1. */
        private int firstBucket;

        private int bucket;
        private long number;

        /** Whether a row was inserted or updated, which all deletions have to precede. */
        private boolean appeared;

        Group(TableStore table, RowImageCodec codec) {
            this.table = table;
            this.codec = codec;
            tableId = table.table().id();
            replicated = table.table().replicated();
            narrow = codec.isNarrow();
        }

        void begin(long newStamp, long place) {
            stamp = newStamp;
            start = place;
            at = place;
            end = place + GROUP_BYTES;
            number = 0;
            appeared = false;
        }

        UpdateWriter updateWriter(int from, int length) {
            long range = UpdateWriters.range(from, length);
            if (range != updatedRange || updateWriter == null) {
                updateWriter = codec.updates().of(from, length);
                updatedRange = range;
            }
            return updateWriter;
        }

        boolean hasRoom(long images) {
            return end - at >= DataFormat.OPERATION_BOUND + images;
        }
    }

    /**
     * Collects what a transaction has written, beyond the end of the scratch space, without taking it.
     *
     * @param writes at the first
     * @return false: the writes have to be sorted
     */
    boolean collect(TransactionWrites writes, boolean withReplicated) {
        begin();
        if (!scratch.hasRoomTo(place(MOST_GROUPS))) {
            return false;
        }
        int count = 0;
        while (writes.next()) {
            Kind kind = writes.kind();
            if (kind == Kind.TRUNCATE || ++count > MOST_WRITES) {
                return false;
            }
            Group group = group(writes.tableId());
            if (group == null || !isFirst(writes.row())) {
                return false;
            }
            if ((withReplicated || !group.replicated) && !write(group, kind, writes)) {
                return false;
            }
        }
        return true;
    }

    private void begin() {
        perTable.forgetChanged();
        start = scratch.end();
        groupCount = 0;
        stamp += 1L << ADDRESS_BITS;
        if (stamp == 0) {
            // Stamps begin anew, so slots of earlier transactions must go.
            Arrays.fill(slots, 0);
            perTable.forget();
            stamp = 1L << ADDRESS_BITS;
        }
    }

    /** The address of a group. */
    private long place(int index) {
        return start + (long) index * PLACE_BYTES;
    }

    /** Whether the row was not written before in this transaction. */
    private boolean isFirst(long row) {
        long stamped = row | stamp;
        int slot = (int) (row * GOLDEN >>> Long.SIZE - SLOT_BITS);
        while ((slots[slot] ^ stamp) >>> ADDRESS_BITS == 0) {
            if (slots[slot] == stamped) {
                return false;
            }
            slot = slot + 1 & SLOT_MASK;
        }
        slots[slot] = stamped;
        return true;
    }

    /** Returns null if there can't be one. */
    private Group group(int tableId) {
        Group group = perTable.of(tableId);
        if (group.stamp != stamp) {
            if (groupCount == MOST_GROUPS || !group.narrow) {
                return null;
            }
            group.begin(stamp, place(groupCount));
            groups[groupCount++] = group;
        }
        return group;
    }

    private boolean write(Group group, Kind kind, TransactionWrites writes) {
        return switch (kind) {
            case INSERT -> insert(group, writes.row());
            case UPDATE -> update(group, writes.row(), writes);
            case DELETE -> delete(group, writes.row());
            case TRUNCATE -> false;
        };
    }

    private boolean insert(Group group, long row) {
        RowImageCodec codec = group.codec;
        long rowId = group.table.rowId(row);
        if (!group.hasRoom(codec.bounds().ofRow(row))) {
            return false;
        }
        operation(group, DataFormat.INSERT, rowId);
        group.at = codec.writeRow(row, memory, number(group, rowId));
        group.appeared = true;
        rows.written(group.table, row);
        return true;
    }

    private boolean update(Group group, long row, TransactionWrites writes) {
        RowImageCodec codec = group.codec;
        long rowId = group.table.rowId(row);
        if (!group.hasRoom(codec.bounds().ofKey(row) + codec.bounds().ofRow(row))) {
            return false;
        }
        int from = writes.from();
        UpdateWriter writer = group.updateWriter(from, writes.length());
        long begin = group.at;
        int bucket = group.bucket;
        long number = group.number;
        operation(group, DataFormat.UPDATE, rowId);
        long to = codec.hasKey() ? group.at : number(group, rowId);
        long end = writer.update(memory, row, writes.image() - from, to);
        if (end > 0) {
            group.at = end;
            group.appeared = true;
            rows.written(group.table, row);
            return true;
        }
        group.at = begin;
        group.bucket = bucket;
        group.number = number;
        return end == UpdateWriter.UNCHANGED;
    }

    /** Its key is what it was before the transaction, which has not written it before. */
    private boolean delete(Group group, long row) {
        RowImageCodec codec = group.codec;
        long rowId = group.table.rowId(row);
        if (group.appeared || !group.hasRoom(codec.bounds().ofKey(row))) {
            return false;
        }
        operation(group, DataFormat.DELETE, rowId);
        group.at = codec.hasKey() ? codec.writeKey(row, memory, group.at) : number(group, rowId);
        rows.deleted(group.table, row);
        return true;
    }

    /** Begins an operation. */
    private void operation(Group group, int kind, long rowId) {
        int bucket = group.replicated ? -1 : DirectWrites.bucket(rowId);
        if (group.at == group.start) {
            group.firstBucket = bucket;
            group.bucket = bucket;
        }
        if (bucket == group.bucket) {
            group.at = DataFormat.begin(memory, group.at, kind);
        } else {
            group.at = DataFormat.begin(memory, group.at, kind, bucket);
            group.bucket = bucket;
            group.number = 0;
        }
    }

    private long number(Group group, long rowId) {
        long number = DirectWrites.number(rowId);
        long difference = number - group.number;
        group.number = number;
        return Varint.putSignedRoomy(memory, group.at, difference);
    }

    /** The room that the payload needs; 0 if there is no net effect. */
    long mostBytes() {
        long bytes = 0;
        for (int i = 0; i < groupCount; i++) {
            Group group = groups[i];
            bytes += group.at > group.start ? group.at - group.start + AROUND_GROUP : 0;
        }
        return bytes;
    }

    /** Writes the payload, the groups one behind the other, and returns the address behind it. */
    long writeTo(Memory target, long address) {
        long to = address;
        int bucket = -1;
        for (int i = 0; i < groupCount; i++) {
            Group group = groups[i];
            if (group.at > group.start) {
                to = first(group, bucket, target, to);
                long rest = group.at - group.start - 1;
                target.copyFrom(memory, group.start + 1, to, rest);
                to += rest;
                target.putByte(to++, (byte) DataFormat.END);
                bucket = group.replicated ? bucket : group.bucket;
            }
        }
        return to;
    }

    /** The group's table, and the beginning of its first operation. */
    private long first(Group group, int bucketBefore, Memory target, long to) {
        long operation = Varint.putRoomy(target, to, group.tableId);
        int kind = memory.getByte(group.start);
        return group.replicated || group.firstBucket == bucketBefore
                ? DataFormat.begin(target, operation, kind)
                : DataFormat.begin(target, operation, kind, group.firstBucket);
    }
}
