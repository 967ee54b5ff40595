package io.reprise.engine;

import io.reprise.archive.ArchiveAgent;
import io.reprise.catalog.Catalog;
import io.reprise.engine.replication.NodeStreams;
import io.reprise.engine.replication.StreamFeeds;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Partition;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.durable.DurableGate;
import io.reprise.execution.durable.FootprintAgent;
import io.reprise.execution.durable.ImageRing;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.Stability;
import io.reprise.execution.durable.adaptive.LoggingAdvisor;
import io.reprise.execution.durable.adaptive.LoggingChooser;
import io.reprise.execution.durable.adaptive.LoggingStats;
import io.reprise.log.LogReader;
import io.reprise.log.LogStats;
import io.reprise.log.LogTail;
import io.reprise.log.LogWriter;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import io.reprise.log.SegmentAhead;
import io.reprise.log.SnapshotMark;
import io.reprise.record.data.DataCollector;
import io.reprise.recovery.demand.BucketLoadAgent;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.recovery.replay.RecoveryChoice;
import io.reprise.recovery.run.CommandImages;
import io.reprise.recovery.run.LogRun;
import io.reprise.recovery.run.LogRunAgent;
import io.reprise.recovery.run.LogRuns;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.storage.PartitionStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Keeps an engine's data beyond its end: the data directory, the log with its writer, the gates through which
 * transactions pass to it, and the snapshots.
 *
 * <pre>
 *  open: {@link Recovery} locks the directory and brings back what was there
 *    -> the log's writer starts, then the sites, then the snapshots
 *  close: the snapshots end, the sites, the log's writer when it has written the rest; the directory is free again
 * </pre>
 */
final class Persistence implements AutoCloseable {
    /** An orderly stop waits so long for the archive. */
    private static final long LAST_COPY_NS = 10_000_000_000L;

    private final FileStore files;
    private final Durability durability;
    private final Waker writerWaker = new Waker();
    private final PartitionLog[] logs;

    /** The ring of footprints and its agent; null if none are collected. */
    private final PartitionLog footprintLog;

    private final FootprintAgent footprints;

    /** Null unless the logging is adaptive. */
    private final LoggingAdvisor advisor;

    private final LogWriter writer;
    private final LogRoom room;
    private final SegmentAhead segmentsAhead;
    private final Snapshots snapshots;
    private final RecoveryBacklog backlog;
    private final PacedReplies replies;

    /** By slot; null unless runs have images of commands. */
    private final ImageRing[] images;

    /** Commands without an image so far. */
    private LongSupplier imagesMissed = () -> 0;

    /** Transactions that were logged as rows, because the image of their command had no room. */
    private LongSupplier imagesLogged = () -> 0;

    /** Null unless the log is sorted into runs. */
    private final LogRunAgent runs;

    /** The runs that the recovery has taken. */
    private final List<LogRun> runsAtStart;

    /** Null without an objective. */
    private final ObjectiveAgent objective;

    private final LogHold repairHold = new LogHold();
    private final LogHold rebuildHold = new LogHold();
    private final DurablePosition durablePosition;
    private final LogTail tail;
    private final List<Partition> partitions;

    /** The moment that a rebuild waits for; its thread reads it behind the transaction that sets it. */
    private LogMark mark;

    /** Null without an archive. */
    private final ArchiveAgent archive;

    /** Null on a node that serves alone. */
    private final StreamFeeds feeds;

