package io.reprise.engine;

import io.reprise.engine.replication.NodeStreams;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Partition;
import io.reprise.execution.Result;
import io.reprise.execution.Work;
import io.reprise.execution.durable.CommandSchema;
import io.reprise.execution.work.RefusedWork;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import io.reprise.record.command.CommandReader;
import io.reprise.record.command.DamagedCommandException;
import io.reprise.recovery.demand.TailIndex;
import io.reprise.recovery.run.LogRun;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The scan of the log behind a snapshot for a recovery on demand. It indexes commands and data records by bucket, remembers numbered calls, and
 * plans ad hoc statements. Afterwards it is the schema by which the records are applied; any thread reads it then.
 *
 * <p>In a cluster it takes up the state of the streams too, and each record is of one partition. A log with an image or a move of buckets can't
 * be indexed, because its buckets change their partitions.
 */
final class DemandIndex implements CommandSchema {
    private static final int MOST_STATEMENTS = 1000;
    private final List<Partition> partitions;
    private final ReplayedSchema schema;

    /** The streams of a cluster's node; null on a node that serves alone. */
    private final NodeStreams streams;

    /** By partition, the buckets of a cluster's node. */
    private final Map<Integer, int[]> bucketsOf = new TreeMap<>();

    private BucketMap buckets;
    private final Map<String, Work> statements = new TreeMap<>();
    private final CommandReader commands = new CommandReader();
    private final TailIndex tail;
    private long lastId;

    /** The index of a node that serves alone. */
    DemandIndex(BucketMap buckets, List<Partition> partitions, ReplayedSchema schema, TailIndex tail) {
        this(buckets, partitions, schema, tail, null);
    }

    /**
     * An index.
     *
     * @param streams of a cluster's node; null on a node that serves alone
     */
    DemandIndex(
            BucketMap buckets, List<Partition> partitions, ReplayedSchema schema, TailIndex tail, NodeStreams streams) {
        this.streams = streams;
        this.buckets = buckets;
        this.partitions = partitions;
        this.schema = schema;
        this.tail = tail;
    }

