package io.reprise.sql.compile.runtime;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.row.Ref;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * The base of generated classes, with the parts that all statements share. The generated subclass has the parameters as
 * fields and overrides whatever is hot, so that a call through a procedure's final field has one receiver type and is
 * inlined; nothing hot is called from here, where all statements would share one profile.
 *
 * <p>An instance belongs to a partition and is used by the thread that runs it. Everything that lasts for one transaction
 * (set parameters, queued results, literals in scratch) is stamped with the transaction's id and is void in the next one,
 * so a transaction need not touch statements that it does not run.
 */
public abstract class CompiledStatement extends Statement implements StatementValues {
    /** No transaction has this id. */
    public static final long NO_TRANSACTION = -1;

    /** The bytes of an empty buffer, about. */
    private static final long QUEUED_BYTES = 640;

    private static final int RETAINED_QUEUED = 256;

    /** The partition. */
    protected final PartitionStore store;

    /** The partition's memory. */
    protected final Memory memory;

    /** The result of the last execution; exchanged while a queued execution runs. */
    protected RowBuffer rows;

    /** The transaction in which the parameters were set. */
    protected long parametersOf = NO_TRANSACTION;

    /** The transaction in which {@link #rows} became what a query found; none while a query runs, which may fail. */
    protected long rowsOf = NO_TRANSACTION;

    /** Counts executions. */
    protected long execution;

    private final long[] literals;
    private long literalsOf = NO_TRANSACTION;
    private final StatementDefinition definition;
    private final RowBuffer fragmentRows;
    private final RowBuffer mergedRows;
    private final List<RowBuffer> queued = new ArrayList<>();
    private long queuedIn = NO_TRANSACTION;
    private int queuedCount;

    /** The parameters where they are too many for fields, from the first time that one is set on. */
    private ManyParameters many;

    /** Called by the generated constructor. */
    protected CompiledStatement(StatementDefinition definition, PartitionStore store) {
        this.definition = definition;
        this.store = store;
        memory = store.memory();
        literals = new long[definition.literals().length];
        fragmentRows = new RowBuffer(definition.fragment(), store);
        mergedRows = definition.merges() ? new RowBuffer(definition.result(), store) : fragmentRows;
        rows = fragmentRows;
    }

    /** The statement. */
    public final StatementDefinition definition() {
        return definition;
    }

    /**
     * Forgets the parameters and frees queued results. Needed only where a transaction id comes again (a transaction that
     * is rolled back and run anew); otherwise a new transaction's first use notices by itself.
     */
    public final void reset() {
        parametersOf = NO_TRANSACTION;
        rowsOf = NO_TRANSACTION;
        literalsOf = NO_TRANSACTION;
        queuedIn = NO_TRANSACTION;
    }

    /** Makes the statement a transaction of its own, whose result goes to the client. */
    public final void becomeTransaction() {
        mergedRows.becomeResult();
    }

    /** The bucket of the partitioning value for the parameters set now; only for scope Key. */
    public int bucket() {
        throw new IllegalStateException("not confined to one bucket: " + definition.sql());
    }

    /** Runs the fragment with the parameters set now, into {@link #rows}; for writes a row with the count. */
    public abstract void execute();

    /** The rows or the count of the last execution; for those who run {@link #execute}, and know that they did. */
    public final RowBuffer found() {
        return rows;
    }

    /** The columns of what {@link #execute} finds; a merge makes other rows of them. */
    public final RowShape fragmentShape() {
        return fragmentRows.shape();
    }

    @Override
    public final RowBuffer rows() {
        if (rowsOf != store.transactionId()) {
            throw noRows(definition.sql());
        }
        return rows;
    }

    /** The exception that is thrown instead of rows that another transaction found, or that a query had found before it failed. */
    public static ProcedureException noRows(String sql) {
        return new ProcedureException(
                ErrorCode.INVALID_REQUEST,
                "rows() before a query has succeeded in this transaction, call query() or first() before: " + sql);
    }

    @Override
    public long update() {
        return write();
    }

    /** Generated: the write itself; the number of rows written. */
    protected long write() {
        throw noUpdate(definition.sql());
    }

    /** The failure of an update that is none. */
    public static ProcedureException noUpdate(String sql) {
        return new ProcedureException(ErrorCode.INVALID_REQUEST, "update() on a query, use query(): " + sql);
    }

    /**
     * Runs the merge plan over rows gathered from the fragments' results, into {@link #rows}. Without a merge plan the
     * first fragment's rows are the result.
     */
    public final void merge(Iterable<? extends Rows> fragments) {
        if (mergedRows == fragmentRows) {
            takeFirst(fragments.iterator().next());
            return;
        }
        RowBuffer gathered = gathered();
        gathered.clear();
        for (Rows fragment : fragments) {
            RowCopier.appendAll(fragment, gathered, store);
        }
        rows = mergedRows;
        executeMerge();
    }

    private void takeFirst(Rows fragment) {
        if (fragment == rows) {
            rows.rewind();
            return;
        }
        rows.clear();
        RowCopier.appendAll(fragment, rows, store);
    }

    /** For generated code: directs the result of a fragment to its own rows, which are not those of the merge. */
    protected final void beginFragment() {
        rows = fragmentRows;
    }

    /** Generated where there is a merge plan: the buffer that it reads. */
    protected RowBuffer gathered() {
        throw new IllegalStateException("no merge plan");
    }

