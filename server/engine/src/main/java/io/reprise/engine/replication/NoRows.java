package io.reprise.engine.replication;

import io.reprise.cluster.transaction.PartitionStore;
import io.reprise.cluster.transaction.Result;

/** The rows while a recovery applies the log's records by itself: transactions over nodes change nothing here. */
enum NoRows implements PartitionStore {
    INSTANCE;

    private static final byte[] NOTHING = {};

    @Override
    public void begin(long id) {
        // Nothing runs.
    }

    @Override
    public int savepoint() {
        return 0;
    }

    @Override
    public void rollBack(int savepoint) {
        // Nothing runs.
    }

    @Override
    public Result run(byte[] work) {
        throw new IllegalStateException("nothing runs in a recovery");
    }

    @Override
    public byte[] effects() {
        return NOTHING;
    }

    @Override
    public void commit(long index) {
        // The record of the commit is applied by the recovery.
    }

    @Override
    public void undo() {
        // Nothing runs.
    }

    @Override
    public void apply(long index, byte[] effects) {
        // The record of the commit is applied by the recovery.
    }

    @Override
    public byte[] image() {
        return NOTHING;
    }

    @Override
    public void load(byte[] image) {
        // The blocks of an image are loaded by the recovery.
    }
}
