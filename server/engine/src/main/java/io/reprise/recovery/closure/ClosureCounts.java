package io.reprise.recovery.closure;

/** Counts of a closure: transactions in all, and those that must run again. */
public final class ClosureCounts {
    private long transactions;
    private long commands;
    private long dataRecords;
    private long coarse;
    private long untold;

    void count(LoggedTransaction transaction, boolean needed) {
        transactions++;
        if (!transaction.isTold()) {
            untold++;
        } else if (transaction.isCoarse()) {
            coarse++;
        }
        if (needed && transaction.isData()) {
            dataRecords++;
        } else if (needed) {
            commands++;
        }
    }

    /** Transactions in all. */
    public long transactions() {
        return transactions;
    }

    /** Commands that run again. */
    public long commands() {
        return commands;
    }

    /** Data records that are stored again. */
    public long dataRecords() {
        return dataRecords;
    }

    /** Transactions with a coarse footprint. */
    public long coarse() {
        return coarse;
    }

    /** Transactions without a footprint. */
    public long untold() {
        return untold;
    }
}
