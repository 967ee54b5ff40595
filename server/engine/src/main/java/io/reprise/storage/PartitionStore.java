package io.reprise.storage;

import io.reprise.catalog.Table;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.id.Buckets;
import io.reprise.id.TransactionId;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.Invariants;
import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.PageSources;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.storage.index.ReadAhead;
import io.reprise.storage.row.RowLayout;
import java.util.BitSet;

/**
 * All that one partition stores: its memory, tables, undo log, and scratch space for the running transaction's strings.
 * Owned by the partition's executor, or lent to another one for the length of a multi-partition transaction.
 */
public final class PartitionStore implements AutoCloseable {
    private final Options options;
    private final Memory memory;
    private final AddressSpace space;
    private final UndoLog undo;
    private final TransactionWrites writes;
    private final WorkMemory workMemory = new WorkMemory(ProcedureLimitErrors.INSTANCE);
    private final ScratchSpace scratch;
    private final ReadAhead readAhead;
    private final TransactionScope scope;
    private final Settlement settlement;
    private final int bucketShift;
    private final PartitionTables tables;

    /** The number of tables that have an index of row ids for replay. */
    private int rowIdIndexes;

    private long transactionId;
    private long fixedNowMicros;
    private boolean toldOfStorageOrder;
    private long writeHash;
    /** Whether a table or an index is being changed, and not what it was nor what it will be. */
    private boolean changing;

    private WriteObserver writeObserver;
    private FootprintBuffer footprint;
    private FootprintWrites footprintWrites;

    /**
     * The settings of a partition.
     *
     * @param partition its number, for messages
     * @param memoryLimit bytes that rows, strings, indexes, undo log and scratch space may take together
     * @param addressSpace bytes of address space to reserve; half of it and so on if that is refused
     * @param space the database's buckets
     * @param buckets the buckets that it owns at first
     */
    public record Options(int partition, long memoryLimit, long addressSpace, Buckets space, BitSet buckets) {
        /** The default reservation of a partition; address space costs nothing. */
        public static final long DEFAULT_ADDRESS_SPACE = 4L << 40;

        /** A copy of the buckets is kept. */
        public Options {
            buckets = (BitSet) buckets.clone();
        }

        /** With the usual address space, in a database with the usual buckets. */
        public Options(int partition, long memoryLimit, BitSet buckets) {
            this(partition, memoryLimit, DEFAULT_ADDRESS_SPACE, Buckets.DEFAULT, buckets);
        }

        /** A partition that owns every bucket. */
        public static Options single(long memoryLimit) {
            return single(memoryLimit, Buckets.DEFAULT);
        }

        /** A partition that owns every bucket of a database. */
        public static Options single(long memoryLimit, Buckets space) {
            BitSet all = new BitSet();
            all.set(0, space.count());
            return new Options(0, memoryLimit, DEFAULT_ADDRESS_SPACE, space, all);
        }

        @Override
        public BitSet buckets() {
            return (BitSet) buckets.clone();
        }
    }

    /** A partition without tables, whose memory comes when it is touched. */
    public PartitionStore(Options options) {
        this(options, PageSources.NONE);
    }

    /**
     * A partition without tables.
     *
     * @param pages have its memory ready before it is needed
     */
    public PartitionStore(Options options, PageSources pages) {
        this.options = options;
        bucketShift = options.space().shift();
        memory = Memory.reserve(options.addressSpace());
        space = new AddressSpace(memory, options.memoryLimit(), ProcedureLimitErrors.INSTANCE, pages);
        readAhead = new ReadAhead(memory);
        undo = new UndoLog(space);
        tables = new PartitionTables(this, space, undo);
        writes = new TransactionWrites(tables, undo);
        settlement = new Settlement(tables, undo);
        scratch = new ScratchSpace(space, workMemory);
        scope = new TransactionScope(options.partition(), options.space(), options.buckets());
        begin(0);
    }

    public Memory memory() {
        return memory;
    }

    /** Whether there is so little memory left that none should be taken for what is not certain to come. */
    public boolean isShortOfMemory() {
        return space.isShort();
    }

