package io.reprise.cluster.replica;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

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

    /**
     * Writes down the line of the map that the replica has entered, or that its leader is about to ask for. It stands ahead of all records
     * that are appended later, and outlives images.
     */
    void note(NotedLine line);

    /** The last line that was written down. */
    NotedLine noted();

    /** Whether that line is on stable storage. */
    boolean isNoted();

    /** By bucket that has left the partition or come to it, the partition that has it behind the last record. */
    default SortedMap<Integer, Integer> movedBuckets() {
        return Collections.emptySortedMap();
    }

    /** Everything up to this index is on stable storage. */
    long durableIndex();

    /** Marks the log as holding nothing, durably, until the image is complete. */
    void beginImage();

    /** Takes the next piece of an image. */
    void addToImage(byte[] piece);

    /** The number of pieces of the present image that are stored, so that others may come. */
    int imagePieces();

    /** The reason why the present image was given up, whose remaining pieces are not stored; null if it was not. */
    default String imageFailure() {
        return null;
    }

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
