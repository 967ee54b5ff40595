package io.reprise.recovery.replay;

/** A listener for a replay's progress, called on the replaying thread after each frame. */
@FunctionalInterface
public interface ReplayProgress {
    /** No listener. */
    ReplayProgress NONE = (bytes, bytesInAll, transactions) -> {};

    /**
     * A frame has been scheduled.
     *
     * @param bytes the bytes of log that have been read
     * @param bytesInAll the bytes of log in all
     * @param transactions the transactions that have been read
     */
    void replayed(long bytes, long bytesInAll, long transactions);
}
