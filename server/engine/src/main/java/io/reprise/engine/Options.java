package io.reprise.engine;

import io.reprise.archive.ArchiveSettings;
import io.reprise.execution.SlowTransaction;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.id.Buckets;
import io.reprise.id.PartitionId;
import io.reprise.procedure.Procedure;
import io.reprise.recovery.replay.RecoveryChoice;
import io.reprise.recovery.replay.ReplaySettings;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.runtime.time.Clock;
import io.reprise.runtime.time.SystemClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

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

    String name = "engine";
    int partitions = 1;
    int siteCount;
    OptionalInt buckets = OptionalInt.empty();
    final List<Supplier<String>> ddl = new ArrayList<>();
    final List<Supplier<byte[]>> jars = new ArrayList<>();
    final List<Class<? extends Procedure>> procedures = new ArrayList<>();
    ClassLoader classLoader = Options.class.getClassLoader();
    long memoryPerPartition = MemorySettings.DEFAULT_PER_PARTITION;
    boolean reservedHugePages = true;
    long workMemory;
    long heapPerTransaction;
    FootprintBuffer.Settings footprints = FootprintBuffer.Settings.DEFAULTS;
    Duration timeLimit = Duration.ofSeconds(10);
    Duration planningLimit = Duration.ofSeconds(30);
    Duration slowAfter = Duration.ZERO;
    Consumer<SlowTransaction> slowListener = slow -> {};
    Sites.Settings sites = Sites.Settings.usual();
    Threads threads = Threads.SITE;
    Function<Waker, IdleStrategy> idle = ParkingIdleStrategy::new;
    Executor replies = ForkJoinPool.commonPool();
    final List<SiteAgent> siteAgents = new ArrayList<>();
    Clock clock = SystemClock.INSTANCE;

    /** Opens the files, which run an action when they are given up; null: there are none. */
    Function<Runnable, FileStore> files;

    Runnable beforeUnlock = () -> {};
    Durability durability = Durability.standard();
    boolean keepStatements;
    boolean mergeSnapshots;

    /** The bytes of rows that a merge takes at once, roughly; smaller in tests. */
    long mergeBytes = 128L << 20;

    Optional<ArchiveSettings> archive = Optional.empty();
    SortedLogSettings sortedLog = SortedLogSettings.DEFAULTS;
    boolean storeInLog;
    ReplaySettings replay = ReplaySettings.DEFAULTS;
    boolean recoverOnDemand;
    List<RecoveryChoice> recoveryChoices = List.of();

    /** The cut up to which a share of a cluster's backup is replayed; null in all other cases. */
    RecoveryCut cut;

    long recoveryCloseMs = 10_000;
    Optional<RecoveryObjective> objective = Optional.empty();
    Consumer<RecoveryProgress> recoveryListener = progress -> {};
    Optional<ClusterOptions> cluster = Optional.empty();

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

    /** The engine's name. */
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

    /** The number of buckets of a new database: a power of two from 64 to 65,536, 1,024 by default. It is fixed for the database's life. */
    public Options buckets(int value) {
        buckets = OptionalInt.of(new Buckets(value).count());
        return this;
    }

    /** The size of each partition's buffer of footprints, if {@link Durability#footprints} are logged. */
    Options footprints(FootprintBuffer.Settings value) {
        footprints = value;
        return this;
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

    /** Whether tables may lie in huge pages that the operator has set aside ({@code vm.nr_hugepages}). The default: yes. */
    public Options reservedHugePages(boolean value) {
        reservedHugePages = value;
        return this;
    }

    /** The most heap bytes for rows that a transaction collects in a partition before MEMORY_LIMIT. 0, the default: a share of an eighth. */
    public Options workMemory(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("work memory can't be " + bytes + " bytes");
        }
        workMemory = bytes;
        return this;
    }

    /** The most bytes of heap that a transaction allocates before MEMORY_LIMIT. 0, the default: half of it. Caller threads have no watcher. */
    public Options heapPerTransaction(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("heap per transaction can't be " + bytes + " bytes");
        }
        heapPerTransaction = bytes;
        return this;
    }

    /** The longest run of a transaction, and of a deployed procedure's constructor, before TIME_LIMIT. Caller threads have no watcher. */
    public Options timeLimit(Duration value) {
        timeLimit = value;
        return this;
    }

    /** The time that planning an ad hoc statement may take before it is refused with TIME_LIMIT; zero: any. A replay has no such limit. */
    public Options planningLimit(Duration value) {
        planningLimit = value;
        return this;
    }

    /** The time from admission to answer from which on the program's log tells of a transaction; zero, the default: never. */
    public Options slowAfter(Duration value) {
        slowAfter = value;
        return this;
    }

    /** A listener of such transactions, called by a thread that nothing waits for. */
    public Options slowListener(Consumer<SlowTransaction> value) {
        slowListener = value;
        return this;
    }

    /** The number of sites that run the partitions, each a thread: by default one for each. It may change when a directory is opened again. */
    public Options sites(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("there can't be " + value + " sites");
        }
        siteCount = value;
        return this;
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

    /** Whether the engine opens before its rows are loaded, if there is a snapshot and no change of the schema in the log behind it. */
    public Options recoverOnDemand(boolean value) {
        recoverOnDemand = value;
        return this;
    }

    /** Whether compiled statements of procedures are kept in the directory, so that the next start does not plan them. */
    public Options keepStatements(boolean value) {
        keepStatements = value;
        return this;
    }

    /** Whether a snapshot is merged from the one before it and the log behind that. Rows are copied where that is not possible. */
    public Options mergeSnapshots(boolean value) {
        mergeSnapshots = value;
        return this;
    }

    Options mergeBytes(long value) {
        mergeBytes = value;
        return this;
    }

    /** Settings of the log's replay. */
    public Options replay(ReplaySettings value) {
        replay = value;
        return this;
    }

    /** Choices for transactions of the log that can't be run as they were. They are logged, so they are given once; each has to be met. */
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
     * The directory that keeps the database; it is made if it does not exist. The {@link #ddl} makes the schema of a new database only.
     * Without a directory the data are gone when the engine ends.
     */
    public Options directory(Path value) {
        files = unlocking -> SystemFileStore.open(value, unlocking);
        return this;
    }

    /** The action, on any thread, before the engine gives up its {@link #directory}, also because its opening failed. */
    public Options beforeUnlock(Runnable value) {
        beforeUnlock = value;
        return this;
    }

    /** The same for files that are elsewhere than in the machine's file system. */
    public Options files(FileStore value) {
        files = unlocking -> value;
        return this;
    }

    /**
     * The durability of data in a directory: the logged form of a transaction, whether replies wait until that is on stable storage, how often
     * snapshots are made and how many are kept, and whether the log before them is kept too. By default replies wait. Any of it may be another
     * when the directory is opened again.
     */
    public Options durability(Durability value) {
        durability = value;
        return this;
    }

    /** An archive outside the directory, to which durable log and snapshots are copied; none by default. The log is kept until it is archived. */
    public Options archive(ArchiveSettings value) {
        archive = Optional.of(value);
        return this;
    }

    /** The longest time that a recovery should take: snapshots are made early enough. None by default; without effect in a cluster. */
    public Options recoveryObjective(RecoveryObjective value) {
        objective = Optional.of(value);
        return this;
    }

    /** Settings of the log that is sorted by bucket. They have no effect in a cluster. */
    public Options sortedLog(SortedLogSettings value) {
        if (value.only()) {
            throw new IllegalArgumentException(
                    "the sorted log becomes the only storage by storeInLog(true), which sets more than SortedLogSettings.only");
        }
        sortedLog = value;
        return this;
    }

    /** Makes the sorted log the only storage, which includes {@link #recoverOnDemand}: see {@link SortedLogSettings#only}. Not in a cluster. */
    public Options storeInLog(boolean value) {
        storeInLog = value;
        return this;
    }

    /** Makes the engine a node of a cluster; by default it serves alone. */
    public Options cluster(ClusterOptions value) {
        cluster = Optional.of(value);
        return this;
    }

    /** The settings given by {@link #cluster(ClusterOptions)}. */
    public Optional<ClusterOptions> cluster() {
        return cluster;
    }

    /** The listener that is told, on the opening thread, of a recovery's progress; the program's log has it too. */
    public Options recoveryListener(Consumer<RecoveryProgress> value) {
        recoveryListener = value;
        return this;
    }

    /** Completes the futures of asynchronous calls, never on a site's thread. The default, the common pool, also completes those that it refuses. */
    public Options replies(Executor value) {
        replies = value;
        return this;
    }

    /** An agent on each site's thread. */
    public Options siteAgent(SiteAgent value) {
        siteAgents.add(value);
        return this;
    }

    /** Opens the engine. */
    public Reprise open() {
        return Opening.open(new FrozenOptions(this).settings());
    }
}
