package io.reprise.storage;

import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.runtime.memory.PageAhead;
import io.reprise.runtime.memory.Region;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.storage.index.ReadAhead;
import io.reprise.storage.row.RowLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * All that one partition stores: its memory, tables, undo log, and scratch space for the running transaction's strings.
 * Owned by the partition's executor, or lent to another one for the length of a multi-partition transaction.
 */
public final class PartitionStore implements AutoCloseable {
    private static final long SCRATCH_AT_LEAST = 256 << 10;

    /** More scratch space than this is given back when the next transaction begins. */
    private static final long SCRATCH_AT_MOST = 1 << 20;

    private final Options options;
    private final Memory memory;
    private final AddressSpace space;
    private final UndoLog undo;
    private final TransactionWrites writes;
    private final Region scratch;
    private final WorkMemory workMemory = new WorkMemory();
    private final ReadAhead readAhead;
    private final boolean[] owned = new boolean[Buckets.COUNT];
    private final Settlement settlement;
    private TableStore[] tables = new TableStore[16];

    /** Dropped tables whose rows an observer still needs. */
    private final List<TableStore> kept = new ArrayList<>();

    /** How many tables have an index of row ids for replay. */
    private int rowIdIndexes;

    private long scratchEnd;
    private long transactionId;
    private int confinedTo;
    private long writeHash;
    private WriteObserver writeObserver;
    private ReadObserver readObserver;

    /**
     * How a partition is set up.
     *
     * @param partition its number, for messages
     * @param memoryLimit how many bytes rows, strings, indexes, undo log and scratch space may take together
     * @param addressSpace how many bytes of address space to reserve; half of it and so on where that is refused
     * @param buckets the buckets that it owns
     */
    public record Options(int partition, long memoryLimit, long addressSpace, BitSet buckets) {
        /** What a partition asks for if nothing else is said; address space costs nothing. */
        public static final long DEFAULT_ADDRESS_SPACE = 4L << 40;

        /** A copy of the buckets is kept. */
        public Options {
            buckets = (BitSet) buckets.clone();
        }

        /** With the usual address space. */
        public Options(int partition, long memoryLimit, BitSet buckets) {
            this(partition, memoryLimit, DEFAULT_ADDRESS_SPACE, buckets);
        }

        /** A partition that owns every bucket. */
        public static Options single(long memoryLimit) {
            BitSet all = new BitSet(Buckets.COUNT);
            all.set(0, Buckets.COUNT);
            return new Options(0, memoryLimit, all);
        }

        @Override
        public BitSet buckets() {
            return (BitSet) buckets.clone();
        }
    }

    /** A partition without tables, whose memory comes when it is touched. */
    public PartitionStore(Options options) {
        this(options, null);
    }

    /**
     * A partition without tables.
     *
     * @param ahead has its memory touched before it is needed; or null
     */
    public PartitionStore(Options options, PageAhead ahead) {
        this.options = options;
        memory = Memory.reserve(options.addressSpace());
        space = new AddressSpace(memory, options.memoryLimit(), ahead);
        readAhead = new ReadAhead(memory);
        undo = new UndoLog(space);
        writes = new TransactionWrites(this, undo);
        settlement = new Settlement(this, undo);
        scratch = space.region(new MemoryAccount("the transaction's scratch space"));
        scratch.growAnyway(scratch.start() + SCRATCH_AT_LEAST);
        for (int bucket = 0; bucket < Buckets.COUNT; bucket++) {
            owned[bucket] = options.buckets.get(bucket);
        }
        begin(0);
    }

    public Memory memory() {
        return memory;
    }

    /** What the running transaction may collect rows in; unlimited unless somebody says otherwise. */
    public WorkMemory workMemory() {
        return workMemory;
    }

    /** The rows that are going to be looked up. */
    public ReadAhead readAhead() {
        return readAhead;
    }

    /** How it was set up. */
    public Options options() {
        return options;
    }

    /** How many bytes are taken of {@link Options#memoryLimit}. */
    public long memoryUsed() {
        return space.used();
    }

    /** The table with this catalog id. */
    public TableStore table(int tableId) {
        TableStore table = tableId < tables.length ? tables[tableId] : null;
        if (table == null) {
            throw new IllegalArgumentException("partition " + options.partition() + " has no table " + tableId);
        }
        return table;
    }

    /** Whether there is a table with this catalog id. */
    public boolean hasTable(int tableId) {
        return tableId >= 0 && tableId < tables.length && tables[tableId] != null;
    }

    /** How the running transaction's writes are settled. */
    Settlement settlement() {
        return settlement;
    }

    /** Makes an empty table. Between transactions only. */
    public TableStore createTable(Table table) {
        requireNoTransaction();
        if (table.id() < tables.length && tables[table.id()] != null) {
            throw new IllegalArgumentException("table " + table.id() + " exists already");
        }
        TableStore created = new TableStore(this, space, undo, table);
        put(table.id(), created);
        return created;
    }