    /** Goes on where a recovery has ended. */
    Persistence(EngineSettings settings, FileStore files, Recovered recovered, Waker[] sites) {
        this.files = files;
        this.durability = settings.sortedLog().only()
                ? settings.durability().with(settings.durability().snapshots().onDemand())
                : settings.durability();
        partitions = recovered.partitions();
        runsAtStart = recovered.opening().runs();
        tail = recovered.tail().orElseThrow();
        settle(tail);
        durablePosition = DurablePosition.begin(files, tail);
        logs = new PartitionLog[partitions.size()];
        for (int i = 0; i < logs.length; i++) {
            logs[i] = new PartitionLog(i, partitions.get(i).id(), durability.log(), writerWaker);
        }
        boolean threads = settings.hasThreads();
        Waker[] toWake = Arrays.stream(sites).filter(Objects::nonNull).toArray(Waker[]::new);
        MarkRelay marks = new MarkRelay();
        PartitionLog[] rings = logs;
        if (settings.storage().collectsFootprints()) {
            footprintLog = new PartitionLog(logs.length, partitions.getFirst().id(), durability.log(), writerWaker);
            rings = Arrays.copyOf(logs, logs.length + 1);
            rings[logs.length] = footprintLog;
        } else {
            footprintLog = null;
        }
        backlog = new RecoveryBacklog(
                files,
                recovered,
                new RecoveryBacklog.Surroundings(
                        settings.recovery().onDemand(),
                        settings.sortedLog().images(),
                        tail.database().buckets().count(),
                        () -> stats().position(),
                        this::sortedRuns));
        writer = new LogWriter(tail, durability.log(), rings, toWake, settings.clock(), marks);
        room = new LogRoom(logs, writer, durability);
        advisor = durability.method() == LoggingMethod.ADAPTIVE
                ? new LoggingAdvisor(durability.adaptive(), backlog.costs())
                : null;
        marks.advisor = advisor;
        footprints = footprintLog == null
                ? null
                : new FootprintAgent(stores(partitions), footprintLog, writer.admission(), advisor);
        segmentsAhead = writer.segmentsAhead(writerWaker);
        archive = settings.storage()
                .archive()
                .map(to -> new ArchiveAgent(
                        to,
                        new ArchiveAgent.Source(
                                files,
                                durability.log(),
                                tail.database(),
                                () -> writer.stats().durable(),
                                settings.clock())))
                .orElse(null);
        feeds = settings.cluster().isEmpty()
                ? null
                : new StreamFeeds(
                        new StreamFeeds.Source(
                                files,
                                durability.log(),
                                tail.database(),
                                () -> writer.stats().durable()),
                        threads ? new Waker() : null);
        images = settings.sortedLog().images() ? rings(settings.sortedLog().imageBytes()) : null;
        runs = settings.sortedLog().isSorted() ? runs(settings, recovered, threads) : null;
        snapshots = new Snapshots(
                durability,
                files,
                tail.database(),
                partitions,
                sites,
                settings.clock(),
                threads,
                tail.directory(),
                () -> writer.stats().position(),
                room::check,
                recovered.snapshotPosition(),
                recovered.damagedSnapshots(),
                this::keptFrom,
                settings.cluster().isPresent(),
                SnapshotMerging.of(settings, files, () -> writer.stats().durable(), runs),
                backlog,
                settings.sortedLog().reused() ? runs::replaced : () -> 0,
                settings.sortedLog().only()
                        ? new BaseSchedule(runs, settings.sortedLog().leastBaseBytes())
                        : null);
        marks.to = snapshots;
        replies = new PacedReplies(
                Arrays.stream(logs).map(log -> (LongSupplier) log::durable).toArray(LongSupplier[]::new), toWake);
        objective = settings.cluster().isPresent()
                ? null
                : settings.recovery()
                        .objective()
                        .map(most -> new ObjectiveAgent(
                                most,
                                new SnapshotObjective(
                                        backlog,
                                        snapshots,
                                        runs,
                                        () -> writer.stats().durable(),
                                        most.bucketNs() > 0),
                                replies))
                        .orElse(null);
        durablePosition.follow(() -> writer.stats().durable());
    }

    /** While all partitions are held: {@link #isMarkDurable} is about this moment from now on. */
    void mark() {
        mark = new LogMark(logs, partitions, footprints);
    }

    /** Whether the log is durable up to the mark. */
    boolean isMarkDurable() {
        return mark.isDurable();
    }

