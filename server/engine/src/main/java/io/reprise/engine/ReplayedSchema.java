package io.reprise.engine;

import io.reprise.execution.Partition;
import io.reprise.execution.Work;
import io.reprise.execution.work.StatementCollector;
import io.reprise.execution.work.StatementWork;
import io.reprise.execution.work.WorkFactory;
import io.reprise.id.TransactionId;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.recovery.replay.BucketMove;
import io.reprise.recovery.replay.ImageRecord;
import io.reprise.recovery.replay.PartitionImage;
import io.reprise.recovery.replay.ReplaySchema;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/**
 * The schema of partitions that a log is replayed into: their tables, the procedure versions that the log's commands name, and ad
 * hoc statements. It begins empty; a snapshot's attachment and CATALOG records change it. Owned by the replaying thread.
 */
final class ReplayedSchema implements ReplaySchema {
    private static final int STATEMENTS = 1000;

    private final List<Partition> partitions;
    private final StatementCollector collector;
    private final AdHocStatements statements = new AdHocStatements(STATEMENTS);
    private final LongConsumer changed;

    /** The buckets of a partition at the log's place; null: the partitions' stores know them. */
    private IntFunction<BitSet> buckets;

    private final List<byte[]> jars = new ArrayList<>();

    /** By partition, the refusal of a block of its last image. Blocks behind it are passed over. */
    private final Map<Integer, ProcedureException> withoutRoom = new TreeMap<>();

    /** By version number. */
    private Work[] byVersion = new Work[0];

    private Schema schema = Schema.empty();
    private long cut = Long.MAX_VALUE;

    /** An empty schema of a reader that knows no cluster. */
    ReplayedSchema(List<Partition> partitions, StatementCollector collector) {
        this(partitions, collector, transaction -> {});
    }

    /**
     * An empty schema.
     *
     * @param changed is told of each change, by the cluster's transaction that made it; 0 of a node that serves alone
     */
    ReplayedSchema(List<Partition> partitions, StatementCollector collector, LongConsumer changed) {
        this.partitions = partitions;
        this.collector = collector;
        this.changed = changed;
    }

    /** Changes that transactions of the cluster with higher ids have made are left out. */
    void cutBehind(long id) {
        cut = id;
    }

    /** The stores take each record for theirs, and these are the buckets of a partition at the log's place. */
    void divideBy(IntFunction<BitSet> ofPartition) {
        buckets = ofPartition;
    }

    /** The schema behind the last change. */
    Schema schema() {
        return schema;
    }

    /** The jars that the changes brought, the oldest first. */
    List<byte[]> jars() {
        return jars;
    }

    /** Each record is of one partition: whatever it says is applied there. */
    static void ownAll(Partition partition) {
        BitSet all = new BitSet();
        all.set(0, partition.store().buckets().count());
        partition.store().own(all);
    }

    @Override
    public void image(int partition, ImageRecord record) {
        PartitionImage image = new PartitionImage(partitions.getFirst().peers().withId(partition));
        switch (record.part()) {
            case BEGIN -> {
                withoutRoom.remove(partition);
                image.clear(schema.catalog().tables().values());
            }
            case BLOCK -> {
                if (!withoutRoom.containsKey(partition)) {
                    load(partition, image, record.block());
                }
            }
            case END -> requireRoom(partition);
        }
    }

    /** An image without room may have no end: then it does not count, and the partition is as empty as its replica was. */
    private void load(int partition, PartitionImage image, byte[] block) {
        try {
            image.load(block);
        } catch (ProcedureException full) {
            if (full.code() != ErrorCode.MEMORY_LIMIT) {
                throw full;
            }
            withoutRoom.put(partition, full);
            image.clear(schema.catalog().tables().values());
        }
    }

    private void requireRoom(int partition) {
        ProcedureException full = withoutRoom.get(partition);
        if (full != null) {
            throw full;
        }
    }

    @Override
    public void move(int partition, BucketMove move) {
        new PartitionImage(partitions.getFirst().peers().withId(partition))
                .replay(schema.catalog().tables().values(), move);
    }

    @Override
    public Work procedure(int version) {
        return version >= 0 && version < byVersion.length ? byVersion[version] : null;
    }

    @Override
    public Work statement(String text) {
        StatementWork work = statements.find(text);
        if (work == null) {
            work = WorkFactory.adHoc(schema.catalog(), text);
            work.bind(partitions);
            statements.add(text, work);
        }
        return work;
    }

    @Override
    public void change(byte[] encoded, long transactionId) {
        SchemaRecord record = SchemaRecord.decode(encoded);
        if (record.transaction() > cut) {
            return;
        }
        SchemaChange change = record.whole()
                ? SchemaChange.instead(schema, record, collector)
                : SchemaChange.again(schema, record, collector);
        long madeBy = record.transaction() == 0 ? transactionId : record.transaction();
        if (buckets == null) {
            change.apply(partitions, TransactionId.epochMicros(madeBy));
        } else {
            partitions.forEach(partition -> partition.store().own(buckets.apply(partition.id())));
            change.apply(partitions, TransactionId.epochMicros(madeBy));
            partitions.forEach(ReplayedSchema::ownAll);
        }
        changed.accept(record.transaction());
        if (record.whole()) {
            jars.clear();
        }
        statements.retireAll();
        schema = change.after();
        jars.addAll(record.jars());
        int highest =
                schema.works().values().stream().mapToInt(Work::version).max().orElse(0);
        byVersion = new Work[highest + 1];
        schema.works().values().forEach(work -> byVersion[work.version()] = work);
    }
}