    private void put(int tableId, TableStore table) {
        if (tableId >= tables.length) {
            tables = Arrays.copyOf(tables, Math.max(tableId + 1, 2 * tables.length));
        }
        tables[tableId] = table;
    }

    /** Drops a table and gives its memory back. Between transactions only. */
    public void dropTable(int tableId) {
        requireNoTransaction();
        TableStore table = table(tableId);
        tables[tableId] = null;
        discard(table);
    }

    /**
     * Takes on a changed definition of a table whose columns are the same: builds, keeps and drops indexes. Compiled
     * statements hold indexes by position, so they have to be made again. Between transactions only. Throws
     * CONSTRAINT_VIOLATION or MEMORY_LIMIT, and nothing has changed then.
     */
    public void changeIndexes(Table newTable) {
        requireNoTransaction();
        TableStore table = table(newTable.id());
        if (table.layout().sameAs(RowLayout.of(newTable))) {
            table.changeIndexes(newTable);
        } else {
            rebuild(
                    newTable,
                    newTable.columns().stream()
                            .<ColumnSource>map(column -> new ColumnSource.Existing(column.position()))
                            .toList());
        }
    }

    /**
     * Replaces a table by one with other columns. Rows keep their ids. Compiled statements have to be made again. Between
     * transactions only. Throws CONSTRAINT_VIOLATION or MEMORY_LIMIT (there has to be room for both), and nothing has
     * changed then.
     *
     * @param newTable with the id of the table that it replaces
     * @param sources for each of its columns where the values come from; a NOT NULL column must not get NULL
     */
    public TableStore rebuild(Table newTable, List<ColumnSource> sources) {
        TableStore after = prepareRebuild(newTable, sources);
        discard(install(after));
        return after;
    }

    /**
     * The first half of {@link #rebuild}: makes the new table beside the old one, which stays in use, so that a change of
     * several partitions can be given up when one of them refuses. {@link #install} or {@link #discard} it.
     */
    public TableStore prepareRebuild(Table newTable, List<ColumnSource> sources) {
        requireNoTransaction();
        TableStore before = table(newTable.id());
        TableStore after = new TableStore(this, space, undo, newTable);
        begin(0);
        try {
            after.copyFrom(before, sources);
        } catch (ProcedureException e) {
            after.drop();
            throw e;
        }
        return after;
    }

    /** Puts a prepared table, or one that was replaced, in the place of the one that has its id, and returns that. */
    public TableStore install(TableStore table) {
        requireNoTransaction();
        TableStore before = table(table.table().id());
        tables[table.table().id()] = table;
        return before;
    }

    /** Frees a table that is not installed. */
    public void discard(TableStore table) {
        kept.add(table);
        Runnable free = () -> {
            kept.remove(table);
            table.drop();
        };
        if (writeObserver == null || !writeObserver.keeps(table, table.scanStart(), free)) {
            free.run();
        }
    }

    private void requireNoTransaction() {
        if (!undo.isEmpty()) {
            throw new IllegalStateException("tables are changed between transactions only");
        }
    }

    /** Begins a transaction: scratch space, undo log and write hash are empty. */
    public void begin(long newTransactionId) {
        transactionId = newTransactionId;
        confinedTo = -1;
        writeHash = 0;
        workMemory.begin();
        scratchEnd = scratch.start();
        if (scratch.taken() > SCRATCH_AT_MOST) {
            scratch.shrinkTo(scratchEnd + SCRATCH_AT_MOST);
        }
    }

    /** The running transaction's id. */
    public long transactionId() {
        return transactionId;
    }

    /** Whether this partition holds the bucket. */
    public boolean owns(int bucket) {
        return owned[bucket];
    }

    /**
     * Confines the running transaction to one bucket (scope KEY), or with -1 to this partition's buckets (the default
     * after {@link #begin}).
     */
    public void confineTo(int bucket) {
        confinedTo = bucket;
    }

    /** Throws SCOPE_VIOLATION if the running transaction may not touch this bucket here; a compare or two. */
    public void checkScope(int bucket) {
        if (bucket != confinedTo && (confinedTo >= 0 || !owned[bucket])) {
            throw scopeViolation(bucket);
        }
    }

    private ProcedureException scopeViolation(int bucket) {
        return new ProcedureException(
                ErrorCode.SCOPE_VIOLATION,
                confinedTo >= 0
                        ? "The statement touches a row of bucket " + bucket
                                + ", but the transaction was routed to bucket "
                                + confinedTo + " by its partitioning parameter. Use that parameter in the statement, or"
                                + " declare the procedure for all partitions."
                        : "The statement touches a row of bucket " + bucket + ", which partition " + options.partition()
                                + " does not hold. Declare the procedure for all partitions.");
    }

    /** Whether the running transaction has written anything that a rollback would undo. */
    public boolean hasWrites() {
        return !undo.isEmpty();
    }

