package io.reprise.engine.replication;

import io.reprise.cluster.transaction.PartitionStore;
import io.reprise.cluster.transaction.Result;
import io.reprise.execution.Execution;
import io.reprise.execution.Failures;
import io.reprise.execution.Part;
import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.execution.Work;
import io.reprise.execution.durable.RequestCodec;
import io.reprise.log.LogRecordTooLargeException;
import io.reprise.log.LogRecords;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import io.reprise.log.WriteHash;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.record.data.DataCollector;
import io.reprise.runtime.agent.RunMonitor;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.compile.runtime.RowCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The rows of a partition as transactions over nodes use them. The effects of a part are a DATA record as the log will have
 * it when the part is committed.
 *
 * <pre>
 *  work:    1 byte 0 | request                          opens the transaction; a split statement runs its part
 *           1 byte 1 | 4 number | parameters            a statement of the procedure, which runs at the home
 *           1 byte 2 | change                           a change of the schema: tried, and taken back
 *           1 byte 3                                    a cut: changes nothing
 *  result:  rows, of a cut 8 bytes id; of a failure 1 byte code | message
 * </pre>
 *
 * <p>Owned by the partition's thread.
 */
final class EngineStore implements PartitionStore {
    static final byte OPEN = 0;
    static final byte STATEMENT = 1;
    static final byte CHANGE = 2;
    static final byte CUT = 3;

    private static final byte[] NOTHING = {};
    private static final ErrorCode[] CODES = ErrorCode.values();

    /** The most bytes of a part's record beside its effects. */
    private static final int MARGIN = 16 << 10;

    private final Partition partition;
    private final PartitionLog ring;
    private final EngineLog log;
    private final StreamSchema schema;
    private final StreamApplier applier;
    private final DataCollector collector;
    private final long mostBytes;
    private final RequestCodec requests = new RequestCodec();
    private final Part part = new Part();
    private PartitionExecutor executor;

    /** The transaction that holds the partition, and whether it has begun. */
    private Execution running = new Execution();

    private long id;
    private boolean begun;
    private int base;

    /** Whether a joiner waits for an image: no transaction begins before it is made. */
    private boolean imageDue;

    /** The change of the schema that the transaction makes, or null. */
    private byte[] change;

    /** The call whose procedure runs here and is to be remembered with its outcome, or null. */
    private Execution call;

    EngineStore(
            Partition partition,
            PartitionLog ring,
            EngineLog log,
            StreamSchema schema,
            StreamApplier applier,
            boolean differential,
            long mostBytes) {
        this.partition = partition;
        this.ring = ring;
        this.log = log;
        this.schema = schema;
        this.applier = applier;
        this.mostBytes = mostBytes;
        collector = new DataCollector(partition.store(), differential);
    }

    void runBy(PartitionExecutor theExecutor) {
        executor = theExecutor;
    }

    Partition partition() {
        return partition;
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
        begun = false;
        call = null;
        change = null;
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
        partition.store().rollbackTo(savepoint);
    }

    /** Takes back all that the procedure has changed here. */
    void restart() {
        partition.store().rollbackTo(base);
        base = partition.store().savepoint();
    }

    @Override
    public Result run(byte[] work) {
        ByteBuffer in = ByteBuffer.wrap(work);
        byte kind = in.get();
        if (kind == CHANGE) {
            return check(in);
        }
        if (kind == CUT) {
            return new Result(false, ByteBuffer.allocate(Long.BYTES).putLong(id).array());
        }
        boolean opens = kind == OPEN;
        Work of = running.work();
        RunMonitor monitor = partition.monitor();
        try {
            if (opens) {
                of = open(in);
            }
            monitor.begin();
            byte[] rows = opens ? runPart(of) : runStatement(of, in);
            RunMonitor.Verdict ended = monitor.end();
            if (ended != RunMonitor.Verdict.IN_TIME) {
                return failed(Failures.code(ended), Failures.message(of, ended));
            }
            return new Result(false, rows);
        } catch (RuntimeException | StackOverflowError failure) {
            monitor.end();
            return failed(Failures.code(failure), String.valueOf(Failures.message(of, failure)));
        }
    }

    private Result check(ByteBuffer in) {
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
            return failed(refusal.code(), refusal.getMessage());
        }
        change = content;
        return new Result(false, NOTHING);
    }

    private Work open(ByteBuffer in) {
        running = new Execution();
        requests.decode(in, schema::procedure, schema::statement, running);
        begun = true;
        running.work().checkArguments(running);
        running.work().route(running, schema.buckets());
        running.stamp(id);
        partition.begin(running);
        base = partition.store().savepoint();
        return running.work();
    }

    private byte[] runPart(Work of) {
        if (!of.splits()) {
            return NOTHING;
        }
        part.clear();
        of.runPart(partition, running, part);
        partition.store().checkLimitsKept(partition.store().hasWrites());
        byte[] rows = RowCodec.encode(part.rows());
        part.rows().empty();
        return rows;
    }

    private byte[] runStatement(Work of, ByteBuffer in) {
        CompiledStatement statement = of.statementAt(partition, in.getInt());
        of.decodeParameters(in, statement);
        statement.execute();
        partition.store().checkLimitsKept(partition.store().hasWrites());
        return RowCodec.encode(statement.found());
    }

    private static Result failed(ErrorCode code, String message) {
        byte[] text = message.getBytes(StandardCharsets.UTF_8);
        return new Result(
                true,
                ByteBuffer.allocate(1 + text.length)
                        .put((byte) code.ordinal())
                        .put(text)
                        .array());
    }

    static ErrorCode code(Result failed) {
        return CODES[failed.rows()[0]];
    }

    static String message(Result failed) {
        return new String(failed.rows(), 1, failed.rows().length - 1, StandardCharsets.UTF_8);
    }

    // ---- The end

    /** The call ends with its outcome if the transaction commits. */
    void remember(Execution ended) {
        call = ended;
    }

    @Override
    public byte[] effects() {
        if (change != null) {
            RecordBuilder record = ring.begin(RecordKind.SCHEMA, id, -1, 0);
            record.putBytes(change);
            return log.abandoned(record);
        }
        long bytes = begun ? collector.collect(true) : 0;
        RecordBuilder record = ring.begin(
                RecordKind.DATA,
                id,
                -1,
                WriteHash.folded(begun ? partition.store().writeHash() : 0));
        if (call != null && call.request().sequence() != 0) {
            record.putCaller(
                    call.request().client(),
                    call.request().sequence(),
                    call.outcome().result().kind().ordinal(),
                    call.outcome().result().word());
        }
        if (bytes > 0) {
            long to = record.makeRoom(bytes);
            record.wroteUpTo(collector.writeTo(record.memory(), to));
        }
        return log.abandoned(record);
    }

    /** Whether the log can take the effects of the running transaction. */
    boolean isLoggable() {
        try {
            return effects().length < mostBytes - MARGIN;
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
            partition.store().commit();
        }
        begun = false;
        if (call != null && call.request().sequence() != 0) {
            partition
                    .outcomes()
                    .remember(
                            call.request().client(),
                            call.request().sequence(),
                            call.outcome().result().kind(),
                            call.outcome().result().word(),
                            id);
        }
        partition.count(true);
    }

    @Override
    public void undo() {
        change = null;
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

    /** Begins a cycle without requests for images. */
    void beginStep() {
        imageDue = false;
    }

    /** Whether the rows have no changes of a transaction that runs. If not, none begins until the next cycle. */
    boolean hasImage() {
        imageDue = begun || change != null;
        return !imageDue;
    }

    @Override
    public void revert(long index) {
        NoRows.INSTANCE.revert(index);
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
