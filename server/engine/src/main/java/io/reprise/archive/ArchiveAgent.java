package io.reprise.archive;

import io.reprise.id.DatabaseId;
import io.reprise.id.TransactionId;
import io.reprise.log.DamagedLogException;
import io.reprise.log.LogDirectory;
import io.reprise.log.LogSettings;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.PublishedLong;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.time.Clock;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotReader;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies durable log and snapshots into an archive while an engine runs, and removes what is older than the retention.
 *
 * <pre>
 *  CLOSED --open--> IDLE --log is due--> a piece --complete--> IDLE
 *    ^               | ^---snapshot is due--> a snapshot --complete--> retention --> IDLE
 *    +--any failure--+   (again after a pause that doubles up to a minute)
 * </pre>
 *
 * <p>Log goes before snapshots, so a large snapshot does not hold it up. After a failure the archive is opened anew, and its names tell
 * where to go on; the engine keeps the log from there. Runs on a thread of its own.
 */
public final class ArchiveAgent implements Agent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.archive");

    private static final long SLICE = 4 << 20;
    private static final long SECOND_NS = 1_000_000_000;
    private static final long MOST_PAUSE_NS = 60 * SECOND_NS;
    private static final long RETENTION_EVERY_NS = 3600 * SECOND_NS;

    /**
     * The engine's side.
     *
     * @param files the data directory
     * @param durable tells the log's durable position
     */
    public record Source(FileStore files, LogSettings log, DatabaseId database, LongSupplier durable, Clock clock) {}

    private final ArchiveSettings settings;
    private final Source source;
    private final PublishedLong archived = new PublishedLong();
    private final AtomicReference<ArchiveStats> stats = new AtomicReference<>();

    /** Null while the archive is not open. */
    private ObjectStore objects;

    private ArchiveCatalog catalog;
    private PieceCopy piece;
    private SnapshotCopy snapshot;
    private long position;
    private long positionMicros;
    private long segmentEnd;

    /** The log is archived from here on without a gap. */
    private long start;

    private long newestSnapshot;
    private long newestSnapshotPosition;
    private long damagedSnapshot;

    private long nextPieceNs;
    private long nextSnapshotNs;
    private long nextRetentionNs;
    private long retryNs;
    private long pauseNs;
    private boolean begun;
    private long begunNs;
    private long begunMicros;

    private String place = "";
    private long pieces;
    private long bytes;
    private long snapshots;
    private long removed;
    private long failures;
    private Optional<String> problem = Optional.empty();

    /** An agent that has not opened the archive yet. */
    public ArchiveAgent(ArchiveSettings settings, Source source) {
        this.settings = settings;
        this.source = source;
        publish();
    }

    @Override
    public String roleName() {
        return "archive";
    }

    /** The position up to which the log is archived: the engine keeps the log from here on. Any thread. */
    public long archived() {
        return archived.get();
    }

    /** The status. Any thread. */
    public ArchiveStats stats() {
        return stats.get();
    }

    @Override
    public int doWork(long nowNs) {
        if (!begun) {
            begun = true;
            begunNs = nowNs;
            begunMicros = source.clock().epochMicros();
            retryNs = nowNs;
        }
        if (objects == null && nowNs - retryNs < 0) {
            return 0;
        }
        try {
            return step(nowNs);
        } catch (StorageException
                | DamagedLogException
                | DamagedSnapshotException
                | DamagedArchiveException
                | IllegalStateException e) {
            failed(e, nowNs);
            return 0;
        }
    }

    private int step(long nowNs) {
        if (objects == null) {
            open(nowNs);
        } else if (piece != null) {
            copyPiece();
        } else if (isPieceDue(nowNs) && beginPiece(nowNs)) {
            publish();
        } else if (nowNs - nextSnapshotNs < 0) {
            return 0;
        } else if (snapshot != null) {
            copySnapshot(nowNs);
        } else if (beginSnapshot(nowNs)) {
            publish();
        } else if (nowNs - nextRetentionNs >= 0) {
            retain(nowNs);
        } else {
            return 0;
        }
        return 1;
    }

    private void open(long nowNs) {
        objects = settings.place().get();
        place = objects.place();
        objects.removeUnfinished(ArchiveCatalog.logFolder(source.database()));
        catalog = ArchiveCatalog.read(objects, source.database());
        position = catalog.end();
        start = catalog.start();
        segmentEnd = 0;
        positionMicros = 0;
        if (position > 0) {
            goOn();
        }
        long first = new LogDirectory(source.files(), source.log().directory())
                .positions()
                .getFirst();
        if (position < first) {
            if (position > 0) {
                LOG.warn(
                        "The archive {} ends at log position {}, and the log begins at {}: the part between them is lost, and the"
                                + " archive goes on with a new snapshot",
                        place,
                        position,
                        first);
            }
            position = first;
            start = first;
        }
        newestSnapshot = 0;
        newestSnapshotPosition = 0;
        if (!catalog.snapshots().isEmpty()) {
            Manifest newest = catalog.manifest(catalog.snapshots().getFirst());
            newestSnapshot = newest.identity().transactionId();
            newestSnapshotPosition = newest.origin().logPosition();
        }
        archived.set(position);
        nextPieceNs = nowNs;
        nextSnapshotNs = nowNs;
        nextRetentionNs = nowNs;
        publish();
    }

    /** Something has been copied, so the archive is at work again if it was not. */
    private void succeeded() {
        if (problem.isPresent()) {
            LOG.info("The archive {} is at work again", place);
        }
        problem = Optional.empty();
        pauseNs = 0;
    }

    /** Compares the archive's last piece with the log, which must go on behind it. */
    private void goOn() {
        LogPiece last = catalog.piece(catalog.pieces().getLast());
        if (position > source.durable().getAsLong()) {
            throw new IllegalStateException("the archive is ahead of the log: it ends at position " + position
                    + ", and the log at " + source.durable().getAsLong()
                    + ". The data directory is an older copy; restore from the archive, or name another archive");
        }
        if (!new PieceComparison(source.files(), source.log()).agrees(last)) {
            throw new IllegalStateException("the archive has other bytes than the log before position " + position
                    + ". Two copies of the data directory have been at work; name another archive for this one");
        }
        positionMicros = last.copiedMicros();
        segmentEnd = last.segment() + last.segmentBytes();
    }

    private boolean isPieceDue(long nowNs) {
        long durable = source.durable().getAsLong();
        return durable > position
                && (nowNs - nextPieceNs >= 0
                        || durable >= segmentEnd && segmentEnd > position
                        || durable - position >= source.log().segmentBytes());
    }

    private boolean beginPiece(long nowNs) {
        nextPieceNs = nowNs + settings.everyNs();
        piece = PieceCopy.begin(
                source.files(),
                source.log(),
                objects,
                catalog,
                position,
                source.durable().getAsLong(),
                source.clock().epochMicros());
        if (piece != null) {
            segmentEnd = piece.piece().segment() + piece.piece().segmentBytes();
        }
        return piece != null;
    }

    private void copyPiece() {
        if (!piece.step(SLICE)) {
            return;
        }
        LogPiece made = piece.piece();
        piece.close();
        piece = null;
        position = made.end();
        positionMicros = made.copiedMicros();
        archived.set(position);
        pieces++;
        bytes += made.content();
        succeeded();
        publish();
    }

    /** A snapshot is due if none goes on with the archived log, or the newest is old. */
    private boolean beginSnapshot(long nowNs) {
        long now = source.clock().epochMicros();
        boolean due = newestSnapshot == 0
                || newestSnapshotPosition < start
                || now - TransactionId.epochMicros(newestSnapshot) >= settings.snapshotEveryMicros();
        nextSnapshotNs = nowNs + SECOND_NS;
        if (!due) {
            return false;
        }
        List<Long> there = new SnapshotDirectory(source.files()).list();
        if (there.isEmpty() || there.getFirst() <= newestSnapshot || there.getFirst() == damagedSnapshot) {
            return false;
        }
        Manifest manifest;
        try {
            manifest = new SnapshotReader(source.files()).look(there.getFirst());
            snapshot = new SnapshotCopy(source.files(), manifest, objects);
        } catch (DamagedSnapshotException e) {
            // The engine removes old snapshots, or has one that is of no use; the next one may be good.
            damagedSnapshot = there.getFirst();
            LOG.warn("A snapshot is not archived: {}", e.getMessage());
            return false;
        }
        nextSnapshotNs = nowNs;
        return true;
    }

    private void copySnapshot(long nowNs) {
        long before = snapshot.copied();
        boolean complete;
        try {
            complete = snapshot.step();
        } catch (DamagedSnapshotException e) {
            damagedSnapshot = snapshot.manifest().identity().transactionId();
            throw e;
        }
        long count = snapshot.copied() - before;
        bytes += count;
        nextSnapshotNs = nowNs + count * SECOND_NS / settings.snapshotBytesPerSecond();
        if (complete) {
            newestSnapshot = snapshot.manifest().identity().transactionId();
            newestSnapshotPosition = snapshot.manifest().origin().logPosition();
            snapshot.close();
            snapshot = null;
            snapshots++;
            succeeded();
            nextRetentionNs = nowNs;
        }
        publish();
    }

    private void retain(long nowNs) {
        nextRetentionNs = nowNs + RETENTION_EVERY_NS;
        removed += new ArchiveRetention(objects, ArchiveCatalog.read(objects, source.database()))
                .run(retentionMicros(nowNs) - settings.keepMicros());
        publish();
    }

    /** The present by the wall clock, which is not believed when it has jumped forward: snapshots would go before their time. */
    private long retentionMicros(long nowNs) {
        return Math.min(source.clock().epochMicros(), begunMicros + (nowNs - begunNs) / 1000);
    }

    private void failed(RuntimeException e, long nowNs) {
        abort();
        failures++;
        if (problem.isEmpty()) {
            LOG.warn("The archive failed, and is tried again; the log is kept meanwhile: {}", e.getMessage());
        }
        problem = Optional.of(String.valueOf(e.getMessage()));
        pauseNs = Math.min(MOST_PAUSE_NS, Math.max(SECOND_NS, 2 * pauseNs));
        retryNs = nowNs + pauseNs;
        publish();
    }

    private void abort() {
        try {
            if (piece != null) {
                piece.close();
            }
            if (snapshot != null) {
                snapshot.close();
            }
        } catch (StorageException e) {
            LOG.debug("An upload was not dropped", e);
        }
        piece = null;
        snapshot = null;
        objects = null;
        catalog = null;
    }

    /**
     * The log has ended: copies the rest of it.
     *
     * @param mostNs gives up after this time; the next start goes on
     */
    public void finish(long mostNs) {
        long begin = source.clock().nanoTime();
        long now = begin;
        nextPieceNs = now;
        long failed = failures;
        while (position < source.durable().getAsLong() && failures == failed && now - begin < mostNs) {
            nextPieceNs = now;
            if (doWork(now) == 0 && piece == null) {
                break;
            }
            now = source.clock().nanoTime();
        }
    }

    private void publish() {
        stats.set(new ArchiveStats(
                place,
                position,
                source.durable().getAsLong(),
                positionMicros,
                pieces,
                bytes,
                snapshots,
                newestSnapshot,
                removed,
                failures,
                problem));
    }

    /** Drops what is under way, after the agent's thread has ended. */
    @Override
    public void close() {
        abort();
    }
}
