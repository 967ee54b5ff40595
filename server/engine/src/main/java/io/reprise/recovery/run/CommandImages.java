package io.reprise.recovery.run;

import io.reprise.execution.durable.ImageRing;
import io.reprise.log.LogRecords;
import java.util.List;

/**
 * The images of a node's commands, read in the order of the log. A command has none if it ran before the node started, or if its image had
 * no room. Owned by the thread that sorts the log.
 */
public final class CommandImages implements AutoCloseable {
    private final ImageRing[] rings;
    private final int[] partitions;

    /** The ring whose first image is that of the last record; null: it has none. */
    private ImageRing found;

    /**
     * Images of all partitions.
     *
     * @param rings by slot
     * @param partitions their ids, by slot
     */
    public CommandImages(List<ImageRing> rings, int[] partitions) {
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
        return found != null;
    }

    /** The image that was found. Its owner releases it. */
    ImageRing found() {
        return found;
    }

    /** When no thread uses the rings any more. */
    @Override
    public void close() {
        for (ImageRing ring : rings) {
            ring.close();
        }
    }
}
