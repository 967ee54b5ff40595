package io.reprise.record.data;

import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.ScratchSpace;
import io.reprise.storage.TableStore;
import io.reprise.storage.TransactionWrites;
import io.reprise.storage.image.PerTable;
import io.reprise.storage.image.RowImageCodec;

/**
 * Writes the payload of any transaction: sorts its writes by table and row first. Several writes of one row become one operation, and of
 * a changed row only the columns that differ are written, found by comparing the row with the images that the undo log has.
 *
 * <p>Nothing is allocated for transactions of usual size. Owned by the partition's thread.
 */
final class SortedPass {
    private final PartitionStore store;
    private final ScratchSpace scratch;
    private final Memory memory;
    private final boolean differential;
    private final PerTable<RowImageCodec> codecs;
    private final RowSum rows;
    private final NetWrites net = new NetWrites();
    private final long[] changed = new long[DataFormat.MOST_COLUMN_WORDS];

    private TransactionWrites writes;
    private long at;
    private int bucket;
    private long number;
    private boolean replicated;
    private RowImageCodec codec;

    /** The row whose number will be said to be spent, as nothing has followed yet that says it too; or -1. */
    private long spent;

    /**
     * For the transactions of a store.
     *
     * @param rows gets the rows
     * @param differential whether only changed columns of a changed row are written; all of them otherwise
     */
    SortedPass(PartitionStore store, PerTable<RowImageCodec> codecs, RowSum rows, boolean differential) {
        this.rows = rows;
        this.store = store;
        this.codecs = codecs;
        this.differential = differential;
        scratch = store.scratch();
        memory = store.memory();
    }

    /**
     * Writes the payload at the end of the scratch space, without taking it. Throws MEMORY_LIMIT.
     *
     * @param transactionWrites at the first
     * @return the address behind it
     */
    long write(TransactionWrites transactionWrites, boolean withReplicated) {
        writes = transactionWrites;
        codecs.forgetChanged();
        net.collect(writes);
        at = scratch.end();
        bucket = -1;
        for (int i = 0; i < net.tableCount(); i++) {
            TableWrites written = net.tableAt(i);
            TableStore table = store.table(written.id());
            replicated = table.table().replicated();
            if (withReplicated || !replicated) {
                group(written, table);
            }
        }
        return at;
    }

    private void group(TableWrites written, TableStore table) {
        codec = codecs.of(written.id());
        int bucketBefore = bucket;
        long groupStart = at;
        scratch.reserveTo(at + Varint.MOST_BYTES);
        at = Varint.put(memory, at, table.table().id());
        long operations = at;
        number = 0;
        if (written.truncated) {
            truncate(table.table());
        }
        if (written.dead || codec.changes().mayHaveUnique(written.updatedFrom, written.updatedTo)) {
            spent = -1;
            for (int head = written.firstHead; head >= 0; head = net.nextHead(head)) {
                vanish(table, head);
            }
            flushSpent();
        }
        // Local copies stay in registers.
        long to = at;
        for (int head = written.firstHead; head >= 0; head = net.nextHead(head)) {
            to = appear(table, head, to);
        }
        at = to;
        if (at == operations) {
            at = groupStart;
            bucket = bucketBefore;
            return;
        }
        scratch.reserveTo(at + 1);
        memory.putByte(at++, (byte) DataFormat.END);
    }

    private void truncate(Table table) {
        scratch.reserveTo(at + 1 + store.buckets().count() / 8);
        memory.putByte(at++, (byte) DataFormat.TRUNCATE);
        if (!table.replicated()) {
            for (int first = 0; first < store.buckets().count(); first += 8) {
                int bits = 0;
                for (int i = 0; i < 8; i++) {
                    bits |= (store.owns(first + i) ? 1 : 0) << i;
                }
                memory.putByte(at++, (byte) bits);
            }
        }
    }

    /** Writes the operation of a row that comes before all insertions. */
    private void vanish(TableStore table, int head) {
        int state = net.state(head);
        if (state == (NetWrites.BORN | NetWrites.DEAD)) {
            spend(table.rowId(net.row(head)));
        } else if (state == NetWrites.DEAD || state == 0 && changesUniqueKey(head)) {
            if (state == 0) {
                net.addState(head, NetWrites.REKEYED);
            }
            long row = net.row(head);
            reserve(at, oldKeyBound(row, head));
            at = operation(DataFormat.DELETE, table.rowId(row), at);
            oldKeyOrNumber(table.rowId(row), row, head);
            rows.deleted(table, row);
        }
    }

    private void reserve(long to, long images) {
        scratch.reserveTo(to + DataFormat.OPERATION_BOUND + images);
    }