    /** The first position of the log that is still there. Any thread. */
    long firstPosition() {
        return tail.directory().positions().getFirst();
    }

    /** The log that a repair of a bucket needs. */
    LogHold repairHold() {
        return repairHold;
    }

    /** The log that a rebuild of a partition needs. */
    LogHold rebuildHold() {
        return rebuildHold;
    }

    /** Reads the durable log. Any thread. */
    LogReader read(long from, long to) {
        return LogReader.upTo(files, durability.log(), tail.database(), from, to);
    }

    FileStore files() {
        return files;
    }

    /** Before any site runs, because a read of what was recovered, or a call that comes again, is answered at once. */
    private void settle(LogTail tail) {
        LogWitness witness = new LogWitness(files);
        if (tail.isEmpty()) {
            witness.remove();
        }
        tail.settle();
        // They may just have been made, and may be linked to from now on.
        files.lockFolder(durability.log().directory());
        // If it can't be locked, there was a warning, and no snapshot is made.
        new SnapshotDirectory(files).lock();
        witness.write(tail.database());
    }

    /** The log's writer and the snapshots know each other; this is what the one that is made first is given. */
    private static final class MarkRelay implements SnapshotMark {
        private Snapshots to;
        private LoggingAdvisor advisor;

        @Override
        public void snapshotBegan(long transactionId, long position) {
            to.snapshotBegan(transactionId, position);
            if (advisor != null) {
                advisor.snapshotBegan(transactionId);
            }
        }
    }

    /** Snapshots that are not needed any more leave the log from this position on. */
    private long keptFrom() {
        long held = Math.min(repairHold.from(), rebuildHold.from());
        long kept = archive == null ? held : Math.min(held, archive.archived());
        return feeds == null ? kept : Math.min(kept, feeds.keptFrom());
    }

    /** The reading of the log for peers that lag; null on a node that serves alone. */
    StreamFeeds feeds() {
        return feeds;
    }

    /** The logs of all partitions, by slot. */
    PartitionLog[] logs() {
        return logs.clone();
    }

    /** Logs that the node of a cluster has started. Returns the position behind the record in the first ring. */
    long logStart(long incarnation, long transactionId) {
        RecordBuilder builder = logs[0].begin(RecordKind.START, transactionId, -1, 0);
        builder.putBytes(NodeStreams.startRecord(incarnation));
        return builder.end();
    }

    /**
     * A gate for each site.
     *
     * @param cluster null on a node that serves alone
     */
    List<CommitGate> gates(List<Partition> partitions, List<SiteMeter> meters, ClusterNode cluster) {
        DataCollector[] collectors = partitions.stream()
                .map(partition -> new DataCollector(partition.store(), durability.differential(), cluster != null))
                .toArray(DataCollector[]::new);
        Stability[] stability = new Stability[logs.length];
        for (int i = 0; i < logs.length; i++) {
            stability[i] = objective == null ? logs[i]::durable : replies.of(i);
        }
        List<CommitGate> gates = new ArrayList<>();
        List<DurableGate> counted = new ArrayList<>();
        for (int site = 0; site < meters.size(); site++) {
            DurableGate gate = new DurableGate(
                    site,
                    partitions.getFirst().peers(),
                    logs,
                    durability.method(),
                    collectors,
                    writer.admission(),
                    durability.log().synchronous(),
                    stability,
                    cluster == null ? null : cluster.replications(),
                    durability.waitingReplies(),
                    meters.get(site));
            if (images != null) {
                gate.keepImages(images);
            }
            if (footprints != null) {
                gate.keepFootprints(stores(partitions));
            }
            LoggingChooser chooser = advisor == null ? null : advisor.chooser();
            if (chooser != null) {
                gate.chooseBy(chooser);
            }
            if (chooser != null && cluster != null) {
                cluster.chooseBy(site, chooser);
            }
            gates.add(gate);
            counted.add(gate);
        }
        backlog.count(
                () -> counted.stream().mapToLong(DurableGate::commands).sum(),
                () -> counted.stream().mapToLong(DurableGate::dataRecords).sum());
        imagesLogged =
                () -> counted.stream().mapToLong(DurableGate::imagesLogged).sum();
        imagesMissed =
                () -> counted.stream().mapToLong(DurableGate::imagesMissed).sum();
        if (footprints != null) {
            partitions.forEach(partition -> partition.store().footprint().turnOn());
        }
        if (durability.method() == LoggingMethod.BOUNDARY || durability.method() == LoggingMethod.ADAPTIVE) {
            partitions.forEach(partition -> partition.lent().keepAnswers());
        }
        return gates;
    }

