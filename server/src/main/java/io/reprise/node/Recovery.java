package io.reprise.node;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Partition;
import io.reprise.execution.Work;
import io.reprise.execution.work.StatementCollector;
import io.reprise.execution.work.StatementWork;
import io.reprise.execution.work.WorkFactory;
import io.reprise.id.TransactionId;
import io.reprise.log.LogReader;
import io.reprise.log.LogTail;
import io.reprise.log.physiological.DataRedo;
import io.reprise.recovery.replay.Replay;
import io.reprise.recovery.replay.ReplayProgress;
import io.reprise.recovery.replay.ReplaySchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Brings an engine's partitions and schema back from its directory. Runs on the thread that opens the engine. */
final class Recovery implements ReplaySchema {
    private static final int STATEMENTS = 1000;

    private final Options options;
    private final BucketMap buckets;
    private final List<Partition> partitions;
    private final StatementCollector collector;
    private final LogTail tail;
    private final AdHocStatements statements = new AdHocStatements(STATEMENTS);
    private final List<byte[]> jars = new ArrayList<>();
    private final Map<Integer, Work> byVersion = new HashMap<>();
    private Schema schema = Schema.empty();

    Recovery(
            Options options,
            BucketMap buckets,
            List<Partition> partitions,
            StatementCollector collector,
            LogTail tail) {
        this.options = options;
        this.buckets = buckets;
        this.partitions = partitions;
        this.collector = collector;
        this.tail = tail;
    }

    /** A log without a record is that of a database whose making was interrupted: it is made again. */
    Recovered run() {
        long lastId = replay(tail.firstPosition());
        partitions.forEach(partition -> partition.store().finishReplay());
        return lastId == 0 ? Recovered.nothing() : new Recovered(schema, jars, lastId, false);
    }

    private long replay(long from) {
        DataRedo[] redo = partitions.stream().map(p -> new DataRedo(p.store())).toArray(DataRedo[]::new);
        try (ReplaySites sites = new ReplaySites(options, partitions);
                LogReader reader = tail.read(from);
                Replay replay = new Replay(
                        sites.lanes(),
                        buckets,
                        this,
                        redo,
                        options.durability.log().maxRecordBytes(),
                        sites::idle,
                        ReplayProgress.NONE)) {
            replay.run(reader);
            return replay.lastId();
        }
    }

    @Override
    public Work procedure(int version) {
        return byVersion.get(version);
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
        byVersion.clear();
        schema.works().values().forEach(work -> byVersion.put(work.version(), work));
    }
}
