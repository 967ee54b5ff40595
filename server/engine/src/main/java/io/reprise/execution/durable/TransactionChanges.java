package io.reprise.execution.durable;

import io.reprise.execution.Execution;
import io.reprise.execution.LocalPartitions;
import io.reprise.execution.Partition;
import io.reprise.record.data.DataCollector;
import io.reprise.runtime.memory.Memory;

/**
 * The changes of a transaction at all of its participants, as the payload of one data record: they are collected, then written once. Owned by
 * the thread that holds the participants.
 */
public final class TransactionChanges {
    private final LocalPartitions partitions;
    private final DataCollector[] collectors;

    /** Changes of transactions over these partitions, with their collectors by slot. */
    public TransactionChanges(LocalPartitions partitions, DataCollector[] collectors) {
        this.partitions = partitions;
        this.collectors = collectors.clone();
    }

    private DataCollector of(Execution execution, int participant) {
        return collectors[partitions.slotOf(execution.participant(participant))];
    }

    /**
     * Collects the changes. Replicated tables are the same at each participant, so one participant's writes to them are enough. Throws
     * MEMORY_LIMIT. Returns the room that they need; 0 if there are none.
     */
    public long collect(Execution execution) {
        long bytes = 0;
        for (int i = 0; i < execution.participantCount(); i++) {
            bytes += of(execution, i).collect(i == 0);
        }
        return bytes;
    }

    /** The same of all participants but the home, which has the writes to replicated tables. */
    long collectElsewhere(Partition home, Execution execution) {
        long bytes = 0;
        for (int i = 0; i < execution.participantCount(); i++) {
            if (execution.participant(i) != home.id()) {
                bytes += of(execution, i).collect(false);
            }
        }
        return bytes;
    }

    /** The hash of the rows that were collected, for replicas. */
    long hash(Execution execution) {
        long hash = 0;
        for (int i = 0; i < execution.participantCount(); i++) {
            hash += of(execution, i).hash();
        }
        return hash;
    }

    /** Writes the changes that were collected. Returns the address behind them. */
    public long writeTo(Memory memory, long address, Execution execution) {
        long to = address;
        for (int i = 0; i < execution.participantCount(); i++) {
            to = of(execution, i).writeTo(memory, to);
        }
        return to;
    }

    /** The same of {@link #collectElsewhere}. */
    long writeElsewhereTo(Memory memory, long address, Partition home, Execution execution) {
        long to = address;
        for (int i = 0; i < execution.participantCount(); i++) {
            if (execution.participant(i) != home.id()) {
                to = of(execution, i).writeTo(memory, to);
            }
        }
        return to;
    }
}
