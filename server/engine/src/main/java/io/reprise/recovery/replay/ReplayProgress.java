package io.reprise.recovery.replay;

/** Is told how far a replay has come, on the replaying thread, after each frame of the log. */
@FunctionalInterface
public interface ReplayProgress {
    /** Tells nobody. */
    ReplayProgress NONE = (bytes, bytesInAll, transactions) -> {};

    /**
     * So much has been sent to the executors.
     *
     * @param bytes of log that have been read
     * @param bytesInAll of log that there are to read
     * @param transactions that were in what has been read
     */
    void replayed(long bytes, long bytesInAll, long transactions);
}
