package io.reprise.snapshot;

/** Runs the transaction over all partitions at whose place in the order a snapshot shows them. The node does that. */
@FunctionalInterface
public interface SnapshotStarter {
    /**
     * Has the transaction run, some time. It calls {@link SnapshotStart#begun} while it holds all partitions, and {@link
     * SnapshotStart#durable} is called when the log is on stable storage up to the transaction, and says where it goes on; or {@link
     * SnapshotStart#refused} if it can't run. Called by the snapshot's thread; must not wait.
     */
    void start(SnapshotStart start);
}
