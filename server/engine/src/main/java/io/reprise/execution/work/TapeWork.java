package io.reprise.execution.work;

import io.reprise.catalog.ProcedureDefinition.Logging;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Elsewhere;
import io.reprise.execution.Execution;
import io.reprise.execution.Lent;
import io.reprise.execution.Partition;
import io.reprise.execution.Scope;
import io.reprise.execution.Work;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Statement;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.compile.runtime.HeapRows;
import io.reprise.sql.compile.runtime.RowBuffer;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The statements of a session's transaction, run in one go. Entries with a known answer are compared with it: a difference is a
 * conflict, and the transaction is rolled back. Entries without one get their answers.
 *
 * <p>A preview is rolled back whatever comes of it. It leaves out earlier statements that have no effect on the answers it is asked for
 * ({@link TapeSelection}), because the commit runs and compares them. Made for one execution; the thread that runs the transaction writes
 * to it, the reply publishes that.
 */
public final class TapeWork extends Work {
    private static final int NONE = -1;

    private final List<TapeEntry> entries;
    private final boolean preview;
    private final long nowMicros;
    private final long key;
    private final boolean writes;
    private final int[] savepoints;
    private final TapeSelection selection;
    private int conflict = NONE;
    private int failed = NONE;

    /**
     * A tape.
     *
     * @param preview whether it is rolled back at its end
     * @param nowMicros the time that its statements see; 0: its transaction's
     * @param key of the hashes of results
     */
    public TapeWork(List<TapeEntry> entries, boolean preview, long nowMicros, long key) {
        super("transaction of " + entries.size() + " steps");
        this.entries = List.copyOf(entries);
        this.preview = preview;
        this.nowMicros = nowMicros;
        this.key = key;
        boolean anyWrites = false;
        int marks = 0;
        for (TapeEntry entry : this.entries) {
            anyWrites |= entry.work != null && !entry.work.readOnly();
            marks = Math.max(marks, entry.savepoint + 1);
        }
        writes = anyWrites;
        savepoints = new int[marks];
        selection = new TapeSelection(this.entries, preview);
        // A client composed it, so no replay could run it again by a name.
        logAs(Logging.DATA);
        if (preview) {
            keepNothing();
        }
    }

    /** The entry whose answer has changed; -1: none. */
    public int conflict() {
        return conflict;
    }

    /** The entry that failed; -1: none. */
    public int failed() {
        return failed;
    }

    /** The number of rows that its writes have counted. */
    long counted() {
        long sum = 0;
        for (TapeEntry entry : entries) {
            sum += entry.count();
        }
        return sum;
    }

    @Override
    public boolean readOnly() {
        return !writes;
    }

    @Override
    public Scope scope() {
        return Scope.MULTI;
    }

    @Override
    public List<StatementFactory> statements() {
        return List.of();
    }

    @Override
    public void checkArguments(Execution execution) {
        for (TapeEntry entry : entries) {
            if (entry.work != null) {
                entry.work.checkCount(entry.arguments.count());
            }
        }
    }

    @Override
    public void route(Execution execution, BucketMap buckets) {
        execution.routeBy(buckets);
        StatementWork anywhere = null;
        for (int i = 0; i < entries.size(); i++) {
            if (selection.has(i)) {
                TapeEntry entry = entries.get(i);
                anywhere = entry.work;
                entry.work.addParticipants(execution, buckets, entry.arguments);
            }
        }
        if (execution.participantCount() > 0) {
            return;
        }
        if (anywhere == null) {
            execution.addParticipant(0);
        } else {
            anywhere.routeAnywhere(execution, buckets);
        }
    }

    @Override
    public void bind(List<Partition> partitions) {}

    @Override
    public void run(Partition partition, Execution execution) {
        conflict = NONE;
        failed = NONE;
        partition.store().fixNow(nowMicros);
        if (!isCurrent(execution)) {
            return;
        }
        for (int i = 0; i < entries.size(); i++) {
            TapeEntry entry = entries.get(i);
            switch (entry.kind) {
                case SAVEPOINT ->
                    savepoints[entry.savepoint] = partition.store().savepoint();
                case ROLLBACK_TO -> partition.store().rollbackTo(savepoints[entry.savepoint]);
                case STATEMENT -> {
                    if (selection.has(i) && !step(i, () -> entry.work.runIn(partition, entry.arguments), execution)) {
                        return;
                    }
                }
            }
        }
    }

    @Override
    public void runLent(Partition at, Execution execution) {
        conflict = NONE;
        failed = NONE;
        Lent lent = at.lent();
        for (int i = 0; i < lent.count(); i++) {
            lent.participant(i).store().fixNow(nowMicros);
        }
        if (!isCurrent(execution)) {
            return;
        }
        for (int i = 0; i < entries.size(); i++) {
            TapeEntry entry = entries.get(i);
            switch (entry.kind) {
                case SAVEPOINT -> savepoints[entry.savepoint] = lent.savepoint();
                case ROLLBACK_TO -> lent.rollbackTo(savepoints[entry.savepoint]);
                case STATEMENT -> {
                    if (selection.has(i) && !step(i, () -> runLent(at, entry), execution)) {
                        return;
                    }
                }
            }
        }
    }

