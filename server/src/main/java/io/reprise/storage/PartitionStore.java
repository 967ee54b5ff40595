package io.reprise.storage;

import io.reprise.runtime.memory.Memory;

/**
 * All that one partition stores: its memory, tables, undo log, and scratch space for the running transaction's strings.
 * Owned by the partition's executor, or lent to another one for the length of a multi-partition transaction.
 */
public final class PartitionStore {
    public Memory memory() {
        throw new UnsupportedOperationException();
    }

    /** The table with this catalog id. */
    public TableStore table(int tableId) {
        throw new UnsupportedOperationException();
    }

    /** Begins a transaction: scratch space, undo log and write hash are empty. */
    public void begin(long transactionId) {
        throw new UnsupportedOperationException();
    }

    /** The running transaction's id. */
    public long transactionId() {
        throw new UnsupportedOperationException();
    }

    /** Whether this partition holds the bucket. */
    public boolean owns(int bucket) {
        throw new UnsupportedOperationException();
    }

    /**
     * Confines the running transaction to one bucket (scope KEY), or with -1 to this partition's buckets (the default
     * after {@link #begin}).
     */
    public void confineTo(int bucket) {
        throw new UnsupportedOperationException();
    }

    /** Throws SCOPE_VIOLATION if the running transaction may not touch this bucket here; a compare or two. */
    public void checkScope(int bucket) {
        throw new UnsupportedOperationException();
    }

    /** Makes all writes permanent; frees what was deleted or replaced. */
    public void commit() {
        throw new UnsupportedOperationException();
    }

    /** Undoes all writes. */
    public void rollback() {
        throw new UnsupportedOperationException();
    }

    /** A point to which {@link #rollbackTo} can return; 0 is the beginning. */
    public int savepoint() {
        throw new UnsupportedOperationException();
    }

    /** Undoes all writes since the savepoint. */
    public void rollbackTo(int savepoint) {
        throw new UnsupportedOperationException();
    }

    /** Scratch: reserves bytes that live until the transaction ends. Returns their address. Throws MEMORY_LIMIT. */
    public long scratch(int bytes) {
        throw new UnsupportedOperationException();
    }

    /** Mixes a word into the hash of this transaction's writes. */
    public void hashWrite(long word) {
        throw new UnsupportedOperationException();
    }

    /** The hash of all writes of this transaction so far, in order (savepoint rollbacks restore it). */
    public long writeHash() {
        throw new UnsupportedOperationException();
    }
}
