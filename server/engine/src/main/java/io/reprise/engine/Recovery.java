package io.reprise.engine;

import io.reprise.engine.replication.NodeStreams;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Partition;
import io.reprise.execution.work.StatementCollector;
import io.reprise.id.DatabaseId;
import io.reprise.log.LogDirectory;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.log.RecordKind;
import io.reprise.recovery.demand.BucketLoadAgent;
import io.reprise.recovery.demand.TailApplier;
import io.reprise.recovery.demand.TailIndex;
import io.reprise.recovery.replay.RecoveryChoice;
import io.reprise.recovery.replay.RecoveryChoices;
import io.reprise.recovery.replay.Replay;
import io.reprise.recovery.run.DamagedRunException;
import io.reprise.recovery.run.LogRun;
import io.reprise.recovery.run.LogRuns;
import io.reprise.recovery.run.ReplayedImages;
import io.reprise.redo.DivergedReplayException;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.memory.PageSources;
import io.reprise.snapshot.file.BucketSources;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.snapshot.file.TableContents;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Brings an engine's partitions and schema back from its directory: the newest snapshot that is undamaged, then the
 * log from there to its end. Runs on the thread that opens the engine; loading and replaying use a thread for each
 * partition.
 *
 * <p>A damaged snapshot is named and left out; the recovery then needs more log, which is there as long as older
 * snapshots are. A log that is damaged or does not reach back far enough is an error: nothing is opened then.
 */
final class Recovery {
    private static final int RECORDS_AT_ONCE = 1 << 13;

    private final EngineSettings settings;
    private final FileStore files;
    private final LogSettings log;
    private final StatementCollector collector;
    private final PageSources pages;
    private final RecoveryReporter reporter;
    private final Set<Long> notLoaded = new TreeSet<>();

    /** The numbers of runs of the log that turned out to be damaged. */
    private final Set<Long> withoutRuns = new TreeSet<>();

    private final List<RecoveryChoice> ofLog = new ArrayList<>();
    private boolean snapshotsLocked;
    private int damaged;

    Recovery(EngineSettings settings, FileStore files, StatementCollector collector, PageSources pages) {
        this.settings = settings;
        this.files = files;
        this.log = settings.durability().log();
        this.collector = collector;
        this.pages = pages;
        reporter = new RecoveryReporter(settings.recovery().listener(), settings.clock());
    }

    /** Locks the directory and recovers what is in it; a new database is made if there is nothing. */
    Recovered run() {
        files.lock();
        try {
            Restore.checkFinished(files);
            Restore.removeNote(files);
            lockSnapshots();
            SnapshotReader snapshots = new SnapshotReader(files);
            SnapshotReader.Choice choice = snapshots.choose();
            while (true) {
                choice.damaged().forEach(reporter::damaged);
                damaged += choice.damaged().size();
                if (choice.newest().isEmpty()) {
                    return recoverWithoutSnapshots();
                }
                Manifest newest = choice.newest().get();
                try {
                    return recover(Optional.of(new SnapshotBase(files, newest, false)));
                } catch (DamagedSnapshotException e) {
                    reporter.damaged(e);
                    damaged++;
                    long id = newest.identity().transactionId();
                    notLoaded.add(id);
                    choice = snapshots.chooseBefore(id);
                }
            }
        } catch (RuntimeException | Error failure) {
            files.close();
            throw failure;
        }
    }

    /** From an archived snapshot, if the log is not enough. */
    private Recovered recoverWithoutSnapshots() {
        Optional<ArchivedBase> archived = ArchivedBase.neededBy(settings, files);
        while (true) {
            Optional<SnapshotBase> base = archived.flatMap(ArchivedBase::next);
            try {
                return recover(base);
            } catch (DamagedSnapshotException e) {
                if (base.isEmpty()) {
                    throw e;
                }
                reporter.damaged(e);
            }
        }
    }

    /**
     * Before anything in it is read or removed its folder is locked: it may be another directory's too. If it can't
     * be locked, because it is on a disk of its own that is full or read-only, snapshots are read, and nothing is
     * changed there; each new one asks for the lock again.
     */
    private void lockSnapshots() {
        Optional<StorageException> notLocked = new SnapshotDirectory(files).lock();
        notLocked.ifPresent(reporter::snapshotsNotLocked);
        snapshotsLocked = notLocked.isEmpty();
    }

