package io.reprise.engine.replication;

import io.reprise.cluster.transaction.PartitionStore;
import io.reprise.cluster.transaction.Result;
import io.reprise.execution.Answers;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.execution.Request;
import io.reprise.execution.Work;
import io.reprise.id.BucketSet;
import io.reprise.log.LogRecordTooLargeException;
import io.reprise.log.LogRecords;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import io.reprise.log.WriteHash;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.record.data.DataCollector;
import io.reprise.recovery.replay.BucketMove;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.TransactionWrites;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The rows of a partition as transactions over nodes use them. The effects of a part are a DATA record as the log will have
 * it when the part is committed. At the home they are a CALLS record instead if answers from elsewhere are kept, each call can be run
 * again with them, and that is shorter.
 *
 * <pre>
 *  work:    1 byte 0 | 8 hash of the partition's buckets, as the home's map has them | opening of a batch of calls
 *           1 byte 1 | statements of these calls, whose procedures run at the home
 *           1 byte 2 | change of the schema: tried, and taken back
 *           1 byte 3                                    a cut: changes nothing
 *           1 byte 4 | {@link BucketMove} without rows  buckets leave or come: those that leave give their rows
 *           1 byte 5 | {@link BucketMove}               buckets come with these rows
 *           1 byte 6 | the last statements of these calls: aborted if one fails
 *  result:  as {@link MemberRuns} has it; of a cut 8 bytes id; of a refused change or move a failure;
 *           of buckets that leave the move that brings them
 * </pre>
 *
 * <p>Owned by the partition's thread.
 */
final class EngineStore implements PartitionStore {
    static final byte OPEN = 0;
    static final byte STATEMENTS = 1;
    static final byte CHANGE = 2;
    static final byte CUT = 3;
    static final byte MOVE = 4;
    static final byte ROWS = 5;
    static final byte LAST_STATEMENTS = 6;

    private static final int MOVED_BLOCK = 64 << 10;

    /** Rows that come take up to so many times their bytes in a record, with their indexes. */
    private static final int ROOM_FACTOR = 3;

    private static final byte[] NOTHING = {};

    /** The most bytes of a part's record beside its effects. */
    private static final int MARGIN = 16 << 10;

    private final Partition partition;
    private final PartitionLog ring;
    private final EngineLog log;
    private final StreamSchema schema;
    private final StreamApplier applier;
    private final DataCollector collector;
    private final LoadedRows rows;
    private final BucketSet written = new BucketSet();
    private final ReplicatedTransactions settings;
    private final long mostBytes;
    private final MemberRuns members;
    private PartitionExecutor executor;

    /** Null unless the logging is adaptive. */
    private PartForms forms;

    /** The version of the procedure whose call has run last. */
    private int version;

    /** The transaction that holds the partition, and whether it has begun. */
    private long id;

    private boolean begun;

    /** Whether a joiner waits for an image: no transaction begins before it is made. */
    private boolean imageDue;

    /** The change of the schema that the transaction makes, or null. */
    private byte[] change;

    /** The move of buckets that the transaction makes, or null. */
    private BucketMove move;

    /** The calls whose procedures run here and are to be remembered with their outcomes. */
    private final List<Execution> calls = new ArrayList<>();

    /** The calls that have run and are to be counted. */
    private int ran;

    /** Those that a replay can run again here alone. */
    private final AnsweredCalls answered = new AnsweredCalls();

    /** The effects of the running transaction, if nothing has run since they were made; else null. */
    private byte[] made;

    EngineStore(
            Partition partition,
            PartitionLog ring,
            EngineLog log,
            StreamSchema schema,
            StreamApplier applier,
            LoadedRows rows,
            ReplicatedTransactions settings) {
        this.partition = partition;
        this.ring = ring;
        this.log = log;
        this.schema = schema;
        this.applier = applier;
        this.rows = rows;
        this.settings = settings;
        mostBytes = settings.mostRecordBytes();
        collector = new DataCollector(partition.store(), settings.differential(), true);
        members = new MemberRuns(partition, schema, rows);
    }

    void runBy(PartitionExecutor theExecutor) {
        executor = theExecutor;
    }