    private LogStats stats() {
        return writer.stats();
    }

    /** The expected time of a recovery. Any thread. */
    RecoveryForecast forecast() {
        return backlog.forecast();
    }

    private static PartitionStore[] stores(List<Partition> partitions) {
        return partitions.stream().map(Partition::store).toArray(PartitionStore[]::new);
    }

    /** The agent that logs footprints, if any are collected, for a thread of its own that ends before the writer's. */
    Optional<Agent> footprints() {
        return Optional.ofNullable(footprints);
    }

    /** Counts of footprints, if any are collected. Any thread. */
    Optional<FootprintStats> footprintStats() {
        return Optional.ofNullable(footprints)
                .map(agent -> new FootprintStats(agent.records(), agent.bytes(), agent.footprints()));
    }

    /** The logging of a procedure's version; empty unless the method is adaptive. Any thread. */
    Optional<LoggingStats> loggingStats(int version, boolean distributed) {
        return Optional.ofNullable(advisor).map(of -> of.stats(version, distributed));
    }

    /** The bytes that data records and boundary records have added by the adaptive method. Any thread. */
    long adaptiveBytes() {
        return advisor == null ? 0 : advisor.spent();
    }

    /** Logs a change that was made before any transaction runs; it is durable before their replies are. */
    void log(SchemaRecord record, long transactionId) {
        RecordBuilder builder = logs[0].begin(RecordKind.CATALOG, transactionId, -1, 0);
        builder.putBytes(record.encode());
        builder.end(logs, logs.length);
    }

    /** Logs choices that the recovery has followed; durable before any reply is. */
    void log(RecoveryChoice choice, long transactionId) {
        RecordBuilder builder = logs[0].begin(RecordKind.RECOVERY_CHOICE, transactionId, -1, 0);
        builder.putBytes(choice.encode());
        builder.end(logs, logs.length);
    }

    /** The readiness of the log. Any thread. */
    LogRoom room() {
        return room;
    }

    /** The schema is known; see {@link Snapshots#describe}. */
    void describe(Catalog catalog, byte[] image) {
        snapshots.describe(catalog, image);
    }

    /** The schema has changed. The change is in the log behind the last snapshot. */
    void schemaChanged(Catalog catalog, byte[] image) {
        backlog.schemaChanged();
        describe(catalog, image);
    }

    /** Any thread. */
    DurabilityStats stats(RecoveryReport recovery) {
        return new DurabilityStats(
                DurabilityStats.LogState.of(writer.stats(), writer.admission()),
                snapshots.stats(),
                recovery,
                Optional.ofNullable(archive).map(ArchiveAgent::stats));
    }

    /** The cut of the backup that the directory was restored from for a node of a new cluster; 0 if it was not. */
    long seed() {
        return files.exists(ClusterRestore.SEED)
                ? Long.parseUnsignedLong(
                        ClusterBackup.text(files, ClusterRestore.SEED).strip(), 16)
                : 0;
    }

    /** Copies a snapshot out of the directory. Any thread. */
    void backUp(long snapshot, Path folder) {
        Backup.copy(files, new SnapshotDirectory(files).manifest(snapshot), folder);
    }

