package io.reprise.execution.durable;

import io.reprise.log.RecordBuilder;

/**
 * The replication of a partition as the gate of its site sees it: records go into the partition's stream, and a reply waits
 * until the replicas have what its transaction wrote or has seen. Owned by the site's thread.
 */
public interface Replication {
    /** The term of a partition that this node does not lead. */
    long NOT_LED = -1;

    /** Whether the stream can take another record: its followers keep up. */
    boolean hasRoom();

    /** Publishes the record of a transaction of this partition alone. */
    void publish(RecordBuilder record, long transactionId);

    /** The present leadership of this node, or {@link #NOT_LED}. A reply that waits is lost with its leadership. */
    long term();

    /** Everything in the partition's log up to this position is stable at the replicas. */
    long position();

    /** Whether nothing can be confirmed for the time being: replies that wait are told so. */
    boolean isCutOff();

    /** A token for the reply of a transaction that has ended: a new one if it only read. */
    long token(boolean wrote);

    /** Replies with tokens up to this one are confirmed by the replicas. */
    long confirmed();
}
