package io.reprise.engine;

import io.reprise.recovery.replay.ReplayProgress;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.time.Clock;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.storage.PartitionStore;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the operator, by the program's log, and the application how a recovery goes. On the recovering thread. */
final class RecoveryReporter implements ReplayProgress {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");
    private static final long EVERY_NS = 1_000_000_000L;
    private static final double NS = 1e9;

    private final Consumer<RecoveryProgress> listener;
    private final Clock clock;
    private RecoveryProgress.Phase phase;
    private long rowsInAll;
    private long phaseBeganNs;
    private long nextNs;

    RecoveryReporter(Consumer<RecoveryProgress> listener, Clock clock) {
        this.listener = listener;
        this.clock = clock;
    }

    /** A snapshot can't be used; an older one is. */
    void damaged(DamagedSnapshotException damage) {
        LOG.warn(
                "A snapshot is damaged and left out; an older one with more of the log is used, if there is one. {}",
                damage.getMessage());
    }

    /** A run of the log can't be used. */
    void damagedRun(RuntimeException damage) {
        LOG.warn("A run of the log is damaged, and the log is read instead: {}", damage.getMessage());
    }

    /** They are on a disk of their own. */
    void snapshotsNotLocked(StorageException why) {
        LOG.warn(
                "Snapshots are loaded, but none is made or removed until their folder can be locked: {}",
                why.getMessage());
    }

    void loading(Manifest manifest) {
        rowsInAll = manifest.rows();
        begin(RecoveryProgress.Phase.LOADING);
        LOG.info(
                "Loading snapshot {}: {} rows, {} bytes.",
                SnapshotDirectory.name(manifest.identity().transactionId()),
                rowsInAll,
                manifest.bytes());
    }

    void loaded(long rows) {
        tell(rows, rowsInAll, rows);
    }

    /** Warns of a partition that takes more memory than its limit: it accepts no new rows. */
    void memory(PartitionStore store) {
        long limit = store.options().memoryLimit();
        if (store.memoryUsed() > limit) {
            LOG.warn(
                    "Partition {} takes {} bytes after its recovery, and its memory limit is {}. It rejects writes that need"
                            + " memory until rows are deleted or tables dropped; or raise engine.memoryPerPartition.",
                    store.options().partition(),
                    store.memoryUsed(),
                    limit);
        }
    }

    void replaying() {
        begin(RecoveryProgress.Phase.REPLAYING);
    }

    @Override
    public void replayed(long bytes, long bytesInAll, long transactions) {
        tell(bytes, bytesInAll, transactions);
    }

    /** The last line of a recovery; a new database has none. */
    void done(long rows, long loadNs, long transactions, long replayNs) {
        if (phase != null) {
            LOG.info(
                    "Recovery is done: {} rows loaded in {} s, {} transactions replayed in {} s.",
                    rows,
                    String.format(Locale.ROOT, "%.1f", loadNs / NS),
                    transactions,
                    String.format(Locale.ROOT, "%.1f", replayNs / NS));
        }
        phase = RecoveryProgress.Phase.DONE;
        listener.accept(new RecoveryProgress(phase, 1, 0, Duration.ZERO));
    }

    /** The log behind the snapshot concerns all rows. */
    void notOnDemand() {
        LOG.info(
                "All rows are recovered before the engine opens: the log behind the snapshot has a change of the schema or another"
                        + " record that concerns all buckets");
    }

    private void begin(RecoveryProgress.Phase next) {
        phase = next;
        phaseBeganNs = clock.nanoTime();
        nextNs = phaseBeganNs + EVERY_NS;
        listener.accept(new RecoveryProgress(phase, 0, 0, Duration.ZERO));
    }

    private void tell(long done, long inAll, long counted) {
        long nowNs = clock.nanoTime();
        if (nowNs - nextNs < 0) {
            return;
        }
        nextNs = nowNs + EVERY_NS;
        double seconds = (nowNs - phaseBeganNs) / NS;
        double fraction = inAll == 0 ? 1 : Math.min(1, (double) done / inAll);
        double left = fraction == 0 ? 0 : seconds * (1 - fraction) / fraction;
        RecoveryProgress progress =
                new RecoveryProgress(phase, fraction, counted / seconds, Duration.ofMillis((long) (left * 1000)));
        LOG.info(
                "Recovery, {}: {}%, {} a second, done in about {} s.",
                phase.name().toLowerCase(Locale.ROOT),
                Math.round(100 * fraction),
                Math.round(progress.perSecond()),
                Math.round(left));
        listener.accept(progress);
    }
}
