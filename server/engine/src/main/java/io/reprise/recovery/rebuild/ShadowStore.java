package io.reprise.recovery.rebuild;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Table;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.Work;
import io.reprise.execution.durable.CommandReplayer;
import io.reprise.execution.durable.CommandSchema;
import io.reprise.log.LogFrame;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import io.reprise.log.WriteHash;
import io.reprise.procedure.ProcedureException;
import io.reprise.recovery.closure.LoggedTransaction;
import io.reprise.recovery.demand.TailIndex;
import io.reprise.recovery.replay.ReplaySchema;
import io.reprise.redo.DivergedReplayException;
import io.reprise.redo.SingleRedo;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowMasks;
import io.reprise.storage.TableStore;
import java.util.BitSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A store apart from the live ones, with all buckets as one partition. It holds only rows that some transactions of a log need, and runs these
 * again. Each row in it existed at that moment of the log with its indexed columns, so an absent row was absent or is not needed.
 *
 * <p>Of skipped transactions the deletions are applied by row id. A row whose indexed columns one of them has changed goes too: nothing needs it
 * any more, and a search must not find it by its old key. Confined to one thread.
 */
public final class ShadowStore implements AutoCloseable, CommandSchema {
    private final PartitionStore store;
    private final Partition partition;
    private final BucketMap map;
    private final ReplaySchema schema;
    private final Supplier<Catalog> catalog;
    private final CommandReplayer commands = new CommandReplayer();
    private final Execution execution = new Execution().withoutResult();
    private final SingleRedo redo;
    private final LogFrame frame = new LogFrame();
    private final LogRecords cursor = new LogRecords();

    /** Buckets that may have rows. */
    private final BitSet filled = new BitSet();

    /**
     * The parts of an empty store.
     *
     * @param partition over the store, alone
     * @param map has all buckets in it
     * @param schema makes the schema of its tables, which is empty
     * @param catalog the catalog of that schema, as it is at any time
     */
    public record Parts(Partition partition, BucketMap map, ReplaySchema schema, Supplier<Catalog> catalog) {}

    ShadowStore(Parts parts) {
        partition = parts.partition();
        store = partition.store();
        map = parts.map();
        schema = parts.schema();
        catalog = parts.catalog();
        redo = new SingleRedo(store, true);
        store.beginRecovery();
    }

    PartitionStore store() {
        return store;
    }

    Partition partition() {
        return partition;
    }

    Catalog catalog() {
        return catalog.get();
    }

    /** A change of the schema. A table that becomes partitioned may have rows in any bucket. */
    void change(byte[] record, long transactionId) {
        Catalog before = catalog.get();
        schema.change(record, transactionId);
        if (catalog.get().tables().values().stream()
                .anyMatch(table -> !table.replicated() && wasReplicated(before, table))) {
            filled.set(0, store.buckets().count());
        }
    }

    private static boolean wasReplicated(Catalog before, Table table) {
        return before.table(table.id()).map(Table::replicated).orElse(false);
    }

    /** Rows of a bucket are loaded. */
    void fill(int bucket) {
        filled.set(bucket);
    }

    /** Takes all rows away. */
    void clear() {
        BitSet all = new BitSet();
        all.set(0, store.buckets().count());
        forEachTable(table -> {
            table.directWrites().forgetRowIds();
            table.directWrites().truncate(all);
            table.directWrites().forgetNextRowIds();
        });
        filled.clear();
    }

    private void forEachTable(Consumer<TableStore> action) {
        for (Table table : catalog.get().tables().values()) {
            action.accept(store.table(table.id()));
        }
    }

    /**
     * Applies data records, from one place to another in an array of numbers, to some buckets and to replicated tables.
     *
     * @param of all of their rows have been loaded
     */
    void apply(TailIndex sorted, int[] numbers, int from, int to, BitSet of) {
        store.own(of);
        try {
            for (int i = from; i < to; i++) {
                sorted.view(numbers[i], frame, cursor);
                redo.append(cursor.transactionId(), cursor.memory(), cursor.payload(), cursor.payloadBytes());
            }
            redo.flush();
        } finally {
            BitSet all = new BitSet();
            all.set(0, map.count());
            store.own(all);
        }
    }

    /** Runs a transaction of the log again: the record at the cursor. */
    void run(LogRecords records, LoggedTransaction logged) {
        if (records.kind() == RecordKind.DATA) {
            redo.apply(records.transactionId(), records.memory(), records.payload(), records.payloadBytes());
        } else {
            raiseRowIds(logged);
            command(records);
        }
        if (logged.isCoarse()) {
            fillBuckets(logged);
        }
        for (int i = 0; i < logged.size(); i++) {
            filled.set(DirectWrites.bucket(logged.row(i)));
        }
    }