    /** Makes all writes permanent; frees what was deleted or replaced. */
    public void commit() {
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

    /** Undoes all writes. */
    public void rollback() {
        settlement.undoTo(undo.start());
        undo.clear();
        writeHash = 0;
    }

    /** A point to which {@link #rollbackTo} can return; 0 is the beginning. */
    public int savepoint() {
        return undo.savepoint(writeHash);
    }

    /** Undoes all writes since the savepoint. */
    public void rollbackTo(int savepoint) {
        if (savepoint == 0) {
            rollback();
            return;
        }
        long record = undo.at(savepoint);
        if (record >= undo.end() || undo.kind(record) != UndoLog.SAVEPOINT) {
            throw new IllegalStateException("savepoint " + savepoint + " is gone: an earlier one was returned to");
        }
        long hash = undo.word(record);
        settlement.undoTo(undo.after(record));
        writeHash = hash;
    }

    /** Scratch: reserves bytes that live until the transaction ends. Returns their address. Throws MEMORY_LIMIT. */
    public long scratch(int bytes) {
        long address = scratchEnd;
        if (address + bytes > scratch.end()) {
            growScratch(address + bytes);
        }
        scratchEnd = address + (bytes + 7 & -8);
        return address;
    }

    private void growScratch(long to) {
        workMemory.checkStrings(to - scratch.start());
        scratch.growTo(to);
    }

    /** The end of the scratch space taken so far. */
    public long scratchEnd() {
        return scratchEnd;
    }

    /**
     * For content that grows as it is written, from {@link #scratchEnd} on: makes the bytes below an address usable, but
     * does not take them yet. Throws MEMORY_LIMIT.
     */
    public void reserveScratch(long to) {
        scratch.growTo(to);
    }

    /** Takes the scratch space below an address that has been reserved. */
    public void takeScratch(long to) {
        scratchEnd = to + 7 & -8;
    }

    /**
     * Brings bytes from elsewhere into scratch space, where they stay until the transaction ends. Returns their address.
     * The memory limit is no obstacle: this is for recovery, which brings back what had room before.
     */
    public long bringIn(MemorySegment source, long offset, long length) {
        long address = scratchEnd;
        scratch.growAnyway(address + length + Long.BYTES);
        memory.copyIn(source, offset, address, length);
        takeScratch(address + length);
        return address;
    }

    /** The same from another memory. */
    public long bringIn(Memory source, long from, long length) {
        long address = scratchEnd;
        scratch.growAnyway(address + length + Long.BYTES);
        memory.copyFrom(source, from, address, length);
        takeScratch(address + length);
        return address;
    }

    /** The writes of the running transaction so far, positioned before the first. */
    public TransactionWrites writes() {
        writes.rewind();
        return writes;
    }

    void forEachTable(Consumer<TableStore> action) {
        for (TableStore table : tables) {
            if (table != null) {
                action.accept(table);
            }
        }
    }

    /** Forgets what replay has needed to find rows; see {@link DirectWrites#find}. */
    public void finishReplay() {
        for (TableStore table : tables) {
            if (table != null) {
                table.directWrites().forgetRowIds();
            }
        }
    }

    /** Mixes a word into the hash of this transaction's writes. */
    public void hashWrite(long word) {
        mixWrite(Buckets.mix(0, word));
    }

    /**
     * The hash of all writes of this transaction so far (savepoint rollbacks restore it). It is a sum over the writes, so
     * that it does not depend on the order in which a statement met its rows: copies of a table may differ in that.
     */
    public long writeHash() {
        return writeHash;
    }

    void mixWrite(long hash) {
        writeHash += hash;
    }

    /** Sets who is told of writes; null: nobody. */
    public void observeWrites(WriteObserver observer) {
        writeObserver = observer;
    }

    /** Has statements that were compiled for it tell what they read; null for nobody. */
    public void observeReads(ReadObserver observer) {
        readObserver = observer;
    }

    /** For generated code: a row has been looked at. */
    public void readRow(TableStore table, long row) {
        if (readObserver != null) {
            readObserver.row(table, row);
        }
    }

    /** For generated code: it matters that there are no other rows. */
    public void readAbsence(TableStore table) {
        if (readObserver != null) {
            readObserver.absence(table);
        }
    }

    WriteObserver writeObserver() {
        return writeObserver;
    }

    /** A hash of what all tables hold, whatever the order, the places and the ids of their rows. */
    public long contentHash() {
        long hash = 0;
        for (int tableId = 0; tableId < tables.length; tableId++) {
            if (tables[tableId] != null) {
                hash += Buckets.mix(Buckets.mix(0, tableId), tables[tableId].contentHash());
            }
        }
        return hash;
    }

    /** Throws if tables, indexes, counts, free chains or memory accounts don't agree. Reads everything. */
    public void verify() {
        long taken = undo.bytesTaken() + scratch.taken();
        for (TableStore table : tables) {
            if (table != null) {
                table.verify();
                taken += table.memoryUse().total();
            }
        }
        for (TableStore table : kept) {
            taken += table.memoryUse().total();
        }
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
