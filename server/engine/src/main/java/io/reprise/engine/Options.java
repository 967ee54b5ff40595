package io.reprise.engine;

import io.reprise.archive.ArchiveSettings;
import io.reprise.execution.SiteLayout;
import io.reprise.execution.SlowTransaction;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.id.Buckets;
import io.reprise.id.PartitionId;
import io.reprise.procedure.Procedure;
import io.reprise.recovery.replay.RecoveryChoice;
import io.reprise.recovery.replay.ReplaySettings;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.runtime.time.Clock;
import io.reprise.runtime.time.SystemClock;
import io.reprise.txn.initiator.ClientPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The settings of an engine: a builder with a default for everything.
 *
 * <pre>{@code
 * try (Reprise engine = Options.create()
 *         .partitions(2)
 *         .ddl("CREATE TABLE ...; CREATE PROCEDURE ... FROM CLASS com.example.Deposit;")
 *         .open()) {
 *     engine.call("Deposit", 1, 100);
 * }
 * }</pre>
 */
public final class Options {
    /** The threads of the sites. */
    public enum Threads {
        /** Each site has a thread of its own. */
        SITE,
        /** The calling thread runs all sites until it has its answer; no thread is made. */
        CALLER
    }

    /** Makes an agent that runs on a site's thread, before its initiator and executor. */
    @FunctionalInterface
    public interface SiteAgent {
        /**
         * Called while the engine opens, once for each site.
         *
         * @param ports makes a port to the site's initiator, for so many executions under way
         */
        Agent create(int site, Function<Integer, ClientPort> ports);
    }

    private static final long DEFAULT_MEMORY = 4L << 30;

    private static final long LEAST_WORK_MEMORY = 16 << 20;
    private static final long LEAST_HEAP_PER_TRANSACTION = 32 << 20;
    private static final int SHARE_OF_TRANSACTION = 2;

    /** A result is copied, and an array that grows is there twice for a moment: much is left for that. */
    private static final int SHARE_OF_WORK = 8;

    String name = "engine";
    int partitions = 1;
    private int siteCount;
    private FootprintBuffer.Settings footprints = FootprintBuffer.Settings.DEFAULTS;
    private OptionalInt buckets = OptionalInt.empty();
    private final List<Supplier<String>> ddl = new ArrayList<>();
    long memoryPerPartition = DEFAULT_MEMORY;
    boolean reservedHugePages = true;
    private long workMemory;
    private long heapPerTransaction;
    Duration timeLimit = Duration.ofSeconds(10);
    Duration planningLimit = Duration.ofSeconds(30);
    Duration slowAfter = Duration.ZERO;
    Sites.Settings sites = Sites.Settings.usual();
    Threads threads = Threads.SITE;

    /** Null: as the machine is. */
    ReplaySettings replay = ReplaySettings.DEFAULTS;

    boolean recoverOnDemand;
    boolean keepStatements;
    long runBytes = 16 << 20;
    int runFan = 8;
    private Optional<Boolean> sortLog = Optional.empty();
    private boolean imagesOfCommands;
    private boolean reuseSortedLog;
    private boolean storeInLog;
    long leastBaseBytes = 64 << 20;
    long imageBytes = 64 << 20;
    boolean mergeSnapshots;
    long mergeBytes;
    Optional<ArchiveSettings> archive = Optional.empty();
    Optional<RecoveryObjective> objective = Optional.empty();

    List<RecoveryChoice> recoveryChoices = List.of();

    /** The cut up to which a share of a cluster's backup is replayed; null in all other cases. */
    RecoveryCut cut;

    /** The longest time that finished or failed threads of a recovery may take to end. */
    long recoveryCloseMs = 10_000;

    Function<Waker, IdleStrategy> idle = ParkingIdleStrategy::new;
    Clock clock = SystemClock.INSTANCE;
    Supplier<FileStore> files;
    private Runnable beforeUnlock = () -> {};
    Durability durability = Durability.standard();

    /** Null: the engine serves alone. */
    private ClusterOptions cluster;

    Consumer<RecoveryProgress> recoveryListener = progress -> {};
    Consumer<SlowTransaction> slowListener = slow -> {};
    Executor replies = ForkJoinPool.commonPool();
    ClassLoader classLoader = Options.class.getClassLoader();
    int adHocStatements = 1000;
    private final List<Supplier<byte[]>> jars = new ArrayList<>();
    final List<Class<? extends Procedure>> procedures = new ArrayList<>();
    final List<SiteAgent> siteAgents = new ArrayList<>();

    private Options() {}

    /** The defaults. */
    public static Options create() {
        return new Options();
    }

    /** The engine's name in the names of its threads. */
    public Options name(String value) {
        name = value;
        return this;
    }

    /** The name given by {@link #name(String)}. */
    public String name() {
        return name;
    }

