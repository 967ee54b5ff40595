package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.id.DatabaseId;
import io.reprise.log.LogDirectory;
import io.reprise.log.SnapshotMark;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.PublishedLong;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.ForceFailedException;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.time.Clock;
import io.reprise.snapshot.PartitionSweep;
import io.reprise.snapshot.SnapshotAgent;
import io.reprise.snapshot.SnapshotMerger;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.snapshot.SnapshotStart;
import io.reprise.snapshot.SnapshotStats;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.UnknownSnapshotFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Snapshots as part of an engine: connects the snapshot's agent with the sweeps in the sites, with the transaction that it
 * begins with, and with the log, whose segments it makes needless.
 */
final class Snapshots implements SnapshotMark, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.snapshot");

    private static final long LEAST_IDLE_NS = 1_000_000;
    private static final long MOST_IDLE_NS = 100_000_000;

    private final Waker waker;
    private final List<PartitionSweep> sweeps = new ArrayList<>();
    private final SnapshotAgent agent;
    private final LogDirectory log;
    private final boolean keepLog;

    /** The log is kept from here on, whatever snapshots need. */
    private final LongSupplier keepFrom;

    private final int spareSegments;
    private final RecoveryBacklog backlog;

    /** Facts about the schema for a snapshot's moment; made when the schema changes, because it takes long. */
    private final AtomicReference<Described> schema = new AtomicReference<>();

    private final AtomicReference<SnapshotReport> last = new AtomicReference<>();
    private final AtomicReference<Begun> begun = new AtomicReference<>();
    private final AtomicReference<Consumer<SnapshotBeginning>> runner = new AtomicReference<>();
    private final Runnable checkRoom;

    /** The log position of the oldest usable snapshot. */
    private final PublishedLong oldest = new PublishedLong();

    /** The log positions of all usable snapshots at the start, in ascending order. */
    private final List<Long> positionsAtStart;

    /** The position up to which runs take the log's place; 0 if they don't. */
    private final LongSupplier replaced;

    private long trimmed;

    /** Null unless the sorted log is the only storage. */
    private final BaseSchedule bases;

    /** The log position and the size of the newest snapshot. */
    private long newestPosition;

    private long newestBytes;

    /** Null on a node that serves alone. */
    private Supplier<byte[]> streams;

    private record Described(Catalog catalog, byte[] image) {}

    private record Begun(long transactionId, SnapshotStart start) {}

    /**
     * The transaction at a snapshot's moment.
     *
     * @param work its action while it holds all partitions
     * @param refused is told why it can't run
     */
    record SnapshotBeginning(SnapshotBeginWork work, Consumer<String> refused) {}

    Snapshots(
            Durability durability,
            FileStore files,
            DatabaseId database,
            List<Partition> partitions,
            Waker[] siteWakers,
            Clock clock,
            boolean threads,
            LogDirectory log,
            LongSupplier logPosition,
            Runnable checkRoom,
            long newestLogPosition,
            Set<Long> damaged,
            LongSupplier keepFrom,
            boolean byPartition,
            SnapshotMerger merger,
            RecoveryBacklog backlog,
            LongSupplier replaced,
            BaseSchedule bases) {
        this.replaced = replaced;
        this.bases = bases;
        newestPosition = newestLogPosition;
        positionsAtStart = positions(files, damaged, newestLogPosition);
        oldest.set(positionsAtStart.getFirst());
        this.backlog = backlog;
        this.log = log;
        this.keepFrom = keepFrom;
        this.checkRoom = checkRoom;
        this.keepLog = durability.keepLog();
        this.spareSegments = durability.log().spareSegments();
        waker = threads ? new Waker() : null;
        for (Partition partition : partitions) {
            sweeps.add(new PartitionSweep(
                    partition.id(),
                    partition.store(),
                    partition.outcomes().image(),
                    durability.snapshots(),
                    clock,
                    siteWakers[partition.site()],
                    waker));
        }
        agent = new SnapshotAgent(
                durability.snapshots(),
                new SnapshotAgent.Wiring(database, this::begin, logPosition, this::ended, byPartition, merger, waker),
                files,
                clock,
                sweeps,
                newestLogPosition,
                damaged);
    }

    /** The newest one may be none of the directory's, or the log's beginning. */
    private List<Long> positions(FileStore files, Set<Long> damaged, long newest) {
        TreeSet<Long> found = new TreeSet<>(Set.of(newest));
        SnapshotDirectory directory = new SnapshotDirectory(files);
        for (long id : directory.list()) {
            try {
                if (!damaged.contains(id)) {
                    Manifest manifest = directory.manifest(id);
                    found.add(manifest.origin().logPosition());
                    newestBytes = manifest.origin().logPosition() == newest ? manifest.bytes() : newestBytes;
                }
            } catch (DamagedSnapshotException | UnknownSnapshotFormatException e) {
                LOG.debug("A snapshot does not count", e);
            }
        }
        return List.copyOf(found);
    }

    /** The log positions of all snapshots that a recovery could begin with at the start, in ascending order. Any thread. */
    List<Long> positionsAtStart() {
        return positionsAtStart;
    }

    /** The log position of the oldest snapshot that a recovery may begin with. Any thread. */
    long oldestPosition() {
        return oldest.get();
    }

    /** Before the first snapshot: the state of the partitions' streams at a snapshot's moment, for the log. */
    void streams(Supplier<byte[]> value) {
        streams = value;
    }

    /** Says how the transaction that a snapshot begins with is run. */
    void runBy(Consumer<SnapshotBeginning> value) {
        runner.set(value);
    }

    /** The schema has changed, or is known now. While all partitions are held, or before any transaction runs. */
    void describe(Catalog catalog, byte[] image) {
        schema.set(new Described(catalog, image));
    }

    private void begin(SnapshotStart start) {
        SnapshotBeginWork work = new SnapshotBeginWork(
                id -> {
                    checkRoom.run();
                    Described now = schema.get();
                    // Before the log can have written it, and say so.
                    begun.set(new Begun(id, start));
                    backlog.snapshotBegins(id);
                    start.begun(id, now.catalog(), now.image());
                },
                streams);
        runner.get().accept(new SnapshotBeginning(work, start::refused));
    }

    @Override
    public void snapshotBegan(long transactionId, long position) {
        Begun last = begun.get();
        if (last != null && last.transactionId() == transactionId) {
            last.start().durable(position);
        }
    }

    private void ended(SnapshotReport report) {
        last.set(report);
        backlog.snapshotEnded(report);
        if (!report.problem().isEmpty()) {
            LOG.warn("Snapshot {}: {}", report.name(), report.problem());
        }
        if (report.succeeded()) {
            newestPosition = report.logPosition();
            newestBytes = report.fileBytes();
        }
        try {
            if (!report.succeeded()) {
                // It may have failed for the room that they take.
                log.removeSpares(0);
            } else if (report.oldestLogPosition() > 0 && report.oldestLogPosition() < Long.MAX_VALUE) {
                oldest.set(report.oldestLogPosition());
                removeBelow(report.oldestLogPosition());
            }
        } catch (ForceFailedException e) {
            // It may have been about a segment that the log goes on in.
            throw e;
        } catch (StorageException e) {
            LOG.warn("Segments of the log that no snapshot needs any more can't be removed: {}", e.getMessage());
        }
    }

    private void removeBelow(long position) {
        if (!keepLog) {
            log.removeBelow(Math.min(position, keepFrom.getAsLong()), spareSegments);
        }
    }

    /** Removes segments of the log in whose place runs stand. Returns whether there was something to do. */
    private int trim() {
        long position = replaced.getAsLong();
        if (position <= trimmed) {
            return 0;
        }
        trimmed = position;
        try {
            removeBelow(position);
        } catch (ForceFailedException e) {
            throw e;
        } catch (StorageException e) {
            LOG.warn("Segments of the log that runs have replaced can't be removed: {}", e.getMessage());
        }
        return 1;
    }

    /** The snapshot's own agent, and behind it the removal of segments, which only one thread does, and the requests for bases. */
    private final class Trimming implements Agent {
        @Override
        public String roleName() {
            return agent.roleName();
        }

        @Override
        public void onStart() {
            agent.onStart();
        }

        @Override
        public int doWork(long nowNs) {
            int work = agent.doWork(nowNs) + trim();
            if (bases != null && bases.isDue(newestPosition, newestBytes, nowNs)) {
                bases.asked(agent.request(), nowNs);
                work++;
            }
            return work;
        }

        @Override
        public void onClose() {
            agent.onClose();
        }
    }

    /** Whether no snapshot is under way, but perhaps one that has not begun. Any thread. */
    boolean isQuiet() {
        SnapshotStats.Phase phase = agent.stats().phase();
        return phase == SnapshotStats.Phase.IDLE || phase == SnapshotStats.Phase.BEGINNING;
    }

    /** The present activity, and the end of the last one. Any thread. */
    DurabilityStats.SnapshotState stats() {
        return new DurabilityStats.SnapshotState(agent.stats(), Optional.ofNullable(last.get()));
    }

    /**
     * The idling of its thread: woken by rows and requests, but snapshots are due by the clock and by the log's
     * length.
     */
    IdleStrategy idle() {
        return new ParkingIdleStrategy(waker, LEAST_IDLE_NS, MOST_IDLE_NS, 1);
    }

    /** Asks for a snapshot whose moment is after this call. */
    CompletableFuture<SnapshotReport> request() {
        return agent.request();
    }

    /** Any thread: changes the times of snapshots. Bases of the sorted log keep their own. */
    void schedule(long intervalMs, long logBytes) {
        if (bases == null) {
            agent.schedule(intervalMs, logBytes);
        }
    }

    /** The snapshot's own agent, for a thread of its own. */
    Agent agent() {
        return new Trimming();
    }

    /** Wakes that thread. */
    Waker waker() {
        return waker;
    }

    /** The sweep of a partition, for its site's thread. */
    Agent sweep(Partition partition, PartitionExecutor executor) {
        return new SweepAgent(sweeps.get(partition.slot()), executor, partition);
    }

    @Override
    public void close() {
        sweeps.forEach(PartitionSweep::close);
        agent.close();
    }
}
