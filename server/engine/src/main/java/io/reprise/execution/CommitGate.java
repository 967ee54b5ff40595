package io.reprise.execution;

import java.util.List;

/**
 * The gate between a transaction's end in memory and its reply. A log implements it: no reply leaves before the
 * transaction's writes, and others' writes that it may have seen, are durable. One for each site, on its thread.
 *
 * <pre>
 *  hasRoom -> the transaction runs -> commit, if it succeeded -> leaving, for each of several participants -> finished
 * </pre>
 */
public interface CommitGate {
    /** Lets everything pass at once. */
    static CommitGate open(SiteMeter meter) {
        return new CommitGate() {
            @Override
            public boolean hasRoom(Partition at) {
                return true;
            }

            @Override
            public int mostLent(Partition at) {
                return Integer.MAX_VALUE;
            }

            @Override
            public void commit(Partition at, Execution execution) {}

            @Override
            public void leaving(int participant, Execution execution) {}

            @Override
            public void finished(Partition at, Execution execution) {
                meter.answeredAtOnce(execution);
                execution.reply();
            }
        };
    }

    /** The same for each of several sites. */
    static List<CommitGate> open(List<SiteMeter> meters) {
        return meters.stream().map(CommitGate::open).toList();
    }

    /** Whether the partition may take another transaction; while it may not, transactions wait in their queues. */
    boolean hasRoom(Partition at);

    /** To how many transactions that other threads run the partition may be lent in a row, once it {@link #hasRoom}. */
    int mostLent(Partition at);

    /**
     * A transaction has succeeded and its writes are about to become permanent. This thread holds all its participants.
     * The gate fails the execution if it can't be committed and has to be rolled back.
     *
     * @param at the partition whose thread this is
     */
    void commit(Partition at, Execution execution);

    /**
     * A transaction with several participants is over for one of them, which this thread holds for the last time: its
     * writes there are permanent or undone.
     *
     * @param participant its position among the participants
     */
    void leaving(int participant, Execution execution);

    /**
     * A transaction has committed or rolled back; the gate calls {@link Execution#reply} now or later.
     *
     * @param at the partition whose thread ran it, and calls this
     */
    void finished(Partition at, Execution execution);
}