    /** Scans a log to its end. Returns false if it has a record that can't be applied bucket by bucket. */
    boolean scan(LogReader reader) {
        LogRecords records = new LogRecords();
        try (LogFrame frame = new LogFrame()) {
            while (reader.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    lastId = Math.max(lastId, records.transactionId());
                    if (!add(records)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private boolean add(LogRecords records) {
        // Before a part is shown, which names its own buckets instead of the call's.
        rememberCallers(records);
        if (streams != null) {
            streams.record(records);
        }
        switch (records.kind()) {
            case COMMAND, DATA, BOUNDARY, CALLS -> {
                int parts = records.parts();
                for (int part = 0; part < parts; part++) {
                    records.showPart(part);
                    if (!addPart(records)) {
                        return false;
                    }
                }
            }
            case SNAPSHOT_BEGIN, FOOTPRINT, STATE_HASH -> {}
            case START, EPOCH, TRANSACTION -> {
                return streams != null;
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean addPart(LogRecords records) {
        boolean crosses = false;
        if (records.kind() == RecordKind.COMMAND) {
            Work work = work(records);
            if (work == null || work instanceof RefusedWork) {
                return false;
            }
            crosses = work.crossesBuckets();
        }
        if (!tail.hasRoom(records)) {
            return false;
        }
        if (streams != null) {
            return addOfStream(records, crosses);
        }
        tail.add(records, crosses);
        return true;
    }

    private boolean addOfStream(LogRecords records, boolean crosses) {
        if (records.isMultiPartition()) {
            return false;
        }
        if (records.kind() == RecordKind.DATA && records.payloadBytes() == 0) {
            return true;
        }
        if (!crosses && records.bucketCount() > 0) {
            tail.add(records, false);
            return true;
        }
        int[] all = bucketsOf.computeIfAbsent(
                records.partition(), of -> streams.buckets(of).stream().toArray());
        if (all.length == 0 || !tail.hasRoomForBarrier(all.length)) {
            return false;
        }
        tail.addBarrier(records, all);
        return true;
    }

    /**
     * Behind the scan: takes up the partition of each bucket, as the streams have it. Returns false if that is not the same for all partitions
     * here, or if the log has no streams, or a change of the schema that was not carried out.
     */
    boolean divide() {
        if (streams == null) {
            return true;
        }
        if (streams.starts().isEmpty() || streams.dueChange() != 0) {
            return false;
        }
        BitSet taken = new BitSet();
        SortedMap<Integer, Integer> moved = new TreeMap<>();
        for (Partition partition : partitions) {
            if (!streams.holds(partition.id())) {
                continue;
            }
            BitSet own = streams.buckets(partition.id());
            int[] before = bucketsOf.get(partition.id());
            boolean same = before == null || Arrays.equals(before, own.stream().toArray());
            if (!same || own.intersects(taken)) {
                return false;
            }
            taken.or(own);
            own.stream().forEach(bucket -> moved.put(bucket, partition.id()));
        }
        buckets = buckets.with(moved);
        return true;
    }

    /**
     * Whether a run's records can be applied bucket by bucket, from a position on. Otherwise its stretch of the log has to be scanned.
     * Takes over the outcomes of its calls, if all of it is used.
     *
     * @param most records from this position on are not used
     */
    boolean accepts(LogRun run, long from, long most) {
        if (run.unfit() >= from) {
            return false;
        }
        for (long version : run.versions()) {
            if (!isConfined(schema.procedure(Math.toIntExact(version)))) {
                return false;
            }
        }
        for (String text : run.statements()) {
            if (!isConfined(plan(text))) {
                return false;
            }
        }
        lastId = Math.max(lastId, run.lastId());
        if (run.end() <= most) {
            for (byte[] outcomes : run.manifest().origin().outcomes()) {
                partitions.forEach(partition -> partition.outcomes().decode(outcomes));
            }
        }
        return true;
    }

    /** Remembers the numbered calls of all records that are in memory. */
    void rememberCalls() {
        LogRecords record = new LogRecords();
        try (LogFrame frame = new LogFrame()) {
            for (int i = 0; i < tail.count(); i++) {
                if (tail.holds(i)) {
                    tail.view(i, frame, record);
                    rememberCallers(record);
                }
            }
        }
    }

    private void rememberCallers(LogRecords record) {
        if (record.hasCaller()) {
            do {
                remember(record);
            } while (record.nextCaller());
        }
    }

    private static boolean isConfined(Work work) {
        return work != null && !(work instanceof RefusedWork) && !work.crossesBuckets();
    }

    /** The work of a command, or null if it can't be known before the command is run. */
    private Work work(LogRecords records) {
        try {
            commands.over(records.memory().segment(), records.payload(), records.payloadBytes());
            return commands.versionId() == Work.NO_VERSION
                    ? plan(commands.statement())
                    : procedure(Math.toIntExact(commands.versionId()));
        } catch (DamagedCommandException | ArithmeticException e) {
            return null;
        }
    }

    private Work plan(String text) {
        Work known = statements.get(text);
        if (known != null || statements.size() == MOST_STATEMENTS) {
            return known;
        }
        try {
            Work planned = schema.statement(text);
            statements.put(text, planned);
            return planned;
        } catch (RuntimeException | StackOverflowError e) {
            return null;
        }
    }

    /** A call of several buckets, or of none in particular, may come again at any partition. */
    private void remember(LogRecords records) {
        for (Partition partition : partitions) {
            boolean isHere = streams == null
                    ? records.bucket() < 0 || buckets.partition(records.bucket()) == partition.id()
                    : records.isMultiPartition() || records.partition() == partition.id();
            if (isHere) {
                partition
                        .outcomes()
                        .remember(
                                records.client(),
                                records.sequence(),
                                Result.Kind.of(records.resultKind()),
                                records.resultWord(),
                                records.transactionId());
            }
        }
    }

    /** The highest transaction id so far. */
    long lastId() {
        return lastId;
    }

    @Override
    public Work procedure(int version) {
        return schema.procedure(version);
    }

    @Override
    public Work statement(String text) {
        return statements.get(text);
    }

    @Override
    public BucketMap buckets() {
        return buckets;
    }
}
