package io.reprise.recovery.run;

import io.reprise.execution.durable.ImageRing;
import io.reprise.log.LogRecords;
import io.reprise.runtime.memory.Memory;
import java.util.List;

/**
 * The images of a node's commands, read in the order of the log. A command has none if its image had no room, or if it ran before the node
 * started, and the recovery kept none of it. Owned by the thread that sorts the log.
 */
public final class CommandImages implements AutoCloseable {
    private final ImageRing[] rings;
    private final int[] partitions;

    /** Null if the recovery kept none. */
    private ReplayedImages replayed;

    /** The ring whose first image is that of the last record; null: the image is a replayed one. */
    private ImageRing found;

    /**
     * Images of all partitions.
     *
     * @param rings by slot
     * @param partitions their ids, by slot
     * @param replayed of the commands that the recovery runs again; null: it keeps none
     */
    public CommandImages(List<ImageRing> rings, int[] partitions, ReplayedImages replayed) {
        this.replayed = replayed;
        this.rings = rings.toArray(ImageRing[]::new);
        this.partitions = partitions.clone();
    }

    /** Whether a ring is half full, so that the log should be sorted early. Any thread. */
    boolean needReading() {
        for (ImageRing ring : rings) {
            if (2 * ring.waiting() > ring.capacity()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Moves to the image of a command, which may be absent. A partition's commands have ascending ids, so images of its earlier commands are
     * dropped.
     */
    boolean find(LogRecords command) {
        long id = command.transactionId();
        found = null;
        for (int slot = 0; slot < rings.length && found == null; slot++) {
            ImageRing ring = rings[slot];
            boolean own = command.partition() == partitions[slot];
            while (own && ring.hasNext() && ring.transactionId() < id) {
                ring.release();
            }
            if (ring.hasNext() && ring.transactionId() == id) {
                found = ring;
            }
        }
        return found != null || replayed != null && replayed.isOver() && replayed.find(id);
    }

    /** The memory of the image that was found. */
    Memory memory() {
        return found != null ? found.memory() : replayed.memory();
    }

    /** The address of its payload. */
    long payload() {
        return found != null ? found.payload() : replayed.payload();
    }

    /** The length of its payload. */
    int payloadBytes() {
        return found != null ? found.payloadBytes() : replayed.payloadBytes();
    }

    /** Gives its room back. */
    void release() {
        if (found != null) {
            found.release();
        }
    }

    /** Whether commands behind a position of the log are still run again, whose images come then. */
    boolean comeBehind(long position) {
        return replayed != null && position < replayed.end() && !replayed.isOver();
    }

    /** The log is sorted up to a position. */
    void sortedUpTo(long position) {
        if (replayed != null && position >= replayed.end() && replayed.isOver()) {
            replayed.forget();
            replayed = null;
        }
    }

    /** When no thread uses the rings any more. */
    @Override
    public void close() {
        for (ImageRing ring : rings) {
            ring.close();
        }
    }
}
