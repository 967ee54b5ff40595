package io.reprise.recovery.replay;

import io.reprise.execution.Work;

/** The schema of a replay, which CATALOG records change. */
public interface ReplaySchema {
    /** The procedure version with this number, or null. */
    Work procedure(int version);

    /** An ad hoc statement. */
    Work statement(String text);

    /**
     * Applies a change again. No transaction is under way.
     *
     * @param record the payload of the CATALOG record
     * @param transactionId its old id
     */
    void change(byte[] record, long transactionId);

    /**
     * Applies a part of an image again. No transaction is under way.
     *
     * @param partition the id of the partition
     */
    void image(int partition, ImageRecord record);

    /**
     * Moves buckets again. No transaction is under way.
     *
     * @param partition the id of the partition that they leave or come to
     */
    void move(int partition, BucketMove move);
}
