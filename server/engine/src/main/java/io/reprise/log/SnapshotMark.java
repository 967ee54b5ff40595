package io.reprise.log;

/** Is told where in the log a snapshot begins. */
@FunctionalInterface
public interface SnapshotMark {
    /** A mark without effect. */
    SnapshotMark NONE = (transactionId, position) -> {};

    /**
     * The record SNAPSHOT_BEGIN of the transaction is durable. Called by the log writer's thread.
     *
     * @param position the log position right behind it, where a replay on top of the snapshot begins
     */
    void snapshotBegan(long transactionId, long position);
}
