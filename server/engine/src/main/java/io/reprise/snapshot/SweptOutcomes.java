package io.reprise.snapshot;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A partition's memory of calls that may come again, as a snapshot takes it: as it is at the snapshot's moment, a
 * part at a time between transactions. Owned by the holder of the partition.
 */
public interface SweptOutcomes {
    /** The snapshot's moment. */
    void begin();

    /** Takes some more. Returns whether anything is left. */
    boolean sweep();

    /** All has been taken: gives it, and keeps nothing. */
    List<ByteBuffer> end();

    /** Nothing becomes of this snapshot. */
    void giveUp();
}