    Snapshots snapshots() {
        return snapshots;
    }

    /** The agent that makes the log's next segment, for a thread of its own that ends before the writer's. */
    SegmentAhead segmentsAhead() {
        return segmentsAhead;
    }

    /** Keeps the log's durable position outside of the log, for a thread of its own that ends before the writer's. */
    Agent durablePosition() {
        return durablePosition;
    }

    private ImageRing[] rings(long bytes) {
        ImageRing[] made = new ImageRing[logs.length];
        Arrays.setAll(made, slot -> new ImageRing(bytes));
        return made;
    }

    private CommandImages images(Recovered recovered) {
        return new CommandImages(
                List.of(images),
                partitions.stream().mapToInt(Partition::id).toArray(),
                recovered.load().map(BucketLoadAgent::images).orElse(null));
    }

    private LogRunAgent runs(EngineSettings settings, Recovered recovered, boolean threads) {
        return new LogRunAgent(
                new LogRuns(files, tail.database()),
                new LogRunAgent.Source(
                        files,
                        durability.log(),
                        () -> writer.stats().durable(),
                        backlog::snapshotPosition,
                        () -> neededByRuns(settings.sortedLog().reused()),
                        () -> snapshots.positionsAtStart(),
                        settings.recovery().choices().isEmpty() ? 0 : tail.position(),
                        settings.sortedLog().reused(),
                        settings.clock(),
                        threads),
                settings.sortedLog().runBytes(),
                settings.sortedLog().runFan(),
                images == null ? null : images(recovered));
    }

    /** Older snapshots need their runs where the log does not reach back to them. */
    private long neededByRuns(boolean reuses) {
        long oldest = snapshots.oldestPosition();
        return reuses || oldest < tail.firstPosition() ? oldest : backlog.snapshotPosition();
    }

    /** The runs of the sorted log, in log order. Any thread. */
    private List<LogRun> sortedRuns() {
        return runs == null ? List.of() : runs.chain().orElse(runsAtStart);
    }

    /** All buckets have been loaded on demand. The loading thread. */
    void loaded(LoadStats stats) {
        backlog.loaded(stats);
    }

    /** The state of the sorted log, if it is sorted. Any thread. */
    Optional<SortedLogStats> sortedLog() {
        return Optional.ofNullable(runs)
                .map(agent -> new SortedLogStats(
                        agent.sorted(),
                        agent.replaced(),
                        imagesLogged.getAsLong(),
                        imagesMissed.getAsLong(),
                        agent.commands()));
    }

    /** The agent that sorts the log into runs, if any, for a thread of its own. */
    Optional<Agent> runs() {
        return Optional.ofNullable(runs);
    }

    /** The agent that keeps the time of recoveries within an objective, if there is one, for a thread of its own. */
    Optional<ObjectiveAgent> objective() {
        return Optional.ofNullable(objective);
    }

    /** The agent that copies log and snapshots into the archive, if there is one, for a thread of its own. */
    Optional<Agent> archive() {
        return Optional.ofNullable(archive);
    }

    /** The log's writer, for a thread of its own. */
    LogWriter writer() {
        return writer;
    }

    /** The idling of the log's writer. */
    IdleStrategy writerIdle() {
        return WriterIdle.of(durability.log()).strategy(writerWaker);
    }

    /** All agents have ended, and none has failed: the durable position is the log's end. */
    void endedInOrder() {
        durablePosition.end();
        if (archive != null) {
            archive.finish(LAST_COPY_NS);
        }
    }

    /** Gives the directory up; the writer and the sites have ended. */
    @Override
    public void close() {
        snapshots.close();
        if (runs != null) {
            runs.close();
        }
        if (archive != null) {
            archive.close();
        }
        writer.close();
        durablePosition.close();
        segmentsAhead.close();
        for (PartitionLog log : logs) {
            log.close();
        }
        if (footprintLog != null) {
            footprintLog.close();
        }
        files.close();
    }
}
