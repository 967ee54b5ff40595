package io.reprise.recovery.replay;

/** What a replay has done so far. Written by the replaying thread, read by any. */
public final class ReplayProgress {
    private volatile long from;
    private volatile long position;
    private volatile long end;
    private volatile long commands;
    private volatile long dataTransactions;

    void begin(long start, long logEnd) {
        from = start;
        position = start;
        end = logEnd;
    }

    void at(long logPosition, long commandCount, long dataCount) {
        position = logPosition;
        commands = commandCount;
        dataTransactions = dataCount;
    }

    /** Bytes of log read. */
    public long bytesDone() {
        return position - from;
    }

    /** Bytes of log to read in all. */
    public long bytesInAll() {
        return end - from;
    }

    /** Transactions that were run again. */
    public long commands() {
        return commands;
    }

    /** Transactions whose rows were stored again. */
    public long dataTransactions() {
        return dataTransactions;
    }
}
