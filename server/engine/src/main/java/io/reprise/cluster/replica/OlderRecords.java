package io.reprise.cluster.replica;

/**
 * Records of a log that are not at hand any more, read ahead from its files for one peer that lags.
 *
 * <p>The reading may be on another thread, and may lag. It goes on behind the records that are at hand until it is closed. Owned by the
 * leader's replica.
 */
public interface OlderRecords extends AutoCloseable {
    /** Whether the first record is here. */
    boolean isReady();

    /** Whether the files do not have the records, or can't be read: the peer needs an image. */
    boolean isGone();

    /** The record at an index, or null if it is not here yet. */
    ReplicaRecord record(long index);

    /** No record below this index is asked for any more. */
    void release(long index);

    @Override
    void close();
}