    /** The number of partitions. */
    public Options partitions(int value) {
        if (value < 1 || value > PartitionId.MOST) {
            throw new IllegalArgumentException("there can be 1 to " + PartitionId.MOST + " partitions, not " + value);
        }
        partitions = value;
        return this;
    }

    /**
     * The number of buckets of a new database: a power of two from 64 to 65,536, 1,024 by default. It is fixed for the life of
     * the database; an existing one with another number is refused.
     */
    public Options buckets(int value) {
        buckets = OptionalInt.of(new Buckets(value).count());
        return this;
    }

    /** The size of each partition's buffer of footprints, if {@link Durability#footprints} are logged. */
    Options footprints(FootprintBuffer.Settings value) {
        footprints = value;
        return this;
    }

    FootprintBuffer.Settings footprints() {
        return footprints;
    }

    /** Whether transactions leave footprints in the log. */
    boolean collectsFootprints() {
        return files != null && (durability.footprints() || durability.method() == LoggingMethod.ADAPTIVE);
    }

    OptionalInt buckets() {
        return buckets;
    }

    Buckets bucketsOrDefault() {
        return buckets.isPresent() ? new Buckets(buckets.getAsInt()) : Buckets.DEFAULT;
    }

    /** The schema and the procedures: a script of DDL statements. Calling it again appends. */
    public Options ddl(String script) {
        return ddl(() -> script);
    }

    /** The same for a script that is asked for only if there is a new database. */
    public Options ddl(Supplier<String> script) {
        ddl.add(script);
        return this;
    }

    /** Procedure classes without a CREATE PROCEDURE statement: under their simple names, their scope from their SQL. */
    @SafeVarargs
    public final Options procedures(Class<? extends Procedure>... classes) {
        for (Class<? extends Procedure> type : classes) {
            procedures.add(type);
        }
        return this;
    }

    /** A jar with procedure classes that the DDL names; later ones come first. */
    public Options jar(byte[] content) {
        byte[] own = content.clone();
        return jar(() -> own);
    }

    /** The same for a jar that is asked for only if there is a new database. */
    public Options jar(Supplier<byte[]> content) {
        jars.add(content);
        return this;
    }

    /** The jars of a new database. */
    List<byte[]> jars() {
        return jars.stream().map(Supplier::get).toList();
    }

    /** Finds the DDL's procedure classes that no jar has. */
    public Options classLoader(ClassLoader value) {
        classLoader = value;
        return this;
    }

    /** The most bytes of rows, indexes and scratch space of one partition. */
    public Options memoryPerPartition(long bytes) {
        memoryPerPartition = bytes;
        return this;
    }

    /**
     * Whether tables may lie in huge pages that the operator has had the system set aside ({@code vm.nr_hugepages}), as long as there are
     * any. The default: yes.
     */
    public Options reservedHugePages(boolean value) {
        reservedHugePages = value;
        return this;
    }

