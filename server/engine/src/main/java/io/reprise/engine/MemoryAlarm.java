package io.reprise.engine;

import io.reprise.storage.PartitionStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when a partition is at its memory limit: it takes as much as the limit or more, or has rejected a request for memory
 * within the last minute. The program's log gets a warning at the beginning and a line at the end. Owned by the partition's
 * thread.
 */
final class MemoryAlarm {
    static final long QUIET_NS = 60_000_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.memory");

    private final PartitionStore store;
    private long refusals;
    private long lastRefusalNs;
    private boolean refused;
    private boolean full;

    /** Earlier rejections, as during a recovery, do not count. */
    MemoryAlarm(PartitionStore store) {
        this.store = store;
        refusals = store.memoryRefusals();
    }

    /** Looks at the partition; returns whether it is at its limit. */
    boolean isFull(long nowNs) {
        long refusalsNow = store.memoryRefusals();
        if (refusalsNow != refusals) {
            refusals = refusalsNow;
            lastRefusalNs = nowNs;
            refused = true;
        } else if (refused && nowNs - lastRefusalNs >= QUIET_NS) {
            refused = false;
        }
        boolean before = full;
        full = refused || store.memoryUsed() > store.options().memoryLimit();
        if (full && !before) {
            LOG.warn(
                    "Partition {} {}",
                    store.options().partition(),
                    text(store.memoryUsed(), store.options().memoryLimit()));
        } else if (before && !full) {
            LOG.info(
                    "Partition {} has rejected no request for memory for a minute; {} of {} bytes are in use.",
                    store.options().partition(),
                    store.memoryUsed(),
                    store.options().memoryLimit());
        }
        return full;
    }

    /** The state of a partition that is full, behind its name. */
    static String text(long used, long limit) {
        return "is at its memory limit: " + used + " of " + limit
                + " bytes are in use, and writes that need more are rejected with MEMORY_LIMIT. Delete rows, drop what is not"
                + " needed, or raise engine.memoryPerPartition.";
    }
}