    /**
     * A recovery that fails is begun again if the log has choices, behind the place where it failed, that it did not follow; or without a run
     * that is damaged.
     */
    private Recovered recover(Optional<SnapshotBase> snapshot) {
        while (true) {
            try {
                return recoverOnce(snapshot);
            } catch (DamagedRunException e) {
                reporter.damagedRun(e);
                withoutRuns.add(e.id());
            } catch (DivergedReplayException | RecoveryChoices.UnknownChoiceException e) {
                if (!findChoices(snapshot, e)) {
                    throw e;
                }
            }
        }
    }

    /** The same, for a log that can't be read to its end: the failure of the recovery is the one that counts. */
    private boolean findChoices(Optional<SnapshotBase> snapshot, RuntimeException failure) {
        try {
            return findChoices(snapshot);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            return false;
        }
    }

    /** Returns whether the log has any that were not known. */
    private boolean findChoices(Optional<SnapshotBase> snapshot) {
        long from = snapshot.map(Recovery::position).orElse(0L);
        List<RecoveryChoice> found = new ArrayList<>();
        // Runs that take the place of log have no choices.
        long begin = Math.max(
                from, new LogDirectory(files, log.directory()).positions().getFirst());
        LogTail tail = LogTail.find(files, log, begin);
        try (LogReader reader = tail.read(begin);
                LogFrame frame = new LogFrame()) {
            LogRecords records = new LogRecords();
            while (reader.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    if (records.kind() == RecordKind.RECOVERY_CHOICE) {
                        found.add(RecoveryChoice.decode(records.payloadCopy()));
                    }
                }
            }
        }
        boolean more = found.size() > ofLog.size();
        ofLog.clear();
        ofLog.addAll(found);
        return more;
    }

    private Recovered recoverOnce(Optional<SnapshotBase> snapshot) {
        LogTail tail = openLog(snapshot.map(SnapshotBase::manifest));
        if (snapshotsLocked) {
            // Not before: a directory that is refused because of its log stays as it is.
            new SnapshotDirectory(files).prepareAtStart();
        }
        if (mayLoadOnDemand(snapshot)) {
            Optional<Recovered> opened = recoverOnDemand(tail, snapshot.orElseThrow());
            if (opened.isPresent()) {
                return opened.get();
            }
        }
        Attempt attempt = new Attempt(BucketMap.dealt(tail.database().buckets(), settings.partitions()));
        try {
            snapshot.ifPresent(attempt::load);
            long from = snapshot.map(Recovery::position).orElse(0L);
            boolean runs = snapshot.isPresent() && mayUseRuns(tail, from);
            attempt.replay(tail, runs ? requireLog(tail, attempt.applyRuns(tail, from)) : from);
            WholeRecovery.over(files);
            attempt.opening = attempt.openingOfAll(from);
            return attempt.recovered(tail, snapshot);
        } catch (RuntimeException | Error failure) {
            attempt.giveBack();
            throw failure;
        }
    }

    /** Returns the position from which the log is read. It is missing if a run turned out to be damaged that had taken its place. */
    private static long requireLog(LogTail tail, long position) {
        if (position < tail.firstPosition()) {
            throw new IllegalStateException(
                    "A run of the log is damaged, so that the recovery needs the log from position "
                            + position + " on, and it begins at " + tail.firstPosition()
                            + ". Put the missing segments or the run back, or restore the database from a backup. Nothing has been"
                            + " changed.");
        }
        return position;
    }

    private static long position(SnapshotBase base) {
        return base.manifest().origin().logPosition();
    }

    /** Rows of runs take the place of transactions. */
    private boolean mayUseRuns(LogTail tail, long from) {
        return (settings.sortedLog().images() && !hasChoices() || from < tail.firstPosition())
                && settings.cluster().isEmpty()
                && settings.recovery().cut() == null;
    }

    /** The transactions of choices have to be looked at by themselves, so then runs go as far as the log is missing. */
    private boolean hasChoices() {
        return !ofLog.isEmpty() || !settings.recovery().choices().isEmpty();
    }

    private boolean mayLoadOnDemand(Optional<SnapshotBase> snapshot) {
        return settings.recovery().onDemand()
                && snapshot.isPresent()
                && !WholeRecovery.isDue(files)
                && !(snapshot.get().archived() && settings.cluster().isPresent())
                && !hasChoices()
                && settings.recovery().cut() == null;
    }

    /** Leaves the rows of partitioned tables to a loading agent; empty if the log has something that concerns them all. */
    private Optional<Recovered> recoverOnDemand(LogTail tail, SnapshotBase base) {
        Attempt attempt = new Attempt(BucketMap.dealt(tail.database().buckets(), settings.partitions()));
        try {
            attempt.load(base, true);
            if (attempt.index(tail, base)) {
                return Optional.of(attempt.recovered(tail, Optional.of(base)));
            }
        } catch (RuntimeException | Error failure) {
            attempt.giveBack();
            throw failure;
        }
        attempt.giveBack();
        reporter.notOnDemand();
        return Optional.empty();
    }

    private LogTail openLog(Optional<Manifest> snapshot) {
        if (!LogTail.exists(files, log)) {
            checkHadNoLog(snapshot);
        }
        // Like that of snapshots; but where its disk is missing nothing is written in its place.
        files.lockFolder(log.directory());
        if (!LogTail.exists(files, log)) {
            SeededRandomness random = SeededRandomness.unpredictable();
            return LogTail.create(
                    files,
                    log,
                    DatabaseId.of(
                            random.nextLong(),
                            random.nextLong(),
                            settings.schema().bucketsOrDefault()));
        }
        snapshot.ifPresent(this::checkSameDatabase);
        long needed = snapshot.map(m -> m.origin().logPosition()).orElse(0L);
        long first = new LogDirectory(files, log.directory()).positions().getFirst();
        LogTail tail = LogTail.find(files, log, Math.max(first, needed));
        if (first > needed && !runsReplace(tail, needed, first)) {
            throw new IllegalStateException(snapshot.map(manifest ->
                                    "Snapshot " + name(manifest) + ", the newest that can be used, needs the log")
                            .orElse("There is no snapshot that can be used, so the log is needed")
                    + " from position " + needed + " on, and it begins at " + first
                    + ". Put the missing segments or a newer snapshot back, or restore the database from a backup."
                    + " Nothing has been changed.");
        }
        new LogWitness(files).checkIsOf(tail.database(), log.directory());
        checkBuckets(tail.database());
        DurablePosition.read(files).check(tail);
        // Before a snapshot is loaded: the load takes memory from pages that the system has read, and may not have on
        // the disk.
        tail.makeDurable();
        return tail;
    }

    private boolean runsReplace(LogTail tail, long from, long to) {
        return new LogRuns(files, tail.database()).replaceLog(from, to, files, log, tail.position());
    }

    private void checkHadNoLog(Optional<Manifest> snapshot) {
        // Damaged ones too: there was a database, and a new one in its place would hide that, and remove them.
        if (snapshot.isPresent() || damaged > 0) {
            throw new IllegalStateException(
                    "The data directory has snapshots, but no log: the folder " + log.directory()
                            + " is empty or missing. Transactions behind the newest snapshot would be lost. Put the log"
                            + " back; or restore " + (snapshot.isPresent() ? "that snapshot" : "a backup")
                            + " into another directory.");
        }
        new LogWitness(files).checkNoLog(log.directory());
    }

    private void checkBuckets(DatabaseId database) {
        int count = database.buckets().count();
        if (settings.schema().buckets().isPresent()
                && settings.schema().buckets().getAsInt() != count) {
            throw new IllegalStateException("The database has " + count + " buckets, and "
                    + settings.schema().buckets().getAsInt()
                    + " were asked for. Their number is fixed when a database is created: leave it out, or create another"
                    + " database and load the rows into it. Nothing has been changed.");
        }
    }

    private static String name(Manifest manifest) {
        return SnapshotDirectory.name(manifest.identity().transactionId());
    }

    private void checkSameDatabase(Manifest manifest) {
        DatabaseId ofSnapshot = manifest.identity().database();
        if (LogTail.isOfAnother(files, log, ofSnapshot)) {
            throw new IllegalStateException("Snapshot " + name(manifest) + " is of database " + ofSnapshot
                    + ", and the log in folder " + log.directory()
                    + " is of another one; they don't belong together. Take away what was put there from elsewhere."
                    + " Nothing has been changed.");
        }
    }

    /** One try, on partitions and threads of its own: after damage they are thrown away. */
    private final class Attempt {
        private final BucketMap buckets;
        private final RecoveryThreads threads = new RecoveryThreads(settings);
        private final List<PartitionStore> stores;
        private final List<Partition> partitions;
        private final ReplayedSchema schema;
        private final Optional<NodeStreams> streams;
        private BucketLoadAgent load;
        private long lastId;
        private long rows;
        private long loadNs;
        private long logBytes;
        private long transactions;

        /** Records of runs that were applied in the place of log, and their time. */
        private long sorted;

        private long sortedNs;

        private RunTaking taking;
        private long replicatedRows;
        private long scannedBytes;
        private OpeningWork opening = OpeningWork.NOTHING;
        private long commands;
        private long criticalPath;
        private long replayNs;
        private boolean stateCompared;
        private long compareNs;

        Attempt(BucketMap buckets) {
            this.buckets = buckets;
            streams = settings.cluster()
                    .map(cluster -> new NodeStreams(cluster.streamBytes(settings.partitions()), buckets));
            stores = Recovered.emptyStores(settings, buckets, pages);
            partitions = Partition.over(stores, settings.layout());
            schema = new ReplayedSchema(
                    partitions, collector, transaction -> streams.ifPresent(all -> all.changed(transaction)));
            stores.forEach(PartitionStore::beginRecovery);
        }

        /** Leaves the rows of partitioned tables to a loading agent. Returns false if that is not possible. */
        boolean index(LogTail tail, SnapshotBase base) {
            Manifest manifest = base.manifest();
            long beginNs = settings.clock().nanoTime();
            long from = manifest.origin().logPosition();
            logBytes = tail.position() - from;
            TailIndex records = new TailIndex(buckets.count(), TailIndex.room(logBytes), streams.isPresent());
            BucketSources source = null;
            ReplayedImages images = null;
            DemandIndex index = new DemandIndex(buckets, partitions, schema, records, streams.orElse(null));
            try {
                long scanned = requireLog(tail, streams.isPresent() ? from : takeRuns(tail, index, records, from));
                scannedBytes = tail.position() - scanned;
                if (!scan(tail, scanned, index) || !index.divide()) {
                    records.close();
                    return false;
                }
                source = new BucketSources(base.files(), manifest, buckets.count(), index.buckets()::partition);
                if (!source.isDivided()) {
                    source.close();
                    records.close();
                    return false;
                }
                images = images(tail, scanned);
                Waker waker = settings.hasThreads() ? new Waker() : null;
                load = new BucketLoadAgent(source, records, index, partitions, images, waker);
                lastId = Math.max(lastId, index.lastId());
            } catch (RuntimeException | Error failure) {
                records.close();
                if (source != null) {
                    source.close();
                }
                if (images != null) {
                    images.close();
                }
                throw failure;
            }
            transactions = records.count();
            stores.forEach(PartitionStore::finishReplay);
            replayNs = settings.clock().nanoTime() - beginNs;
            opening = openingOnDemand(records, from);
            reporter.done(0, loadNs, transactions, replayNs);
            return true;
        }

        private OpeningWork openingOnDemand(TailIndex records, long from) {
            List<LogRun> taken = takenRuns();
            long ofLog =
                    records.count() - taken.stream().mapToLong(LogRun::records).sum();
            long commandsOfLog = records.commands()
                    - taken.stream().mapToLong(LogRun::commands).sum();
            return opening(true, from, commandsOfLog, ofLog - commandsOfLog);
        }

        private OpeningWork openingOfAll(long from) {
            return opening(false, from, commands, transactions - sorted - commands);
        }

        private List<LogRun> takenRuns() {
            return taking == null ? List.of() : taking.taken();
        }

        /** On demand, records of runs that are shared by buckets have been read too. */
        private OpeningWork opening(boolean onDemand, long from, long commandsOfLog, long dataOfLog) {
            List<LogRun> taken = takenRuns();
            RunsBehind runs = RunsBehind.of(taken, from, !onDemand, buckets.count());
            RecoveryWork work = onDemand
                    ? new RecoveryWork(
                            replicatedRows, commandsOfLog, dataOfLog + runs.shared(), scannedBytes, runs.count())
                    : new RecoveryWork(rows, commandsOfLog, dataOfLog + runs.data(), logBytes, runs.count());
            return new OpeningWork(
                    onDemand,
                    work,
                    loadNs + replayNs,
                    Math.round(commandsOfLog + runs.loggedCommands()),
                    Math.round(dataOfLog + runs.loggedData()),
                    taken);
        }

        private boolean scan(LogTail tail, long from, DemandIndex index) {
            try (LogReader reader = tail.read(from)) {
                return index.scan(reader);
            }
        }

        /** Images of the commands of the log from a position on; null if runs have none. */
        private ReplayedImages images(LogTail tail, long from) {
            return settings.sortedLog().images()
                    ? new ReplayedImages(
                            partitions,
                            from,
                            tail.position(),
                            settings.durability().differential(),
                            settings.sortedLog().imageBytes())
                    : null;
        }

        /** Takes the runs that are there instead of the log. Returns the position from which the log has to be read. */
        private long takeRuns(LogTail tail, DemandIndex index, TailIndex records, long from) {
            taking = runs(tail);
            return taking.take(index, records, from, tail.position());
        }

        private RunTaking runs(LogTail tail) {
            return new RunTaking(files, log, tail.database(), withoutRuns, reporter::damagedRun);
        }

        /** Applies the data records of runs. Returns the position behind them, from which the log has to be replayed. */
        long applyRuns(LogTail tail, long from) {
            long beginNs = settings.clock().nanoTime();
            long bytes = tail.position() - from;
            try (TailIndex records = new TailIndex(buckets.count(), TailIndex.room(bytes))) {
                DemandIndex index = new DemandIndex(buckets, partitions, schema, records);
                long most = hasChoices() ? tail.firstPosition() : Long.MAX_VALUE;
                taking = runs(tail);
                long end = taking.takeData(index, records, from, most, tail.position());
                records.takeAll();
                if (hasChoices()) {
                    // A choice may leave out transactions of the last run, so its own list of calls is not used.
                    index.rememberCalls();
                }
                for (Partition partition : partitions) {
                    int[] numbers = records.recordsOf(buckets.bucketSet(partition.id()));
                    try (TailApplier applier = new TailApplier(partition, records, index)) {
                        for (int at = 0; at < numbers.length; at += RECORDS_AT_ONCE) {
                            applier.applyData(numbers, at, Math.min(numbers.length, at + RECORDS_AT_ONCE));
                        }
                    }
                }
                lastId = Math.max(lastId, index.lastId());
                sorted = records.count();
                sortedNs = settings.clock().nanoTime() - beginNs;
                return end;
            }
        }

        void load(SnapshotBase base) {
            load(base, false);
        }

        void load(SnapshotBase base, boolean replicatedOnly) {
            Manifest manifest = base.manifest();
            schema.change(manifest.origin().attachment(), manifest.identity().transactionId());
            lastId = manifest.identity().transactionId();
            long beginNs = settings.clock().nanoTime();
            reporter.loading(manifest);
            requireSamePartitions(manifest);
            SnapshotLoading.load(settings, threads, base.files(), manifest, stores, replicatedOnly, reporter);
            loadOutcomes(manifest.origin().outcomes());
            rows = replicatedOnly ? 0 : manifest.rows();
            replicatedRows = manifest.tables().stream()
                    .filter(TableContents::replicated)
                    .mapToLong(TableContents::totalRows)
                    .sum();
            loadNs = settings.clock().nanoTime() - beginNs;
        }

        private void requireSamePartitions(Manifest manifest) {
            if (!manifest.isByPartition()) {
                return;
            }
            if (manifest.partitions() != partitions.size()) {
                throw new IllegalStateException("Snapshot " + name(manifest) + " is that of a node of a cluster with "
                        + manifest.partitions() + " partitions, and " + partitions.size()
                        + " were asked for. Restore a backup of the cluster to change their number. Nothing has been"
                        + " changed.");
            }
            // The file of a partition has its rows, wherever their buckets are now.
            ownAll();
        }

        private void ownAll() {
            partitions.forEach(ReplayedSchema::ownAll);
        }

        private void ownBuckets(Partition partition) {
            partition.store().own(buckets.bucketSet(partition.id()));
        }

        void giveBack() {
            if (threads.haveEnded()) {
                stores.forEach(PartitionStore::close);
            }
        }

        /** With another number of partitions a call may come again anywhere. */
        private void loadOutcomes(List<byte[]> outcomes) {
            for (int from = 0; from < outcomes.size(); from++) {
                for (Partition partition : partitions) {
                    if (outcomes.size() != partitions.size() || partition.id() == from) {
                        partition.outcomes().decode(outcomes.get(from));
                    }
                }
            }
        }

        void replay(LogTail tail, long from) {
            long beginNs = settings.clock().nanoTime();
            Optional<byte[]> stateHash;
            if (!tail.isEmpty()) {
                reporter.replaying();
            }
            List<RecoveryChoice> all = new ArrayList<>(ofLog);
            all.addAll(settings.recovery().choices());
            RecoveryChoices choices = new RecoveryChoices(all);
            try (ReplaySites sites = new ReplaySites(
                            settings,
                            threads,
                            partitions,
                            buckets,
                            settings.recovery().replay());
                    NodeStreams ofCut = settings.recovery().cut() == null ? null : new NodeStreams(0, buckets);
                    LogReader reader = tail.read(from);
                    Replay replay = new Replay(
                            reader,
                            sites.lanes(),
                            buckets,
                            schema,
                            choices,
                            settings.recovery().replay().order(),
                            sites::idle,
                            reporter)) {
                if (settings.recovery().cut() != null) {
                    schema.cutBehind(settings.recovery().cut().id());
                    replay.cutBehind(settings.recovery().cut().id());
                }
                NodeStreams moves = ofCut == null ? streams.orElse(null) : ofCut;
                if (moves != null) {
                    replay.observe(
                            ofCut == null ? moves : settings.recovery().cut().and(moves));
                    schema.divideBy(moves::buckets);
                    replay.keepPartitions();
                    ownAll();
                }
                replay.run();
                lastId = Math.max(lastId, replay.lastId());
                transactions = replay.transactions() + sorted;
                commands = replay.path().commands();
                criticalPath = replay.path().length();
                stateHash = replay.endsWithStateHash();
            }
            threads.requireEnded();
            if (settings.recovery().cut() == null) {
                partitions.forEach(this::ownBuckets);
            }
            requireMet(choices);
            stores.forEach(PartitionStore::finishReplay);
            stores.forEach(reporter::memory);
            logBytes = tail.position() - from;
            replayNs = settings.clock().nanoTime() - beginNs + sortedNs;
            if (settings.recovery().choices().isEmpty()
                    && settings.recovery().cut() == null
                    && !choices.haveAccepted()) {
                stateHash.ifPresent(this::compare);
            }
            reporter.done(rows, loadNs, transactions, replayNs);
        }

        private void requireMet(RecoveryChoices choices) {
            if (!choices.notMet().isEmpty()) {
                throw new IllegalStateException("The recovery has not met the transaction of the choice to "
                        + choices.notMet().getFirst().text()
                        + ": it is not in the log behind the snapshot from which it began. Look for its id with \"reprise log"
                        + " print\". Nothing has been changed.");
            }
        }

        /** The engine was closed here: the present content has to be the former one. */
        private void compare(byte[] encoded) {
            if (!settings.durability().stateHash()) {
                return;
            }
            long beginNs = settings.clock().nanoTime();
            StateHash now = StateHash.of(schema.schema().catalog(), stores, settings.hasThreads());
            now.differenceFrom(StateHash.decode(encoded), schema.schema().catalog())
                    .ifPresent(difference -> {
                        throw new DivergedReplayException(
                                "The recovered data are not those that there were when the engine was"
                                        + " closed: " + difference
                                        + ". Nothing was changed on disk, and the engine is not opened. Keep a"
                                        + " copy of the data directory and report it; this is a bug of the server, or snapshot and log were"
                                        + " changed by something else. An older backup can be restored.");
                    });
            stateCompared = true;
            compareNs = settings.clock().nanoTime() - beginNs;
        }

        Recovered recovered(LogTail tail, Optional<SnapshotBase> snapshot) {
            return new Recovered(
                    buckets,
                    stores,
                    partitions,
                    schema.schema(),
                    schema.jars(),
                    lastId,
                    Optional.of(tail),
                    lastId == 0
                            ? RecoveryReport.NOTHING
                            : new RecoveryReport(
                                    snapshot.map(m -> m.manifest().identity().transactionId()),
                                    damaged,
                                    rows,
                                    loadNs,
                                    logBytes,
                                    transactions,
                                    commands,
                                    criticalPath,
                                    replayNs,
                                    stateCompared,
                                    compareNs),
                    lastId == 0 ? OpeningWork.NOTHING : opening,
                    snapshot.map(Recovery::position).orElse(0L),
                    snapshot.isPresent() && snapshot.get().archived(),
                    Set.copyOf(notLoaded),
                    streams,
                    Optional.ofNullable(load));
        }
    }
}
