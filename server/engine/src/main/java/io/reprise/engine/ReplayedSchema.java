package io.reprise.engine;

import io.reprise.execution.Partition;
import io.reprise.execution.Work;
import io.reprise.execution.work.StatementCollector;
import io.reprise.execution.work.StatementWork;
import io.reprise.execution.work.WorkFactory;
import io.reprise.id.TransactionId;
import io.reprise.recovery.replay.ImageRecord;
import io.reprise.recovery.replay.PartitionImage;
import io.reprise.recovery.replay.ReplaySchema;
import java.util.ArrayList;
import java.util.List;

/**
 * The schema of partitions that a log is replayed into: their tables, the procedure versions that the log's commands name, and ad
 * hoc statements. It begins empty; a snapshot's attachment and CATALOG records change it. Owned by the replaying thread.
 */
final class ReplayedSchema implements ReplaySchema {
    private static final int STATEMENTS = 1000;

    private final List<Partition> partitions;
    private final StatementCollector collector;
    private final AdHocStatements statements = new AdHocStatements(STATEMENTS);
    private final List<byte[]> jars = new ArrayList<>();

    /** By version number. */
    private Work[] byVersion = new Work[0];

    private Schema schema = Schema.empty();

    ReplayedSchema(List<Partition> partitions, StatementCollector collector) {
        this.partitions = partitions;
        this.collector = collector;
    }

    /** The schema behind the last change. */
    Schema schema() {
        return schema;
    }

    /** The jars that the changes brought, the oldest first. */
    List<byte[]> jars() {
        return jars;
    }

    @Override
    public void image(int partition, ImageRecord record) {
        PartitionImage image = new PartitionImage(partitions.getFirst().peers().withId(partition));
        switch (record.part()) {
            case BEGIN -> image.clear(schema.catalog().tables().values());
            case BLOCK -> image.load(record.block());
            case END -> {}
        }
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
        SchemaChange change = SchemaChange.again(schema, record, collector);
        change.apply(partitions, TransactionId.epochMicros(transactionId));
        statements.retireAll();
        schema = change.after();
        jars.addAll(record.jars());
        int highest =
                schema.works().values().stream().mapToInt(Work::version).max().orElse(0);
        byVersion = new Work[highest + 1];
        schema.works().values().forEach(work -> byVersion[work.version()] = work);
    }
}
