package io.reprise.engine;

import io.reprise.recovery.run.LogRunAgent;
import io.reprise.snapshot.SnapshotReport;
import java.util.concurrent.CompletableFuture;

/**
 * The schedule of bases of a database whose storage is the sorted log: a base is merged when runs behind the last one have as many bytes of log as
 * it has bytes, so that each byte is written a bounded number of times. It is made earlier if runs can't take the log's place until then, as
 * behind a change of the schema.
 *
 * <p>Owned by the snapshot's thread.
 */
final class BaseSchedule {
    /** The pause between a failure and the next attempt. */
    private static final long PAUSE_NS = 10_000_000_000L;

    private final LogRunAgent sorting;
    private final long leastBytes;
    private CompletableFuture<SnapshotReport> asked = CompletableFuture.completedFuture(null);
    private long askedNs;

    /**
     * A schedule.
     *
     * @param leastBytes bytes of log that are not worth a base
     */
    BaseSchedule(LogRunAgent sorting, long leastBytes) {
        this.sorting = sorting;
        this.leastBytes = leastBytes;
    }

    /**
     * Whether the next base is due.
     *
     * @param newest the log position of the last base; 0: there is none
     * @param bytes the size of its files
     */
    boolean isDue(long newest, long bytes, long nowNs) {
        SnapshotReport last = asked.getNow(null);
        if (!asked.isDone() || last != null && !last.succeeded() && nowNs - askedNs < PAUSE_NS) {
            return false;
        }
        long behind = sorting.sorted() - newest;
        return behind > Math.max(leastBytes, bytes) || behind > 0 && sorting.dataFrom() > newest;
    }

    /** A base is asked for. */
    void asked(CompletableFuture<SnapshotReport> base, long nowNs) {
        asked = base;
        askedNs = nowNs;
    }
}