    private void fillBuckets(LoggedTransaction logged) {
        if (!logged.isConfined()) {
            filled.set(0, store.buckets().count());
            return;
        }
        for (int i = 0; i < logged.bucketCount(); i++) {
            filled.set(logged.bucket(i));
        }
    }

    private void command(LogRecords records) {
        try {
            commands.prepare(records, this, execution);
        } catch (ProcedureException e) {
            throw diverged(records, "it failed: " + e.getMessage(), e);
        }
        partition.begin(execution);
        try {
            execution.work().run(partition, execution);
            compare(records);
        } catch (RuntimeException | StackOverflowError e) {
            store.rollback();
            throw e instanceof DivergedReplayException diverged
                    ? diverged
                    : diverged(records, "it failed: " + e.getMessage(), e);
        }
        store.commit();
    }

    private void compare(LogRecords records) {
        if (!execution.outcome().succeeded()) {
            throw diverged(records, "it failed: " + execution.outcome().message(), null);
        }
        int hash = WriteHash.folded(store.writeHash());
        if (hash != records.writeHash()) {
            throw diverged(
                    records,
                    "it wrote something else (hash " + Integer.toHexString(hash) + ", the log has "
                            + Integer.toHexString(records.writeHash()) + ")",
                    null);
        }
    }

    private DivergedReplayException diverged(LogRecords records, String how, Throwable cause) {
        DivergedReplayException diverged = new DivergedReplayException(
                records.transactionId(),
                "The rebuild's run of transaction 0x" + Long.toHexString(records.transactionId()) + " ("
                        + execution.work().name() + ", in the log's frame at position " + records.framePosition()
                        + ") differs from the first time: " + how);
        if (cause != null) {
            diverged.initCause(cause);
        }
        return diverged;
    }

    /** Inserts of skipped transactions must not shift row ids: the lowest id of the transaction in each bucket is the next one. */
    private void raiseRowIds(LoggedTransaction logged) {
        for (int i = 0; i < logged.size(); i++) {
            if (logged.inserted(i) && isFirst(logged, i)) {
                store.table(logged.table(i))
                        .directWrites()
                        .raiseNextRowId(DirectWrites.bucket(logged.row(i)), DirectWrites.number(logged.row(i)));
            }
        }
    }

    private static boolean isFirst(LoggedTransaction logged, int element) {
        for (int i = 0; i < logged.size(); i++) {
            if (logged.row(i) < logged.row(element)
                    && logged.inserted(i)
                    && logged.table(i) == logged.table(element)
                    && DirectWrites.bucket(logged.row(i)) == DirectWrites.bucket(logged.row(element))) {
                return false;
            }
        }
        return true;
    }

    /** A transaction that does not run again. Of a coarse one all rows of its buckets go. */
    void skip(LoggedTransaction logged) {
        if (logged.isCoarse()) {
            skipCoarse(logged);
            return;
        }
        for (int i = 0; i < logged.size(); i++) {
            if (filled.get(DirectWrites.bucket(logged.row(i))) && store.hasTable(logged.table(i))) {
                skipRow(store.table(logged.table(i)), logged, i);
            }
        }
    }

    private static void skipRow(TableStore table, LoggedTransaction logged, int element) {
        long keys = logged.deleted(element) ? 0 : RowMasks.of(table.table()).indexed() & logged.written(element);
        if (logged.deleted(element) || keys != 0) {
            long row = table.directWrites().find(logged.row(element));
            if (row != 0) {
                table.directWrites().delete(row);
            }
        }
    }

    private void skipCoarse(LoggedTransaction logged) {
        BitSet gone = new BitSet();
        if (logged.isConfined()) {
            for (int i = 0; i < logged.bucketCount(); i++) {
                gone.set(logged.bucket(i));
            }
        } else {
            gone.set(0, store.buckets().count());
        }
        gone.and(filled);
        if (gone.isEmpty()) {
            return;
        }
        filled.andNot(gone);
        forEachTable(table -> {
            if (!table.table().replicated()) {
                table.directWrites().truncate(gone);
            }
        });
    }

    @Override
    public Work procedure(int version) {
        return schema.procedure(version);
    }

    @Override
    public Work statement(String text) {
        return schema.statement(text);
    }

    @Override
    public BucketMap buckets() {
        return map;
    }

    @Override
    public void close() {
        redo.close();
        frame.close();
        store.close();
    }
}