    /**
     * The most bytes of Java heap that one transaction has in a partition for rows that it collects: results, sorted rows,
     * groups or queues. One that needs more is rolled back with MEMORY_LIMIT. 0, the default: an eighth of the heap, shared by
     * the partitions, and 16 MiB for each at least.
     */
    public Options workMemory(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("work memory can't be " + bytes + " bytes");
        }
        workMemory = bytes;
        return this;
    }

    /**
     * The most bytes of Java heap that one transaction allocates, garbage included. One that allocates more is rolled back with
     * MEMORY_LIMIT, before the heap ends for all threads. 0, the default: half of the heap, and 32 MiB at least. Caller
     * threads have no watcher.
     */
    public Options heapPerTransaction(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("heap per transaction can't be " + bytes + " bytes");
        }
        heapPerTransaction = bytes;
        return this;
    }

    long heapPerTransaction() {
        return heapPerTransaction > 0
                ? heapPerTransaction
                : Math.max(LEAST_HEAP_PER_TRANSACTION, Runtime.getRuntime().maxMemory() / SHARE_OF_TRANSACTION);
    }

    long workMemoryPerPartition() {
        return workMemory > 0
                ? workMemory
                : Math.max(LEAST_WORK_MEMORY, Runtime.getRuntime().maxMemory() / SHARE_OF_WORK / partitions);
    }

    /**
     * The longest run of a transaction before it is rolled back with TIME_LIMIT, and a procedure's constructor when it is
     * deployed. Caller threads have no watcher.
     */
    public Options timeLimit(Duration value) {
        timeLimit = value;
        return this;
    }

    /** The time that planning an ad hoc statement may take before it is refused with TIME_LIMIT; zero: any. A replay has no such limit. */
    public Options planningLimit(Duration value) {
        planningLimit = value;
        return this;
    }

    /**
     * The duration of a transaction, from admission to answer, from which on the program's log tells where its time
     * went; zero, the default: never.
     */
    public Options slowAfter(Duration value) {
        slowAfter = value;
        return this;
    }

    /** A listener of such transactions, called by a thread that nothing waits for. */
    public Options slowListener(Consumer<SlowTransaction> value) {
        slowListener = value;
        return this;
    }

    /**
     * The number of sites that run the partitions, each a thread: by default one for each partition. It may be another number when the
     * directory is opened again.
     */
    public Options sites(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("there can't be " + value + " sites");
        }
        siteCount = value;
        return this;
    }

    /** The partitions of each site. */
    SiteLayout layout() {
        return siteCount == 0 ? SiteLayout.oneEach(partitions) : SiteLayout.dealt(partitions, siteCount);
    }

    /** Queue bounds and batch sizes. */
    public Options sites(Sites.Settings value) {
        sites = value;
        return this;
    }

    /** The bounds given by {@link #sites(Sites.Settings)}. */
    public Sites.Settings sites() {
        return sites;
    }

    /**
     * Whether the engine opens before its rows are loaded. Calls wait for their buckets; these are loaded first, the others behind them.
     * Without a snapshot, and where the log behind it has a change of the schema, everything is recovered first all the same.
     */
    public Options recoverOnDemand(boolean value) {
        recoverOnDemand = value;
        return this;
    }

    /** Whether compiled statements of procedures are kept in the directory, so that the next start does not plan them. */
    public Options keepStatements(boolean value) {
        keepStatements = value;
        return this;
    }

    /**
     * Whether a snapshot is merged from the one before it and the log behind that, without the partitions. Rows are copied where that
     * is not possible: if the schema has changed, or if commands over several buckets are logged and the rows don't fit into memory twice.
     */
    public Options mergeSnapshots(boolean value) {
        mergeSnapshots = value;
        return this;
    }

    /** The bytes of rows that a merge takes at once, roughly; 0: the default. */
    Options mergeBytes(long value) {
        mergeBytes = value;
        return this;
    }

    /** Settings of the log's replay. */
    public Options replay(ReplaySettings value) {
        replay = value;
        return this;
    }

    /**
     * Choices of how the recovery goes on where the log can't be run as it was. They are logged, so they are given once; opening fails
     * if one is about a transaction that the recovery does not meet.
     */
    public Options recoveryChoices(List<RecoveryChoice> value) {
        recoveryChoices = List.copyOf(value);
        return this;
    }

    /** The threads of the sites. */
    public Options threads(Threads value) {
        threads = value;
        return this;
    }

    /** The idling of a site's thread without work; by default it spins for a moment and parks until it is woken. */
    public Options idle(Function<Waker, IdleStrategy> value) {
        idle = value;
        return this;
    }

    /** The source of time. */
    public Options clock(Clock value) {
        clock = value;
        return this;
    }

    /** The clock given by {@link #clock(Clock)}. */
    public Clock clock() {
        return clock;
    }

    /**
     * The directory that keeps the database, so that it is there again when an engine is opened on the directory; it is made if it
     * does not exist. The {@link #ddl} makes the schema of a new database only. Without a directory the data are gone when
     * the engine ends.
     */
    public Options directory(Path value) {
        files = () -> SystemFileStore.open(value, () -> beforeUnlock.run());
        return this;
    }

    /**
     * The action that runs when the engine gives up its {@link #directory}, also because its opening failed, while no other engine can
     * have it yet. Any thread.
     */
    public Options beforeUnlock(Runnable value) {
        beforeUnlock = value;
        return this;
    }

    /** The same for files that are elsewhere than in the machine's file system. */
    public Options files(FileStore value) {
        files = () -> value;
        return this;
    }

    /**
     * The durability of data in a directory: the logged form of a transaction, whether replies wait until that is on
     * stable storage (by default they do, and nothing that was answered is lost; with {@link
     * io.reprise.log.LogSettings#asynchronous} a power failure loses what was answered during the given time and one force),
     * how often snapshots are made and how many are kept, and whether the log before them is kept too. Any of it may be another
     * when the directory is opened again.
     */
    public Options durability(Durability value) {
        durability = value;
        return this;
    }

    /**
     * An archive outside the directory, to which durable log and snapshots are copied. The log is kept until it is archived. By
     * default there is none.
     */
    public Options archive(ArchiveSettings value) {
        archive = Optional.of(value);
        return this;
    }

    /**
     * The longest time that a recovery should take: snapshots are made early enough for it. By default there is none. In a cluster it has no
     * effect.
     */
    public Options recoveryObjective(RecoveryObjective value) {
        objective = Optional.of(value);
        return this;
    }

    /**
     * Sets whether the durable log is sorted into runs by bucket, by which a later start on demand finds the records of a bucket. By default it is
     * if {@link #recoverOnDemand} is set. In a cluster it has no effect.
     */
    public Options sortLog(boolean value) {
        sortLog = Optional.of(value);
        return this;
    }

    boolean sortsLog() {
        return cluster().isEmpty() && sortLog.orElse(recoverOnDemand);
    }

    /**
     * Sets whether runs have images of the rows that commands have written instead of the commands, so that a start runs only commands
     * again that are behind the last run. It takes effect if the log is sorted. By default it is off.
     */
    public Options imagesOfCommands(boolean value) {
        imagesOfCommands = value;
        return this;
    }

    /**
     * Sets whether segments of the log are used again as soon as runs have the rows that their transactions changed. By default they are kept
     * until a snapshot has them. It takes effect if the log is sorted.
     */
    public Options reuseSortedLog(boolean value) {
        reuseSortedLog = value;
        return this;
    }

    /**
     * Makes the sorted log the only storage: the engine opens before its rows are loaded, runs have images of commands, segments of the log are used
     * again as soon as they are sorted, and bases are merged from runs instead of snapshots by the clock. Rows are copied for a base only
     * where there is none to merge, as behind a change of the schema. In a cluster it has no effect.
     */
    public Options storeInLog(boolean value) {
        storeInLog = value;
        if (value) {
            recoverOnDemand(true)
                    .sortLog(true)
                    .imagesOfCommands(true)
                    .reuseSortedLog(true)
                    .mergeSnapshots(true);
        }
        return this;
    }

    boolean storesInLog() {
        return files != null && storeInLog && sortsLog();
    }

    /**
     * The sizes of the sorted log.
     *
     * @param bytesOfRun bytes of log that a run has, at least; 16 MiB by default
     * @param fan the number of runs that are merged into a longer one; 8 by default
     * @param bytesOfBase bytes of sorted log that are not worth a base, if the sorted log is the only storage; 64 MiB by default
     */
    public Options sortedLogSizes(long bytesOfRun, int fan, long bytesOfBase) {
        return runBytes(bytesOfRun).runFan(fan).leastBaseBytes(bytesOfBase);
    }

    /** The bytes of sorted log that are not worth a base, for tests. */
    Options leastBaseBytes(long value) {
        leastBaseBytes = value;
        return this;
    }

    boolean reusesSortedLog() {
        return reuseSortedLog && sortsLog();
    }

    boolean keepsImages() {
        return files != null && imagesOfCommands && sortsLog() && durability.method() != LoggingMethod.PHYSIOLOGICAL;
    }

    /** The room for images of each partition's commands, a power of two, for tests. */
    Options imageBytes(long value) {
        imageBytes = value;
        return this;
    }

    /** The bytes of log that a run has, at least, for tests. */
    Options runBytes(long value) {
        runBytes = value;
        return this;
    }

    /** The number of runs of the log that are merged into a longer one, for tests. */
    Options runFan(int value) {
        runFan = value;
        return this;
    }

    /** Makes the engine a node of a cluster; by default it serves alone. */
    public Options cluster(ClusterOptions value) {
        cluster = value;
        return this;
    }

    /** The settings given by {@link #cluster(ClusterOptions)}. */
    public Optional<ClusterOptions> cluster() {
        return Optional.ofNullable(cluster);
    }

    /** The listener that is told, on the opening thread, of a recovery's progress; the program's log has it too. */
    public Options recoveryListener(Consumer<RecoveryProgress> value) {
        recoveryListener = value;
        return this;
    }

    /**
     * The executor that completes the futures of asynchronous calls; by default the common pool, never a site's thread. The common pool also
     * completes those that the executor refuses to.
     */
    public Options replies(Executor value) {
        replies = value;
        return this;
    }

    /** The number of ad hoc statements that keep their plans; fewer do where their texts are long. */
    public Options adHocStatements(int value) {
        adHocStatements = value;
        return this;
    }

    /** An agent on each site's thread. */
    public Options siteAgent(SiteAgent value) {
        siteAgents.add(value);
        return this;
    }

    /** Finds procedure classes that no jar has; the last one is asked what is missing. */
    List<ClassLoader> classLoaders() {
        Set<ClassLoader> loaders = new LinkedHashSet<>();
        procedures.forEach(type -> loaders.add(type.getClassLoader()));
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        if (context != null) {
            loaders.add(context);
        }
        loaders.add(classLoader);
        return List.copyOf(loaders);
    }

    /** The DDL with a statement for each class that was added without one. */
    String script() {
        StringBuilder script = new StringBuilder(ddl.stream().map(Supplier::get).collect(Collectors.joining(";\n")));
        for (Class<?> type : procedures) {
            script.append(";\nCREATE PROCEDURE FROM CLASS ").append(type.getName());
        }
        return script.toString();
    }

    /** Opens the engine. */
    public Reprise open() {
        return Opening.open(this);
    }
}