    /** The memory in which the running transaction may collect rows; unlimited by default. */
    public WorkMemory workMemory() {
        return workMemory;
    }

    /**
     * At a procedure's end: throws MEMORY_LIMIT once more if the transaction passed a limit of memory, also if the
     * procedure caught the exception. A limit's victim must not commit, because replay may have another limit. The
     * same holds for SCOPE_VIOLATION, because replay may have another number of partitions, and for errors that
     * depend on the order of storage. Throws also if a change of a table was not finished, so that nothing of it gets
     * into the log.
     *
     * @param wrote whether the transaction has written anything, here or elsewhere
     */
    public void checkLimitsKept(boolean wrote) {
        checkWhole();
        scope.checkKept();
        if (toldOfStorageOrder && wrote) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "a statement over several rows failed, and the procedure asked for the error's code or message. The first"
                            + " error depends on the order in which rows are stored, so a transaction that knows it must not"
                            + " write: catch the error without asking, or let it end the transaction.");
        }
        workMemory.checkNotExceeded();
        space.checkNotRefused();
    }

    /** The rows that are going to be looked up. */
    public ReadAhead readAhead() {
        return readAhead;
    }

    /** The settings. */
    public Options options() {
        return options;
    }

    /** The bytes taken of {@link Options#memoryLimit}. */
    public long memoryUsed() {
        return space.used();
    }

    /** The table with this catalog id. */
    public TableStore table(int tableId) {
        return tables.table(tableId);
    }

    /** Whether there is a table with this catalog id. */
    public boolean hasTable(int tableId) {
        return tables.contains(tableId);
    }

    /** Makes an empty table. Between transactions only. */
    public TableStore createTable(Table table) {
        return tables.create(table);
    }

    /** Drops a table and gives its memory back. Between transactions only. */
    public void dropTable(int tableId) {
        tables.drop(tableId);
    }

    /** All tables, for who changes what they are. */
    public PartitionTables tables() {
        return tables;
    }

    /** The changes of the running transaction. */
    UndoLog undo() {
        return undo;
    }

    /** Settles the running transaction's writes. */
    Settlement settlement() {
        return settlement;
    }

    /** Begins a transaction: scratch space, undo log and write hash are empty. */
    public void begin(long newTransactionId) {
        transactionId = newTransactionId;
        fixedNowMicros = 0;
        scope.begin();
        toldOfStorageOrder = false;
        writeHash = 0;
        workMemory.begin();
        space.beginTransaction();
        scratch.begin();
        if (footprint != null) {
            footprint.begin();
        }
    }

    /**
     * Goes on with a member of a batch of transactions, which are committed and undone together. A member has a scope, an id and work
     * memory of its own, and may go on several times.
     */
    public void goOn(long memberId) {
        transactionId = memberId;
        fixedNowMicros = 0;
        scope.begin();
        toldOfStorageOrder = false;
        workMemory.begin();
    }

    /** The running transaction's id. */
    public long transactionId() {
        return transactionId;
    }

    /** The running transaction's time in microseconds since 1970: its timestamp, unless another one was fixed. */
    public long nowMicros() {
        return fixedNowMicros == 0 ? TransactionId.epochMicros(transactionId) : fixedNowMicros;
    }

    /** Fixes the time that the statements of the running transaction see; 0: its timestamp. */
    public void fixNow(long micros) {
        fixedNowMicros = micros;
    }

    /** The database's buckets. */
    public Buckets buckets() {
        return options.space();
    }

    /** The bucket of a partitioning value. */
    public int bucketOf(long value) {
        return Buckets.of(value, bucketShift);
    }

    /** Whether this partition holds the bucket. */
    public boolean owns(int bucket) {
        return scope.owns(bucket);
    }

    /** Gives a bucket to the partition, or takes it away. Its rows are the caller's affair. */
    public void own(int bucket, boolean isOwned) {
        scope.own(bucket, isOwned);
    }

    /** Sets the buckets of the partition. Their rows are the caller's affair. */
    public void own(BitSet buckets) {
        for (int bucket = 0; bucket < buckets().count(); bucket++) {
            scope.own(bucket, buckets.get(bucket));
        }
    }

    /** The buckets that the running transaction may touch. */
    public TransactionScope scope() {
        return scope;
    }

    /** Throws SCOPE_VIOLATION if the running transaction may not touch this bucket here; a compare or two. */
    public void checkScope(int bucket) {
        scope.check(bucket);
    }

    /**
     * Throws SCOPE_VIOLATION if the values to which a statement binds two partitioned tables are not of one bucket,
     * whatever buckets this partition holds: permission does not depend on their number.
     */
    public void checkSameBucket(int bucket, int other) {
        if (bucket != other) {
            throw scope.violation(
                    "The statement binds the partitioning columns of its tables to values of two buckets, " + bucket
                            + " and " + other
                            + ". Join the tables on their partitioning columns, or make a statement for each table.");
        }
    }

    /**
     * The running transaction has asked for the error of a statement that may have failed with several. The first of
     * these depends on the order in which rows are stored. So the transaction must not write now.
     */
    public void toldOfStorageOrder() {
        toldOfStorageOrder = true;
    }

    /** Whether the running transaction has written anything that a rollback would undo. */
    public boolean hasWrites() {
        return undo.hasWrites();
    }

    /**
     * From here to {@link #endChange} only what storage itself expects may be thrown. If anything else is, as when the Java heap ends,
     * the tables' content is unknown, and the transaction can neither be committed nor rolled back, nor change anything more.
     */
    void beginChange() {
        checkWhole();
        changing = true;
    }

    void endChange() {
        changing = false;
    }

    private void checkWhole() {
        Invariants.check(
                !changing,
                "a change of a table was not finished, as when the Java heap ends in the middle of it, so what the partition"
                        + " holds is not known; open the engine again, if need be with a larger heap; partition",
                options.partition());
    }

    /** Whether no change of a table was left half done. */
    public boolean isWhole() {
        return !changing;
    }

    /**
     * Forgets the running transaction without undoing it. The rows are in doubt from then on, so all tables have to be emptied before they are
     * used again.
     */
    public void abandon() {
        undo.clear();
        changing = false;
        writeHash = 0;
    }

    /** Makes all writes permanent; frees what was deleted or replaced. */
    public void commit() {
        checkWhole();
        if (undo.isEmpty()) {
            return;
        }
        if (rowIdIndexes > 0) {
            followRowIds();
        }
        if (undo.freesAtCommit()) {
            settlement.free();
        }
        undo.clear();
    }

    private void followRowIds() {
        writes.rewind();
        while (writes.next()) {
            writes.table().directWrites().follow(writes.kind(), writes.row());
        }
    }

    void countRowIdIndexes(int difference) {
        rowIdIndexes += difference;
    }

    /** Undoes all writes at the transaction's end: strings of results are gone. */
    public void rollback() {
        beginChange();
        settlement.undoAll();
        undo.clear();
        endChange();
        writeHash = 0;
    }

    /** A point to which {@link #rollbackTo} can return; 0 is the beginning. */
    public int savepoint() {
        return undo.savepoint(writeHash);
    }

    /** Undoes all writes since the savepoint. Results of queries stay valid: strings are freed only when the transaction ends. */
    public void rollbackTo(int savepoint) {
        if (savepoint == 0) {
            beginChange();
            settlement.returnTo(undo.writes());
            undo.beginAgain();
            endChange();
            writeHash = 0;
            return;
        }
        long record = undo.at(savepoint);
        if (!undo.isSavepoint(record)) {
            throw new IllegalStateException("savepoint " + savepoint + " is gone: an earlier one was returned to");
        }
        long hash = undo.word(record);
        beginChange();
        settlement.returnTo(undo.firstBehind(record));
        undo.returnedTo(record);
        endChange();
        writeHash = hash;
    }

    /** Takes scratch space until the transaction ends. Returns its address. Throws MEMORY_LIMIT. */
    public long scratch(int bytes) {
        return scratch.take(bytes);
    }

    /** The running transaction's strings and images. */
    public ScratchSpace scratch() {
        return scratch;
    }

    /** The writes of the running transaction so far, positioned before the first. */
    public TransactionWrites writes() {
        writes.rewind();
        return writes;
    }

    /** A recovery begins: it may take more memory than the limit. */
    public void beginRecovery() {
        space.beginRecovery();
    }

    /** The recovery has ended: frees what only replay has needed, and enforces the memory limit. */
    public void finishReplay() {
        tables.forEach(table -> table.directWrites().finishReplay());
        space.endRecovery();
    }

    /** Whether another node's replica decides which writes are admitted: then this one may take more memory than the limit. */
    public void follow(boolean follows) {
        space.follow(follows);
    }

    /** Keeps memory for committed rows that are loaded later; a negative number gives back. */
    public void reserve(long bytes) {
        space.reserve(bytes);
    }

    /** Begins to load rows between two transactions, which may take more memory than the limit. */
    public void beginLoad() {
        space.beginRecovery();
        scope.loading(true);
    }

    /** Ends what {@link #beginLoad} has begun. */
    public void endLoad() {
        scope.loading(false);
        space.endRecovery();
    }

    /** The number of requests for memory that were rejected since this was opened. */
    public long memoryRefusals() {
        return space.refusals();
    }

    /**
     * The hash of all writes of this transaction so far (savepoint rollbacks restore it). It is a sum over rows, so
     * it does not depend on the order in which a statement met them: copies of a table may differ in that. It covers
     * each row's first and last state, so it tells several writes to one row apart by their result.
     */
    public long writeHash() {
        return writeHash;
    }

    void mixWrite(long hash) {
        writeHash += hash;
    }

    /** Adds an observer of writes. Rows that redo has prepared ahead must have been settled before. */
    public void observeWrites(WriteObserver observer) {
        tables.requireNoPlacesAhead();
        writeObserver = writeObserver == null ? observer : new WriteObserver.Pair(writeObserver, observer);
    }

    /** Removes an observer of writes. */
    public void stopObserving(WriteObserver observer) {
        if (writeObserver instanceof WriteObserver.Pair several) {
            writeObserver = several.without(observer);
        } else if (writeObserver == observer) {
            writeObserver = null;
        }
    }

    /** Whether there is an observer of writes. */
    public boolean isObserved() {
        return writeObserver != null;
    }

    /** Collects footprints of transactions, before statements are bound. The buffer is off at first. */
    public void collectFootprints(FootprintBuffer.Settings settings) {
        footprint = new FootprintBuffer(settings);
        footprintWrites = new FootprintWrites(writes, footprint, memory);
    }

    /** The footprint of the running transaction, or null if none is collected. */
    public FootprintBuffer footprint() {
        return footprint;
    }

    /** Adds a row to the footprint, if there is one. */
    void tellRead(TableStore table, long row, long read) {
        if (footprint != null && !table.table().replicated()) {
            footprint.touch(footprint.access(table.id(), 0, read, 0), memory.getLong(row) & RowLayout.ROW_ID_MASK);
        }
    }

    /** Adds the running transaction's writes to its footprint, before the commit. */
    public void tellWrites() {
        footprintWrites.tell();
    }

    WriteObserver writeObserver() {
        return writeObserver;
    }

    /** A hash of what all tables hold, whatever the order, the places and the ids of their rows. */
    public long contentHash() {
        long[] hash = new long[1];
        tables.forEach(table -> hash[0] += Buckets.mix(Buckets.mix(0, table.id()), table.contentHash()));
        return hash[0];
    }

    /** Throws if tables, indexes, counts, free chains or memory accounts don't agree. Reads everything. */
    public void verify() {
        tables.forEach(TableStore::verify);
        long taken = undo.bytesTaken() + scratch.bytesTaken() + tables.bytesTaken();
        if (taken != space.used()) {
            throw new IllegalStateException("partition " + options.partition() + " counts " + space.used()
                    + " bytes, but " + taken + " are taken");
        }
    }

    /** Gives the memory back; nothing may be used afterwards. */
    @Override
    public void close() {
        memory.close();
    }
}