    /** Before any transaction: has the forms of parts at home chosen. */
    void chooseBy(PartForms newForms) {
        forms = newForms;
    }

    /** Whether a rule of streams is kept. */
    boolean holds(StreamRule rule) {
        return settings.holds(rule);
    }

    Partition partition() {
        return partition;
    }

    /** The rows that are loaded. */
    LoadedRows rows() {
        return rows;
    }

    @Override
    public boolean isReadyFor(byte[] effects) {
        return rows.isWhole() || applier.isReadyFor(effects, rows);
    }

    // ---- Order

    @Override
    public boolean isAvailable() {
        return executor.isHere() && log.hasRingRoom() && !log.isChangeDue();
    }

    @Override
    public boolean hasRoom() {
        return !imageDue && !log.isFull() && log.hasRingRoom();
    }

    @Override
    public boolean isTurn(long of) {
        return !log.isChangeDue() && executor.isTurn(of);
    }

    @Override
    public long lastId() {
        return Math.max(log.lastId(), executor.lastTaken());
    }

    // ---- A transaction

    @Override
    public void begin(long of) {
        id = of;
        made = null;
        begun = false;
        calls.clear();
        answered.clear();
        ran = 0;
        version = Work.NO_VERSION;
        change = null;
        move = null;
        if (forms != null) {
            forms.begin();
        }
    }

    long id() {
        return id;
    }

    @Override
    public int savepoint() {
        return partition.store().savepoint();
    }

    @Override
    public void rollBack(int savepoint) {
        made = null;
        answered.clear();
        partition.store().rollbackTo(savepoint);
    }

    @Override
    public Result run(byte[] work) {
        made = null;
        ByteBuffer in = ByteBuffer.wrap(work);
        return switch (in.get()) {
            case CHANGE -> check(in);
            case CUT ->
                new Result(false, ByteBuffer.allocate(Long.BYTES).putLong(id).array());
            case MOVE -> open(BucketMove.decode(in));
            case ROWS -> take(BucketMove.decode(in));
            case STATEMENTS -> new Result(false, members.runStatements(in));
            case LAST_STATEMENTS -> {
                byte[] results = members.runStatements(in);
                yield new Result(members.hasFailed(), results);
            }
            default -> open(in);
        };
    }

    private Result open(ByteBuffer in) {
        partition.store().begin(id);
        begun = true;
        if (in.getLong() != log.buckets().hash() && holds(StreamRule.OPEN_WHERE_BUCKETS_ARE)) {
            return new Result(
                    false,
                    members.refuse(
                            in,
                            ErrorCode.PARTITION_UNAVAILABLE,
                            "buckets of partition " + partition.id() + " have moved; the call was not run. Try again"));
        }
        return new Result(false, members.open(in, id));
    }

    // ---- Moves

    private Result open(BucketMove opened) {
        partition.store().begin(id);
        begun = true;
        if (!rows.isWhole()) {
            return lacksRows("no bucket was moved");
        }
        BitSet buckets = opened.buckets();
        boolean fits = buckets.stream().allMatch(bucket -> log.buckets().has(bucket) != opened.comes());
        if (!fits) {
            return MemberRuns.failed(
                    ErrorCode.PARTITION_UNAVAILABLE,
                    "partition " + partition.id() + (opened.comes() ? " has buckets of " : " lacks buckets of ")
                            + buckets);
        }
        if (opened.comes()) {
            return new Result(false, NOTHING);
        }
        move = opened;
        long since = holds(StreamRule.MOVE_OUTCOMES) ? log.outcomesAt(opened.other()) : Long.MAX_VALUE;
        List<byte[]> rows = applier.rowsOf(buckets, since, MOVED_BLOCK);
        return new Result(false, new BucketMove(true, partition.id(), buckets, rows).encode());
    }

