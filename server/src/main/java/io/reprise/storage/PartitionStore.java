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
