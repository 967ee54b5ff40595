package io.reprise.execution;

/**
 * What a transaction passes between its end in memory and its reply. A log implements it: no reply leaves before its
 * record is durable.
 */
public interface CommitGate {
    /** Lets everything pass at once. */
    CommitGate OPEN = (partition, invocation) -> invocation.reply();

    /**
     * A transaction has committed or rolled back; the gate calls {@link Invocation#reply} now or later.
     *
     * @param partition the partition whose thread ran it, and calls this
     */
    void finished(Partition partition, Invocation invocation);
}