    /** Generated where there is a merge plan. */
    protected void executeMerge() {
        throw new IllegalStateException("no merge plan");
    }

    @Override
    public final Rows queue() {
        RowBuffer result = nextQueued();
        if (mergedRows != fragmentRows) {
            rowsOf = NO_TRANSACTION;
            execute();
            merge(List.of(rows));
            RowCopier.appendAll(rows, result, store);
            return result;
        }
        rows = result;
        try {
            execute();
        } finally {
            rows = fragmentRows;
        }
        return result;
    }

    private RowBuffer nextQueued() {
        long transaction = store.transactionId();
        if (queuedIn != transaction) {
            queuedIn = transaction;
            queuedCount = 0;
        }
        if (queuedCount == queued.size()) {
            addQueued();
        }
        RowBuffer result = queued.get(queuedCount++);
        result.clear();
        return result;
    }

    private void addQueued() {
        store.workMemory().take(QUEUED_BYTES);
        if (queued.size() == RETAINED_QUEUED) {
            store.workMemory()
                    .letGoAfterwards(
                            () -> queued.subList(RETAINED_QUEUED, queued.size()).clear());
        }
        queued.add(new RowBuffer(definition.result(), store));
    }

    /** A string literal, which lies in scratch from its first use in a transaction. */
    @Override
    public final long literal(int number) {
        if (literalsOf != store.transactionId()) {
            loadLiterals();
        }
        return literals[number];
    }

    private void loadLiterals() {
        byte[][] texts = definition.literals();
        for (int i = 0; i < texts.length; i++) {
            long address = store.scratch(texts[i].length);
            memory.copyIn(MemorySegment.ofArray(texts[i]), 0, address, texts[i].length);
            literals[i] = Ref.of(address, texts[i].length);
        }
        literalsOf = store.transactionId();
    }

    // Parameters. The generated class has put and putNull, and overrides the hot setters so that these calls of them
    // are not shared between statements.

    /** Sets a parameter to a word that was checked. Generated where parameters are fields. */
    protected void put(int parameter, long word) {
        many().put(parameter, word);
    }

    /** Sets a parameter to NULL. Generated where parameters are fields. */
    protected void putNull(int parameter) {
        many().putNull(parameter);
    }

    /** Whether a parameter was set in this transaction. Generated where parameters are fields. */
    protected boolean isSet(int parameter) {
        return many().isSet(parameter);
    }

    /** The parameters in arrays, of this transaction. */
    private ManyParameters many() {
        if (many == null) {
            many = new ManyParameters(definition.parameterTypes().length);
        }
        if (parametersOf != store.transactionId()) {
            many.clear();
            parametersOf = store.transactionId();
        }
        return many;
    }

    /** For generated code: whether all of many parameters are set. */
    protected final boolean areParametersSet() {
        return parametersOf == store.transactionId() && many != null && many.areAllSet();
    }

    @Override
    public final long parameterWord(int parameter) {
        return many.word(parameter);
    }

    @Override
    public final boolean isParameterNull(int parameter) {
        return many.isNull(parameter);
    }

    @Override
    public final long execution() {
        return execution;
    }

    @Override
    public final long transaction() {
        return store.transactionId();
    }

    @Override
    public Statement set(int parameter, long value) {
        put(parameter, ParameterValues.ofLong(definition, parameter, value, store));
        return this;
    }

    @Override
    public Statement setUnscaled(int parameter, long unscaled) {
        put(parameter, ParameterValues.ofUnscaled(definition, parameter, unscaled, store));
        return this;
    }

    @Override
    public Statement set(int parameter, double value) {
        put(parameter, ParameterValues.ofDouble(definition, parameter, value));
        return this;
    }

    @Override
    public final Statement set(int parameter, boolean value) {
        put(parameter, ParameterValues.ofBoolean(definition, parameter, value));
        return this;
    }

    @Override
    public Statement set(int parameter, String value) {
        if (value == null) {
            return setNull(parameter);
        }
        put(parameter, ParameterValues.ofString(definition, parameter, value, store));
        return this;
    }

    @Override
    public Statement set(int parameter, Text value) {
        if (value == null) {
            return setNull(parameter);
        }
        put(parameter, ParameterValues.ofText(definition, parameter, value, store));
        return this;
    }

    @Override
    public final Statement set(int parameter, byte[] value) {
        if (value == null) {
            return setNull(parameter);
        }
        put(parameter, ParameterValues.ofBytes(definition, parameter, value, store));
        return this;
    }

    @Override
    public final Statement set(int parameter, BigDecimal value) {
        if (value == null) {
            return setNull(parameter);
        }
        put(parameter, ParameterValues.ofDecimal(definition, parameter, value, store));
        return this;
    }

    @Override
    public final Statement setNull(int parameter) {
        ParameterValues.check(definition, parameter);
        putNull(parameter);
        return this;
    }

    /** Called by generated code when not all parameters are set. */
    protected final ProcedureException unsetParameter() {
        for (int i = 0; i < definition.parameterTypes().length; i++) {
            if (parametersOf != store.transactionId() || !isSet(i)) {
                return new ProcedureException(
                        ErrorCode.INVALID_VALUE,
                        ParameterValues.name(definition, i) + " is not set in this transaction: " + definition.sql());
            }
        }
        throw new IllegalStateException("all parameters are set");
    }
}
