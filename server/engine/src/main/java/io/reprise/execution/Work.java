package io.reprise.execution;

import io.reprise.catalog.ProcedureDefinition.Logging;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.compile.runtime.RowShape;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The task of an execution: one version of a procedure, a statement, or a change of the catalog. Knows nothing of
 * committing: its caller begins the transaction before and ends it afterwards, also when it throws.
 *
 * <p>One object for all partitions, with its instances for each of them. A change of the catalog, which has lent all
 * partitions when it does so, may retire it; an execution that meets a retired work runs the successor instead.
 */
public abstract class Work {
    /** The version of what is not deployed, such as an ad hoc statement. */
    public static final int NO_VERSION = 0;

    private final String name;
    private int version = NO_VERSION;
    private final boolean limited;
    private Logging logging = Logging.AS_CONFIGURED;
    private boolean tellsReads;
    private boolean crossesBuckets;
    private boolean bindsBuckets;
    private boolean retired;
    private boolean keepsWrites = true;
    private Work successor;
    private ProcedureMeter[] meters = {};

    /** A work with a name for messages. */
    protected Work(String name) {
        this(name, true);
    }

    /** A work that the time limit holds for, or not. */
    protected Work(String name, boolean limited) {
        this.name = name;
        this.limited = limited;
    }

    /** The procedure's name, or the statement's text. */
    public final String name() {
        return name;
    }

    /** Gives a deployed procedure's work its number; before any transaction runs it. */
    public final void version(int number) {
        version = number;
    }

    /**
     * The number of this version of a procedure, by which a log names it: unique in the database and never used again;
     * {@link #NO_VERSION} for what is not deployed.
     */
    public final int version() {
        return version;
    }

    /** Says that its statements tell all rows that they read; before any transaction runs it. */
    public final void telling() {
        tellsReads = true;
    }

    /** Whether one of its statements searches a partitioned table across buckets, so that it may fail at a row of any. */
    public final boolean crossesBuckets() {
        return crossesBuckets;
    }

    /** Says that a statement searches across buckets; before any transaction runs it. */
    public final void crossing() {
        crossesBuckets = true;
    }

    /** Whether each of its statements binds one bucket, or reads replicated tables only: so it meets a bucket that is not loaded. */
    public final boolean bindsBuckets() {
        return bindsBuckets;
    }

    /** Says that each statement binds one bucket or reads replicated tables; before any transaction runs it. */
    public final void binding() {
        bindsBuckets = true;
    }

    /** Sets the content of its transactions' log records; before any transaction runs it. */
    public final void logAs(Logging value) {
        logging = value;
    }

    /** The content of its transactions' log records, if the procedure's declaration pins it. */
    public final Logging logging() {
        return logging;
    }

    /** Has it measured, with one meter for each site; before any transaction runs it. */
    public final void measureBy(ProcedureMeter[] bySite) {
        meters = bySite.clone();
    }

    /** The meter of this work at a site; null if it has none. */
    final ProcedureMeter meter(int site) {
        return site < meters.length ? meters[site] : null;
    }

    /** Whether each of its statements needs one partition only, so that a boundary record can hold the answers from elsewhere. */
    public boolean hasAnswers() {
        return false;
    }

    /** Whether it may run only when the rows of its buckets are loaded. */
    public boolean needsRows() {
        return true;
    }

    /** Whether it never writes. */
    public abstract boolean readOnly();

    /** Has it rolled back also when it succeeds; its reply does not wait for the log then. Before any transaction runs it. */
    protected final void keepNothing() {
        keepsWrites = false;
    }

    /** Whether its writes are kept when it succeeds. */
    public final boolean keepsWrites() {
        return keepsWrites;
    }

    /** The number of partitions it may need. */
    public abstract Scope scope();

    /** The statements that it may run. */
    public abstract List<StatementFactory> statements();

    /** Whether footprints of its transactions have all the rows that they read; otherwise they are coarse. */
    public final boolean tellsReads() {
        return tellsReads;
    }

    /** Client's thread: checks the arguments and converts them to what is needed; throws what is wrong with them. */
    public abstract void checkArguments(Execution execution);

    /** Client's thread: throws what is wrong with so many arguments, before they are read, because they may be very many. */
    public void checkCount(int arguments) {}

    /** Client's thread: determines the participants from the arguments. */
    public abstract void route(Execution execution, BucketMap buckets);

    /** Makes what it needs at each partition; while all partitions are lent, or before any transaction runs. */
    public abstract void bind(List<Partition> partitions);

    /** Whether, with several participants, each runs a part of its own and the last one puts them together. */
    public boolean splits() {
        return false;
    }

    /** Whether all participants have to be at it at the same time: one that only reads its part goes on at once. */
    public final boolean meets() {
        return !splits() || !readOnly();
    }

    /**
     * Announces at the only participant what an execution is going to look up there, as far as its arguments tell, while
     * others wait before it. Changes nothing.
     */
    public void lookAhead(Partition partition, Execution execution) {}

    /** Runs it at the only participant. */
    public abstract void run(Partition partition, Execution execution);

    /** Runs it over all participants, which {@code at} has been lent; see {@link Partition#lent}. */
    public abstract void runLent(Partition at, Execution execution);

    /** Runs one participant's part; only where it {@link #splits}. */
    public void runPart(Partition partition, Execution execution, Part part) {
        throw new UnsupportedOperationException(name);
    }

    /** The columns of a participant's rows; only where it {@link #splits}. */
    public RowShape shapeOfPart(Partition at) {
        throw new UnsupportedOperationException(name);
    }

    /** Makes the result of the parts; only where it {@link #splits}. */
    public void merge(Partition at, Execution execution) {
        throw new UnsupportedOperationException(name);
    }

    /** Runs it at its home, over participants at other nodes too. */
    public void runOver(Partition home, Execution execution, Elsewhere elsewhere) {
        throw new ProcedureException(
                ErrorCode.INVALID_REQUEST,
                name + " needs several partitions, and can't run over the nodes of a cluster; nothing was changed");
    }

    /** One of its statements at a partition, for a transaction whose procedure runs elsewhere. */
    public CompiledStatement statementAt(Partition partition, int number) {
        throw new ProcedureException(ErrorCode.INVALID_REQUEST, name + " has no statements for other nodes");
    }

    /** Sets the parameters that {@link Elsewhere#run} was given. */
    public void decodeParameters(ByteBuffer in, CompiledStatement statement) {
        throw new UnsupportedOperationException(name);
    }

    /** The work itself as bytes for another node, if a client composed it, so that it has neither a version nor a text. Or null. */
    public byte[] composed() {
        return null;
    }

    /** The answers of a composed work that has run, for the node that composed it. */
    public byte[] answers() {
        throw new UnsupportedOperationException(name);
    }

    /** Takes the answers of a composed work that another node has run. Returns whether all that were asked for are there. */
    public boolean takeAnswers(byte[] answers) {
        throw new UnsupportedOperationException(name);
    }

    /** Whether the time limit holds for it; a change of the catalog takes as long as it takes. */
    public final boolean isLimited() {
        return limited;
    }

    /** Whether an execution that was routed for the other may be run by this. */
    public boolean canReplace(Work other) {
        return false;
    }

    /**
     * Takes it out of service; only while all partitions are lent.
     *
     * @param replacement runs instead, or null if it was dropped
     */
    public final void retire(Work replacement) {
        retired = true;
        successor = replacement;
    }

    /** Whether a change of the catalog took it out of service. */
    public final boolean retired() {
        return retired;
    }

    /** The work that runs instead; null if it was dropped. */
    public final Work successor() {
        return successor;
    }
}
