package io.reprise.cluster.replica;

import java.util.List;

/**
 * A replica's log. Records have indexes from 1 on, without gaps, and epochs that never fall. An image stands for all
 * records up to its index. Appends return at once; a force that is under way makes them durable later.
 *
 * <p>Owned by the replica's agent.
 */
public interface ReplicaLog {
    /** The index of the last record, or that of the image, or 0. */
    long lastIndex();

    /** Records at or below this index are not at hand: an image has them, or {@link #older} reads them. 0 if there are none. */
    long imageIndex();

    /** Records at or below this index are in an image only, as far as is known. */
    default long oldestIndex() {
        return imageIndex();
    }

    /** Reads records from an index on that is above the oldest. */
    default OlderRecords older(long index) {
        throw new UnsupportedOperationException("no record is older than those at hand, not that at " + index);
    }

    /** The epoch of the record at an index from the image's on; 0 for index 0. */
    long epochAt(long index);

    /** The record at an index above the image's. */
    ReplicaRecord record(long index);

    /** The index of the last record of an epoch, or -1 if neither the log nor the image's end has that epoch. */
    long lastOf(long epoch);

    /** Whether there is room for another record; otherwise it has to come again. */
    default boolean hasRoom() {
        return true;
    }

    /** Appends a record. */
    void append(ReplicaRecord record);

    /** Everything up to this index is on stable storage. */
    long durableIndex();

    /** Marks the log as holding nothing, durably, until the image is complete. */
    void beginImage();

    /** Takes the next piece of an image. */
    void addToImage(byte[] piece);

    /** The number of pieces of the present image that are stored, so that others may come. */
    int imagePieces();

    /** All pieces have come: the image stands for all records. It is durable, with its mark, when {@link #durableIndex} reaches its index. */
    void completeImage(long index, long epoch);

    /** Whether the log lies between the begin and the durable end of an image. */
    boolean isLoading();

    /** The incarnations whose start is durable here, the oldest first. */
    List<Long> starts();

    /** Whether the log has the durable start of this incarnation. */
    default boolean hasStart(long incarnation) {
        return starts().contains(incarnation);
    }
}