    private Result take(BucketMove coming) {
        long bytes = coming.blocks().stream().mapToLong(block -> block.length).sum();
        long limit = partition.store().options().memoryLimit();
        if (bytes >= mostBytes - MARGIN) {
            return MemberRuns.failed(
                    ErrorCode.VALUE_TOO_LONG,
                    "the rows of buckets " + coming.buckets() + " have " + bytes
                            + " bytes, and a record of the log has at most " + mostBytes + "; allow larger records");
        }
        if (partition.store().memoryUsed() + ROOM_FACTOR * bytes > limit) {
            return MemberRuns.failed(
                    ErrorCode.MEMORY_LIMIT,
                    "partition " + partition.id() + " has no room for buckets " + coming.buckets() + ": it uses "
                            + partition.store().memoryUsed() + " of " + limit + " bytes");
        }
        move = coming;
        return new Result(false, NOTHING);
    }

    private Result lacksRows(String consequence) {
        rows.askForAll();
        return MemberRuns.failed(
                ErrorCode.PARTITION_UNAVAILABLE,
                "rows of partition " + partition.id() + " are being loaded; " + consequence + ". Try again later");
    }

    private Result check(ByteBuffer in) {
        if (!rows.isWhole()) {
            return lacksRows("the schema was not changed");
        }
        byte[] content = new byte[in.remaining()];
        in.get(content);
        try {
            if (content.length >= mostBytes - MARGIN) {
                throw new ProcedureException(
                        ErrorCode.INVALID_REQUEST,
                        "the change of the schema, with its classes, has " + content.length
                                + " bytes, and a record of the log has at most " + mostBytes
                                + "; deploy smaller jars, or allow larger records");
            }
            schema.check(partition, content, id);
        } catch (ProcedureException refusal) {
            return MemberRuns.failed(refusal.code(), refusal.getMessage());
        }
        change = content;
        return new Result(false, NOTHING);
    }

    // ---- The end

    /** A call of the running transaction has succeeded, and ends with its outcome if the transaction commits. */
    void remember(Execution ended) {
        ran++;
        version = ended.work().version();
        boolean isNumbered = ended.request().sequence() != 0 && !ended.work().readOnly();
        if (isNumbered && holds(StreamRule.REMEMBER_OUTCOMES)) {
            calls.add(ended);
        }
    }

    /** No call has run: the transaction's calls begin anew. */
    void forgetCalls() {
        ran = 0;
        calls.clear();
    }

    /** The time before a run of a call; 0 if it is not measured. */
    long beforeRun() {
        return forms == null ? 0 : forms.nowNs();
    }

    /** No call has ended. */
    void forgetAnswers() {
        answered.clear();
    }

    /**
     * A call has ended whose changes here stay.
     *
     * @param hashBefore the write hash before its run
     * @param sinceNs the time {@linkplain #beforeRun before} its run
     */
    void ended(Execution call, long hashBefore, long sinceNs) {
        if (forms != null) {
            forms.ran(sinceNs);
        }
        Answers answers = partition.lent().keptAnswers();
        if (answers != null) {
            int hash = WriteHash.folded(partition.store().writeHash() - hashBefore);
            answered.add(call, partition.id(), answers, hash);
        }
    }

    @Override
    public byte[] effects() {
        byte[] effects = made == null ? make() : made;
        made = null;
        return effects;
    }

    private byte[] make() {
        if (change != null) {
            RecordBuilder record = ring.begin(RecordKind.SCHEMA, id, -1, 0);
            record.putBytes(change);
            return log.abandoned(record);
        }
        if (move != null) {
            RecordBuilder record = ring.begin(RecordKind.MOVE, id, -1, 0);
            record.putBytes(move.encode());
            return log.abandoned(record);
        }
        long bytes = begun ? collector.collect(true) : 0;
        byte[] answers = ran > 0 && answered.count() == ran ? makeCalls(bytes) : null;
        if (answers != null) {
            return answers;
        }
        RecordBuilder record = begin(RecordKind.DATA, begun ? collector.hash() : 0);
        if (bytes > 0) {
            long to = record.makeRoom(bytes);
            record.wroteUpTo(collector.writeTo(record.memory(), to));
        }
        madeRecord(true, record.payloadBytes());
        return log.abandoned(record);
    }

    private void madeRecord(boolean ofRows, long size) {
        if (forms != null) {
            forms.made(ofRows, size);
        }
    }

