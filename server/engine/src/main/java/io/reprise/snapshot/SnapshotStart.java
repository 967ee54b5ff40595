package io.reprise.snapshot;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Table;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.snapshot.file.TableContents;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import java.util.ArrayList;
import java.util.List;

/**
 * The beginning of one snapshot, as its transaction sees it, and its result, as the snapshot's thread sees it.
 * Messages go to that thread by a ring.
 */
public final class SnapshotStart {
    /** An event of a beginning. */
    enum Event {
        BEGUN,
        DURABLE,
        REFUSED
    }

    /** An event of a snapshot. */
    record Message(SnapshotStart start, Event event) {}

    private final List<PartitionSweep> sweeps;
    private final boolean byPartition;
    private final MpscRing<Message> messages;

    private long transactionId;
    private long logPosition;
    private Catalog catalog;
    private byte[] attachment;
    private List<TableContents> tables;
    private long rowsExpected;
    private String refusal;

    SnapshotStart(List<PartitionSweep> sweeps, boolean byPartition, MpscRing<Message> messages) {
        this.sweeps = sweeps;
        this.byPartition = byPartition;
        this.messages = messages;
    }

    /**
     * This is the snapshot's moment. Called once, by the thread that holds all partitions, in a transaction that
     * writes nothing. Nothing is copied but counters. If it throws, as when the heap has come to its end, it has
     * begun nowhere.
     *
     * @param id the transaction's id
     * @param theCatalog the schema at this moment
     * @param catalogAttachment bytes that the caller wants to find again with the catalog
     */
    public void begun(long id, Catalog theCatalog, byte[] catalogAttachment) {
        transactionId = id;
        catalog = theCatalog;
        attachment = catalogAttachment;
        tables = new ArrayList<>();
        if (byPartition) {
            for (PartitionSweep sweep : sweeps) {
                addContents(theCatalog, List.of(sweep));
                sweep.prepare(theCatalog, 0, 1);
            }
        } else {
            addContents(theCatalog, sweeps);
            for (PartitionSweep sweep : sweeps) {
                sweep.prepare(theCatalog, sweep.partition(), sweeps.size());
            }
        }
        Message message = new Message(this, Event.BEGUN);
        for (int i = 0; i < sweeps.size(); i++) {
            sweeps.get(i).begin();
        }
        say(message);
    }

    private void addContents(Catalog of, List<PartitionSweep> from) {
        for (Table table : of.tables().values()) {
            tables.add(contents(table, from));
        }
    }

    private TableContents contents(Table table, List<PartitionSweep> from) {
        TableContents contents = new TableContents(
                table.id(),
                table.name(),
                table.replicated(),
                sweeps.getFirst().store().buckets());
        for (PartitionSweep sweep : from) {
            PartitionStore store = sweep.store();
            TableStore tableStore = store.table(table.id());
            if (table.replicated()) {
                contents.nextRowId(0, tableStore.nextRowId(0));
                rowsExpected += tableStore.count();
                break;
            }
            rowsExpected += tableStore.count();
            for (int bucket = 0; bucket < contents.buckets(); bucket++) {
                if (byPartition || store.owns(bucket)) {
                    contents.nextRowId(bucket, Math.max(contents.nextRowId(bucket), tableStore.nextRowId(bucket)));
                }
            }
        }
        return contents;
    }

    /**
     * The log is on stable storage up to and with the transaction. Any thread; once, after {@link #begun}.
     *
     * @param position the log goes on here behind the transaction
     */
    public void durable(long position) {
        logPosition = position;
        say(new Message(this, Event.DURABLE));
    }

    /** The transaction can't run, or could not be committed. Any thread; instead of {@link #begun}, or behind it. */
    public void refused(String why) {
        refusal = why;
        say(new Message(this, Event.REFUSED));
    }

    private void say(Message message) {
        if (!messages.offer(message)) {
            throw new IllegalStateException(
                    "a snapshot was told of its beginning more often than there are things to say");
        }
    }

    long transactionId() {
        return transactionId;
    }

    long logPosition() {
        return logPosition;
    }

    Catalog catalog() {
        return catalog;
    }

    byte[] attachment() {
        return attachment;
    }

    List<TableContents> tables() {
        return tables;
    }

    long rowsExpected() {
        return rowsExpected;
    }

    String refusal() {
        return refusal;
    }
}