    @Override
    public void runOver(Partition home, Execution execution, Elsewhere elsewhere) {
        conflict = NONE;
        failed = NONE;
        home.store().fixNow(nowMicros);
        if (!isCurrent(execution)) {
            return;
        }
        int[] there = new int[savepoints.length];
        for (int i = 0; i < entries.size(); i++) {
            TapeEntry entry = entries.get(i);
            switch (entry.kind) {
                case SAVEPOINT -> {
                    savepoints[entry.savepoint] = home.store().savepoint();
                    there[entry.savepoint] = elsewhere.savepoint();
                }
                case ROLLBACK_TO -> {
                    home.store().rollbackTo(savepoints[entry.savepoint]);
                    elsewhere.rollbackTo(there[entry.savepoint]);
                }
                case STATEMENT -> {
                    int number = i;
                    if (selection.has(i) && !step(i, () -> runOver(home, number, execution, elsewhere), execution)) {
                        return;
                    }
                }
            }
        }
    }

    private RowBuffer runOver(Partition home, int number, Execution execution, Elsewhere elsewhere) {
        TapeEntry entry = entries.get(number);
        Statement statement = entry.work.overAt(home, number, execution, elsewhere);
        StatementWork.setParameters(statement, entry.arguments);
        if (entry.work.traits().returnsRows()) {
            return (RowBuffer) statement.query();
        }
        entry.counted(statement.update());
        return null;
    }

    @Override
    public CompiledStatement statementAt(Partition partition, int number) {
        partition.store().fixNow(nowMicros);
        return entries.get(number).work.statementAt(partition, 0);
    }

    @Override
    public void decodeParameters(ByteBuffer in, CompiledStatement statement) {
        ParameterBuffer.decode(in, statement);
    }

    @Override
    public byte[] composed() {
        return TapeCodec.encode(this);
    }

    @Override
    public byte[] answers() {
        return TapeCodec.encodeAnswers(this);
    }

    @Override
    public boolean takeAnswers(byte[] answers) {
        TapeCodec.decodeAnswers(answers, this);
        return entries.stream()
                .noneMatch(entry -> entry.kind == TapeEntry.Kind.STATEMENT && !entry.isTold() && !entry.ran());
    }

    List<TapeEntry> entries() {
        return entries;
    }

    boolean isPreview() {
        return preview;
    }

    long nowMicros() {
        return nowMicros;
    }

    long key() {
        return key;
    }

    /** Another node has run it. */
    void ended(int withConflict, int withFailure) {
        conflict = withConflict;
        failed = withFailure;
    }

    private static RowBuffer runLent(Partition at, TapeEntry entry) {
        Statement statement = entry.work.lentAt(at);
        StatementWork.setParameters(statement, entry.arguments);
        if (entry.work.traits().returnsRows()) {
            return (RowBuffer) statement.query();
        }
        entry.counted(statement.update());
        return null;
    }

    /** A change of the schema may have overtaken the tape; then it is made again of newly planned statements. */
    private boolean isCurrent(Execution execution) {
        for (TapeEntry entry : entries) {
            if (entry.work != null && entry.work.retired()) {
                execution.outcome().failStale("a change of the schema overtook the transaction; run it again");
                return false;
            }
        }
        return true;
    }

    /** A statement's run. Returns the rows, or null if it has counted already. */
    private interface Run {
        RowBuffer rows();
    }

    /** Runs the statement of an entry. Returns whether the transaction goes on. */
    private boolean step(int index, Run run, Execution execution) {
        TapeEntry entry = entries.get(index);
        TapeAnswer answer;
        try {
            RowBuffer rows = run.rows();
            answer = answer(entry, rows);
        } catch (ProcedureException failure) {
            ErrorCode code = failure.code();
            if (isFinal(code)) {
                throw failure;
            }
            entry.failed(failure);
            answer = TapeAnswer.failed(code);
            if (!entry.isTold()) {
                failed = index;
                execution.outcome().fail(code, failure.getMessage(), failure.subject());
                return false;
            }
        }
        if (entry.isTold() && !entry.expected.equals(answer)) {
            conflict = index;
            execution
                    .outcome()
                    .fail(
                            ErrorCode.USER_ABORT,
                            "another transaction has changed the answer of a statement of this one: "
                                    + entry.work.traits().sql());
            return false;
        }
        return true;
    }

    private TapeAnswer answer(TapeEntry entry, RowBuffer rows) {
        if (!entry.work.traits().returnsRows()) {
            if (rows != null) {
                rows.next();
                entry.counted(rows.longAt(0));
            }
            return TapeAnswer.counted(entry.count());
        }
        if (entry.isTold()) {
            return TapeAnswer.of(rows, key);
        }
        entry.found(new HeapRows().copyOf(rows));
        return null;
    }

    /** Whether a transaction can't go on after such a failure, whatever its client makes of it. */
    static boolean isFinal(ErrorCode code) {
        return switch (code) {
            case SCOPE_VIOLATION, MEMORY_LIMIT, TIME_LIMIT, CANCELED, RESULT_TOO_LARGE -> true;
            default -> false;
        };
    }
}