    /** The calls with their answers; null if the changes are logged instead. */
    private byte[] makeCalls(long dataBytes) {
        try {
            RecordBuilder record = begin(RecordKind.CALLS, partition.store().writeHash());
            long head = record.payloadBytes();
            answered.writeTo(record, id);
            if (!prefersRows(record.payloadBytes() - head, dataBytes)) {
                madeRecord(false, record.payloadBytes());
                return log.abandoned(record);
            }
            record.abandon();
        } catch (LogRecordTooLargeException e) {
            // The changes may be shorter.
        }
        return null;
    }

    private boolean prefersRows(long callBytes, long rowBytes) {
        return forms == null ? callBytes >= rowBytes : forms.prefersRows(version, id, callBytes, rowBytes);
    }

    private RecordBuilder begin(RecordKind kind, long hash) {
        boolean named = kind == RecordKind.DATA && begun && findBuckets();
        int only = named && written.size() == 1 ? written.get(0) : -1;
        RecordBuilder record = ring.begin(kind, id, only, WriteHash.folded(hash));
        if (named && only < 0) {
            record.putBuckets(written);
        }
        for (int i = 0; i < calls.size(); i++) {
            Request request = calls.get(i).request();
            io.reprise.execution.Result result = calls.get(i).outcome().result();
            record.putCaller(
                    request.client(), request.sequence(), result.kind().ordinal(), result.word(), i + 1 < calls.size());
        }
        return record;
    }

    /** Finds the buckets of the changed rows. Returns false if there are none, very many, or changes that are of no bucket. */
    private boolean findBuckets() {
        written.clear();
        TransactionWrites writes = partition.store().writes();
        while (writes.next()) {
            if (writes.kind() == TransactionWrites.Kind.TRUNCATE
                    || writes.table().table().replicated()) {
                return false;
            }
            written.add(DirectWrites.bucket(writes.table().rowId(writes.row())));
        }
        return written.size() > 0 && written.isListed();
    }

    /** Whether the log can take the effects of the running transaction, in which nothing runs any more. */
    boolean isLoggable() {
        try {
            made = make();
            return made.length < mostBytes - MARGIN;
        } catch (LogRecordTooLargeException e) {
            return false;
        }
    }

    @Override
    public void commit(long index) {
        if (change != null) {
            committed(change, id);
            change = null;
            return;
        }
        if (begun) {
            if (forms != null && move == null) {
                forms.committed(id, version, ran);
            }
            partition.store().commit();
        }
        begun = false;
        if (move != null) {
            log.moved(move, id);
            move = null;
        }
        for (Execution each : calls) {
            io.reprise.execution.Result result = each.outcome().result();
            partition
                    .outcomes()
                    .remember(each.request().client(), each.request().sequence(), result.kind(), result.word(), id);
        }
        for (int i = 0; i < Math.max(1, ran); i++) {
            partition.count(true);
        }
    }

    @Override
    public void undo() {
        change = null;
        move = null;
        if (begun) {
            begun = false;
            partition.store().rollback();
        }
    }

    @Override
    public void apply(long index, byte[] effects) {
        LogRecords record = applier.decoded(effects);
        if (record.kind() == RecordKind.SCHEMA) {
            committed(record.payloadCopy(), record.transactionId());
        } else if (record.kind() == RecordKind.MOVE) {
            log.moved(BucketMove.decode(record.payloadCopy()), record.transactionId());
        } else {
            applier.apply(effects);
        }
    }

    private void committed(byte[] content, long transactionId) {
        if (transactionId > schema.changed()) {
            log.changeIsDue(transactionId, content);
            schema.committed(content, transactionId);
        }
    }

    /** Whether the running transaction changes the schema, so that no rows have changed. */
    boolean isChange() {
        return change != null;
    }

    // ---- States

    /** Whether no transaction over nodes runs here, so that rows can be passed over. */
    boolean isBetweenTransactions() {
        return !begun && change == null;
    }

    /** Begins a cycle without requests for images. */
    void beginStep() {
        imageDue = false;
    }

    /** Whether the rows have no changes of a transaction that runs. If not, none begins until the next cycle. */
    boolean hasImage() {
        imageDue = !isBetweenTransactions();
        return !imageDue;
    }

    @Override
    public byte[] image() {
        return NOTHING;
    }

    @Override
    public void load(byte[] image) {
        // The log loads each block when it appends it.
    }
}