    private long operation(int kind, long rowId, long to) {
        int rowBucket = DirectWrites.bucket(rowId);
        if (replicated || rowBucket == bucket) {
            return DataFormat.begin(memory, to, kind);
        }
        bucket = rowBucket;
        number = 0;
        return DataFormat.begin(memory, to, kind, rowBucket);
    }

    private long number(long rowId, long to) {
        long rowNumber = DirectWrites.number(rowId);
        long difference = rowNumber - number;
        number = rowNumber;
        return Varint.putSignedRoomy(memory, to, difference);
    }

    /** Says that a number is spent, unless the next one to say so is of the same bucket and higher. */
    private void spend(long rowId) {
        if (spent >= 0 && (DirectWrites.bucket(spent) != DirectWrites.bucket(rowId) || spent > rowId)) {
            flushSpent();
        }
        spent = rowId;
    }

    private void flushSpent() {
        if (spent >= 0) {
            reserve(at, 0);
            at = number(spent, operation(DataFormat.SPENT, spent, at));
            spent = -1;
        }
    }

    /** Writes the operation of a row that exists after the transaction. Returns the address behind it. */
    private long appear(TableStore table, int head, long to) {
        int state = net.state(head);
        long row = net.row(head);
        if (state == NetWrites.BORN || state == NetWrites.REKEYED) {
            reserve(to, codec.bounds().ofRow(row));
            long rowId = table.rowId(row);
            rows.written(table, row);
            return codec.writeRow(row, memory, number(rowId, operation(DataFormat.INSERT, rowId, to)));
        }
        if (state != 0) {
            return to;
        }
        if (!findChanged(head)) {
            return to;
        }
        rows.written(table, row);
        return codec.writeColumns(row, changed, memory, beginUpdate(table, row, to));
    }

    private long beginUpdate(TableStore table, long row, long to) {
        reserve(to, codec.bounds().ofKey(row) + codec.bounds().ofRow(row));
        long rowId = table.rowId(row);
        long key = operation(DataFormat.UPDATE, rowId, to);
        return codec.hasKey() ? codec.writeKey(row, memory, key) : number(rowId, key);
    }

    /** Whether any of the row's writes has changed a column of a unique index. */
    private boolean changesUniqueKey(int head) {
        long row = net.row(head);
        for (int node = head; node >= 0; node = net.nextOfRow(node)) {
            long position = net.position(node);
            int from = writes.from(position);
            if (codec.changes().hasUnique(row, writes.image(position) - from, from, from + writes.length(position))) {
                return true;
            }
        }
        return false;
    }

    private boolean findChanged(int head) {
        if (!differential) {
            codec.sets().setNotUnique(changed);
            return !codec.sets().isEmpty(changed);
        }
        codec.sets().clear(changed);
        long row = net.row(head);
        for (int node = head; node >= 0; node = net.nextOfRow(node)) {
            long position = net.position(node);
            int from = writes.from(position);
            codec.changes().addTo(changed, row, writes.image(position) - from, from, from + writes.length(position));
        }
        return !codec.sets().isEmpty(changed);
    }

    private long oldKeyBound(long row, int head) {
        long bound = codec.hasKey() ? codec.bounds().ofKey(row) : 0;
        for (int node = head; node >= 0 && codec.hasKey(); node = net.nextOfRow(node)) {
            long position = net.position(node);
            if (writes.isUpdate(position)) {
                bound += keyBoundInImage(position);
            }
        }
        return bound;
    }

    private long keyBoundInImage(long position) {
        long bound = 0;
        int from = writes.from(position);
        long image = writes.image(position) - from;
        for (int i = 0; i < codec.keyColumnCount(); i++) {
            int column = codec.keyColumn(i);
            if (codec.changes().isWithin(column, from, from + writes.length(position))) {
                bound += codec.bounds().ofValue(column, image);
            }
        }
        return bound;
    }

    /** The key that the row had before the transaction: from the first image that has the column, if any has. */
    private void oldKeyOrNumber(long rowId, long row, int head) {
        if (!codec.hasKey()) {
            at = number(rowId, at);
            return;
        }
        for (int i = 0; i < codec.keyColumnCount(); i++) {
            int column = codec.keyColumn(i);
            at = codec.writeValue(column, oldImage(column, row, head), memory, at);
        }
    }

    private long oldImage(int column, long row, int head) {
        for (int node = head; node >= 0; node = net.nextOfRow(node)) {
            long position = net.position(node);
            if (writes.isUpdate(position)) {
                int from = writes.from(position);
                if (codec.changes().isWithin(column, from, from + writes.length(position))) {
                    return writes.image(position) - from;
                }
            }
        }
        return row;
    }
}
