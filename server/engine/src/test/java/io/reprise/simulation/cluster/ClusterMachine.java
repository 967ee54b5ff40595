package io.reprise.simulation.cluster;

import io.reprise.cluster.Levels;
import io.reprise.cluster.Link;
import io.reprise.cluster.Links;
import io.reprise.cluster.Member;
import io.reprise.cluster.ReplicaStatus;
import io.reprise.engine.BrokenRules;
import io.reprise.engine.ClusterOptions;
import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.log.Compression;
import io.reprise.log.LogDirectory;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogRewriting;
import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.log.RecordKind;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.recovery.replay.ImageRecord;
import io.reprise.runtime.agent.Agent;
import io.reprise.simulation.DiskFaults;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.simulation.Simulation;
import io.reprise.snapshot.SnapshotSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A simulated machine with one engine of a cluster, which can be killed, lose its power or its disk, and start again. */
final class ClusterMachine {
    private static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL, memo VARCHAR(100));
            PARTITION TABLE account ON COLUMN id;
            CREATE TABLE note (account BIGINT NOT NULL, text VARCHAR(100));
            PARTITION TABLE note ON COLUMN account;
            CREATE PROCEDURE OpenAccount PARTITION ON TABLE account COLUMN id PARAMETER 0 AS
                INSERT INTO account VALUES (?, 0, 'opened');
            CREATE PROCEDURE CloseAccount PARTITION ON TABLE account COLUMN id PARAMETER 0 AS
                DELETE FROM account WHERE id = ?;
            CREATE PROCEDURE Deposit PARTITION ON TABLE account COLUMN id PARAMETER 1 AS
                UPDATE account SET balance = balance + ? WHERE id = ?;
            CREATE PROCEDURE Note PARTITION ON TABLE note COLUMN account PARAMETER 0 AS
                INSERT INTO note VALUES (?, ?);
            CREATE PROCEDURE Balance PARTITION ON TABLE account COLUMN id PARAMETER 0 AS
                SELECT balance FROM account WHERE id = ?;
            CREATE PROCEDURE Notes PARTITION ON TABLE note COLUMN account PARAMETER 0 AS
                SELECT COUNT(*) FROM note WHERE account = ?;
            CREATE TABLE rate (name VARCHAR(20) NOT NULL PRIMARY KEY, val BIGINT NOT NULL);
            CREATE PROCEDURE Transfer PARTITION ON TABLE account COLUMN id PARAMETER 0
                AND ON TABLE account COLUMN id PARAMETER 1 FROM CLASS io.reprise.simulation.cluster.Bank$Transfer;
            CREATE PROCEDURE Total AS SELECT SUM(balance) FROM account;
            CREATE PROCEDURE BankTotal AS SELECT COALESCE(SUM(balance), 0) FROM account WHERE id >= 100;
            CREATE PROCEDURE Pay PARTITION ON TABLE account COLUMN id PARAMETER 0
                AND ON TABLE account COLUMN id PARAMETER 1 FROM CLASS io.reprise.simulation.cluster.Bank$Pay;
            CREATE PROCEDURE Reopen PARTITION ON TABLE account COLUMN id PARAMETER 0
                AND ON TABLE account COLUMN id PARAMETER 1 FROM CLASS io.reprise.simulation.cluster.Bank$Reopen;
            CREATE PROCEDURE Give PARTITION ON TABLE account COLUMN id PARAMETER 0
                AND ON TABLE account COLUMN id PARAMETER 1 FROM CLASS io.reprise.simulation.cluster.Bank$Give;
            CREATE PROCEDURE Foresee PARTITION ON TABLE account COLUMN id PARAMETER 0
                AND ON TABLE account COLUMN id PARAMETER 1 FROM CLASS io.reprise.simulation.cluster.Bank$Foresee;
            CREATE PROCEDURE PayAll AS UPDATE account SET balance = balance + ?;
            CREATE PROCEDURE CloseFrom AS DELETE FROM account WHERE id >= ?;
            CREATE PROCEDURE Opened AS SELECT COUNT(*) FROM account WHERE memo = 'opened';
            CREATE PROCEDURE SetRate AS INSERT INTO rate VALUES ('a', ?);
            CREATE PROCEDURE Rate AS SELECT val FROM rate WHERE name = 'a';
            """;

    /** Only of clusters that log boundary records. */
    private static final String INVOICE = """
            CREATE PROCEDURE Invoice PARTITION ON TABLE account COLUMN id PARAMETER 0
                AND ON TABLE account COLUMN id PARAMETER 1 FROM CLASS io.reprise.simulation.cluster.Bank$Invoice;
            """;

    private static final LogSettings LOG =
            LogSettings.DEFAULTS.withSizes(4096, 16 << 10, 1 << 16, 128 << 10).withSegmentBytes(256 << 10);

    /** The settings that all machines of a cluster have. */
    record Shape(
            int nodes,
            int partitions,
            int kSafety,
            boolean forced,
            LoggingMethod method,
            Duration failureTimeout,
            long streamBytes) {
        Shape(int nodes, int partitions, int kSafety, boolean forced, LoggingMethod method, Duration failureTimeout) {
            this(nodes, partitions, kSafety, forced, method, failureTimeout, 0);
        }
    }

    private final Simulation simulation;
    private final SimulatedLinks network;
    private final SimulatedMembership service;
    private final Shape shape;
    private final int number;
    private final long snapshotEveryMs;
    private SimulatedFileStore disk;
    private MortalLinks links;
    private Reprise engine;
    private CallDoor door;
    private long incarnation;
    private String ddl;
    private LogSettings log = LOG;
    private boolean onDemand;
    private int loadsEach = 1;
    private AdaptiveSettings adaptive = AdaptiveSettings.DEFAULTS;
    private BrokenRules broken = BrokenRules.NONE;
    private boolean keepsStatements;
    private Levels levels = Levels.OWN;
    private int memory = 4 << 20;
    private boolean isDiskNew = true;

    ClusterMachine(
            Simulation simulation,
            SimulatedLinks network,
            SimulatedMembership service,
            Shape shape,
            int number,
            long snapshotEveryMs) {
        this.simulation = simulation;
        this.network = network;
        this.service = service;
        this.shape = shape;
        this.number = number;
        this.snapshotEveryMs = snapshotEveryMs;
        disk = simulation.disk();
        boolean cuts = shape.method == LoggingMethod.BOUNDARY || shape.method == LoggingMethod.ADAPTIVE;
        ddl = cuts ? DDL + INVOICE : DDL;
    }

    /** Whether each partition of a cluster is served by one of the machines that run. */
    static boolean isServed(List<ClusterMachine> nodes) {
        return nodes.stream()
                        .filter(ClusterMachine::isUp)
                        .flatMap(node -> node.replicas().stream())
                        .filter(ReplicaStatus::serves)
                        .count()
                == nodes.getFirst().shape.partitions;
    }

    static String name(int number) {
        return "n" + number;
    }

    int number() {
        return number;
    }

    boolean isUp() {
        return engine != null;
    }

    Member member() {
        return new Member(number, incarnation);
    }

    Reprise engine() {
        return engine;
    }

    CallDoor door() {
        return door;
    }

    List<ReplicaStatus> replicas() {
        return engine.replicas();
    }

    /** The faults of its disk. */
    DiskFaults faults() {
        return disk.faults();
    }

    /**
     * Damages a bit of some file. Returns whether there was one. The planned statements differ from run to run, so that a seed would damage
     * another bit the next time.
     */
    boolean rot() {
        return disk.rot(PlannedStatements.FILE);
    }

    /** Slow forces from now on. */
    void slow(long leastNs, long mostNs) {
        disk.faults().forceLatency(leastNs, mostNs);
    }

    void start() {
        if (keepsStatements && isDiskNew) {
            PlannedStatements.give(disk, ddl);
        }
        isDiskNew = false;
        incarnation = simulation.randomness().nextLong(Long.MAX_VALUE) + 1;
        links = new MortalLinks(network.of(name(number)));
        door = new CallDoor();
        engine = Options.create()
                .name(name(number))
                .partitions(shape.partitions)
                .buckets(64)
                .threads(Options.Threads.CALLER)
                .clock(simulation.clock(name(number)))
                .memoryPerPartition(memory)
                .ddl(ddl)
                .keepStatements(keepsStatements)
                .files(disk)
                .replies(Runnable::run)
                .siteAgent(door)
                .recoverOnDemand(onDemand)
                .cluster(new ClusterOptions(
                        number,
                        shape.nodes,
                        incarnation,
                        shape.kSafety,
                        shape.forced,
                        shape.failureTimeout,
                        links,
                        service.of(number),
                        name(number),
                        "client-" + number,
                        shape.streamBytes,
                        broken,
                        levels))
                .durability(Durability.standard()
                        .with(shape.method)
                        .with(adaptive)
                        .with(log)
                        .with(new SnapshotSettings(snapshotEveryMs, 0, 2, 1, 1, 50_000, 1024, 2, 1 << 20, 1 << 20, 0)))
                .open();
        for (Agent agent : engine.agents()) {
            boolean slow = loadsEach > 1 && agent.roleName().equals("load");
            simulation.add(name(number), slow ? new SlowAgent(agent, loadsEach) : agent);
        }
    }

    /** Starts the process; empty if it runs. A process that can't use its disk ends, and the failure is returned. */
    Optional<RuntimeException> tryStart() {
        try {
            start();
            return Optional.empty();
        } catch (RuntimeException failure) {
            ended(false);
            return Optional.of(failure);
        }
    }

    /** Ends the process, with the power of its machine or alone. */
    void kill(boolean power) {
        simulation.crash(name(number));
        ended(power);
    }

    /** After the simulation has dropped the node's agents. */
    void ended(boolean power) {
        links.end();
        network.crash(name(number));
        service.crash(number);
        SimulatedFileStore next = power ? disk.crash() : disk.kill();
        abandon();
        disk = next;
    }

    /** The number of images that its replicas began to load, as far as its log goes back. While the node is down. */
    int images() {
        int[] images = {0};
        readLog(records -> images[0] += records.kind() == RecordKind.IMAGE
                        && ImageRecord.decode(records.payloadCopy()).part() == ImageRecord.Part.BEGIN
                ? 1
                : 0);
        return images[0];
    }

    /** The payloads of a kind of record in its log. While the node is down. */
    List<byte[]> payloads(RecordKind kind) {
        List<byte[]> found = new ArrayList<>();
        readLog(records -> {
            if (records.kind() == kind) {
                found.add(records.payloadCopy());
            }
        });
        return found;
    }

    /** The number of records of a kind in its log. While the node is down. */
    int countOf(RecordKind kind) {
        return payloads(kind).size();
    }

    /** Bytes in its log are others, under checksums that are right. While the node is down. */
    int damage(byte[] from, byte[] to) {
        return LogRewriting.replace(disk, from, to);
    }

    private void readLog(Consumer<LogRecords> reader) {
        long first = new LogDirectory(disk, LOG.directory()).positions().getFirst();
        LogTail tail = LogTail.find(disk, LOG, first);
        try (LogReader log = tail.read(first);
                LogFrame frame = new LogFrame()) {
            LogRecords records = new LogRecords();
            while (log.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    reader.accept(records);
                }
            }
        }
    }

    /** Before its first start: the machine begins without a schema. */
    ClusterMachine withoutSchema() {
        ddl = "";
        return this;
    }

    /** From its next start on: the machine serves before its rows are loaded, or not. */
    ClusterMachine onDemand(boolean value) {
        onDemand = value;
        return this;
    }

    /** From its next start on: its program speaks these levels. */
    void withLevels(Levels spoken) {
        levels = spoken;
    }

    /** From its next start on: the memory of each partition. */
    ClusterMachine withMemory(int bytes) {
        memory = bytes;
        return this;
    }

    /** The levels that its program speaks. */
    Levels levels() {
        return levels;
    }

    /** Whether no row is left to be loaded. While the node is up. */
    boolean isLoaded() {
        return engine.load().map(LoadStats::isOver).orElse(true);
    }

    /** From its next start on: the loading of rows does something in each of so many duty cycles only. */
    ClusterMachine slowLoading(int cycles) {
        loadsEach = cycles;
        return this;
    }

    /** Before its first start: the choices of adaptive logging. */
    ClusterMachine withAdaptive(AdaptiveSettings settings) {
        adaptive = settings;
        return this;
    }

    /** Before its first start: the schema has these statements too. */
    ClusterMachine withMore(String statements) {
        ddl += statements;
        return this;
    }

    String ddl() {
        return ddl;
    }

    /** The disk. While the node is down. */
    SimulatedFileStore disk() {
        return disk;
    }

    /** The number of data records of transactions in its log that name no bucket. While the node is down. */
    int dataWithoutBuckets() {
        int[] count = {0};
        readLog(records -> count[0] +=
                records.kind() == RecordKind.DATA && records.payloadBytes() > 0 && records.bucketCount() == 0 ? 1 : 0);
        return count[0];
    }

    /** Before its first start: the engine does not keep these rules. */
    ClusterMachine withBroken(BrokenRules rules) {
        broken = rules;
        return this;
    }

    /** Before its first start: disks have the compiled statements of the schema, and the engine keeps them as a node does. */
    ClusterMachine withPlannedStatements() {
        keepsStatements = true;
        return this;
    }

    /** Before its first start: the log's writer pauses so long between forces that nobody asks for. */
    ClusterMachine withLogPause(long longestNs) {
        log = LOG.withMaxDelayNs(longestNs);
        return this;
    }

    /** Before its first start: {@link #damage} finds bytes in its log as they are in records. */
    ClusterMachine withoutCompression() {
        log = log.withCompression(Compression.NONE);
        return this;
    }

    /** The disk is replaced by an empty one. */
    void wipe() {
        disk = simulation.disk();
        isDiskNew = true;
    }

    /** Gives the memory back, whatever state the engine is in. */
    void abandon() {
        if (engine == null) {
            return;
        }
        Reprise ended = engine;
        engine = null;
        links.end();
        try {
            ended.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // The disk of an ended process answers nothing; the memory is given back all the same.
        }
    }

    @Override
    public String toString() {
        return name(number) + (isUp() ? " runs as " + incarnation + " " + replicas() : " is down");
    }

    /** The links of a process: none works when it has ended, while its engine is given back. */
    private static final class MortalLinks implements Links {
        private final Links links;
        private boolean ended;

        MortalLinks(Links links) {
            this.links = links;
        }

        void end() {
            ended = true;
        }

        @Override
        public Link connect(String address) {
            return ended ? new DeadLink() : new MortalLink(links.connect(address));
        }

        @Override
        public Link accept() {
            Link link = ended ? null : links.accept();
            return link == null ? null : new MortalLink(link);
        }

        @Override
        public boolean tellsRefusals() {
            return links.tellsRefusals();
        }

        private final class MortalLink implements Link {
            private final Link link;

            MortalLink(Link link) {
                this.link = link;
            }

            @Override
            public State state() {
                return ended ? State.CLOSED : link.state();
            }

            @Override
            public boolean isRefused() {
                return !ended && link.isRefused();
            }

            @Override
            public boolean send(byte[] frame, int offset, int length) {
                return !ended && link.send(frame, offset, length);
            }

            @Override
            public byte[] receive() {
                return ended ? null : link.receive();
            }

            @Override
            public void close() {
                link.close();
            }
        }
    }

    private static final class DeadLink implements Link {
        @Override
        public State state() {
            return State.CLOSED;
        }

        @Override
        public boolean send(byte[] frame, int offset, int length) {
            return false;
        }

        @Override
        public byte[] receive() {
            return null;
        }

        @Override
        public void close() {
            // It is closed.
        }
    }
}
