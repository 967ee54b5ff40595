package io.reprise.configuration;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a node. Each key of the file is a component here, under the same name; the sample file describes
 * each.
 *
 * @param node the node's name
 * @param cluster membership in a cluster; empty: the node serves alone
 * @param data the place of its data
 * @param engine partitions, memory, limits
 * @param schema the first schema of a new database
 * @param log settings of the log
 * @param snapshot settings of snapshots
 * @param recovery the restart
 * @param archive the archive of log and snapshots
 * @param security protection of connections
 * @param clients the port for procedures and statements
 * @param postgres the port for PostgreSQL's clients
 * @param http the page, metrics and administration
 * @param tracing spans for a tracing system
 * @param logging the program's own log
 */
public record NodeConfiguration(
        Node node,
        Optional<ClusterSection> cluster,
        Data data,
        Engine engine,
        Schema schema,
        Log log,
        Snapshot snapshot,
        Recovery recovery,
        Archive archive,
        Security security,
        Clients clients,
        Postgres postgres,
        Http http,
        Tracing tracing,
        Logging logging) {
    static final int MOST_PARTITIONS = 4096;
    static final int MOST_BUCKETS = 1 << 16;

    /**
     * The node's identity.
     *
     * @param name in the names of threads and in metrics
     */
    public record Node(String name) {}

    /**
     * The place of its data.
     *
     * @param directory the data directory
     */
    public record Data(Path directory) {}

    /**
     * Partitions, memory, limits.
     *
     * @param partitions their number
     * @param sites threads that run them; 0: one for each partition
     * @param buckets the number of a new database; 0: 1,024, or that of the existing database
     * @param memoryPerPartition bytes
     * @param reservedHugePages whether tables may lie in huge pages that the operator has had the system set aside
     * @param workMemory bytes of heap that a transaction may collect rows in, in each partition; 0: a share of the
     *     heap
     * @param heapPerTransaction bytes of heap that a transaction may allocate; 0: a share of the heap
     * @param timeLimit after which a transaction is rolled back
     * @param planningLimit after which a statement that is not planned yet is refused; zero: never
     * @param slowAfter after which a transaction is told of; zero: never
     */
    public record Engine(
            int partitions,
            int sites,
            int buckets,
            long memoryPerPartition,
            boolean reservedHugePages,
            long workMemory,
            long heapPerTransaction,
            Duration timeLimit,
            Duration planningLimit,
            Duration slowAfter) {}

    /**
     * The first schema of a new database.
     *
     * @param scripts files of DDL, in their order
     * @param jars files with procedure classes
     */
    public record Schema(List<Path> scripts, List<Path> jars) {}

    /** The logged form of a transaction. */
    public enum Method {
        /** The call. */
        COMMAND,
        /** The changes. */
        PHYSIOLOGICAL,
        /** The changes of transactions that would hold a recovery up, and the calls of others. */
        ADAPTIVE,
        /** The call; of a transaction over several partitions with the answers from elsewhere, and the changes there. */
        BOUNDARY
    }

    /** The order that commands keep in a replay. */
    public enum Replay {
        /** Log order in each partition. */
        LOG,
        /** Log order in each bucket. */
        BUCKETS
    }

    /** When frames of the log are compressed. */
    public enum Compression {
        /** Never. */
        NONE,
        /** Always. */
        ALWAYS,
        /** Frames of which a measurement shows that it pays. */
        MEASURED
    }

    /**
     * Settings of the log.
     *
     * @param method of each transaction
     * @param synchronous whether answers wait for the disk
     * @param forceEvery the time for which written bytes stay unforced if they don't
     * @param maxDelay the time that a record may wait for others
     * @param segment bytes of a file
     * @param largestRecord bytes that a transaction may log
     * @param compression when frames are compressed
     * @param keep whether needless segments are kept
     * @param footprints whether the rows that each transaction read and wrote are logged behind it
     * @param budget bytes a second that adaptive logging may add to the log
     * @param replay the order that commands keep in a replay
     */
    public record Log(
            Method method,
            boolean synchronous,
            Duration forceEvery,
            Duration maxDelay,
            long segment,
            long largestRecord,
            Compression compression,
            boolean keep,
            boolean footprints,
            long budget,
            Replay replay) {}

    /**
     * Settings of snapshots.
     *
     * @param every time from the beginning of one to that of the next; zero: only when asked for
     * @param afterLog bytes of log after which one begins; 0: never for that
     * @param keep number of kept ones
     * @param onStop whether one is made when the node stops
     * @param share of a busy partition's time, at most
     * @param method the way in which one is made
     */
    public record Snapshot(
            Duration every, long afterLog, int keep, boolean onStop, double share, SnapshotMethod method) {}

    /** The way in which a snapshot is made. */
    public enum SnapshotMethod {
        /** Partitions copy their rows. */
        COPY,
        /** The snapshot before it is merged with the log behind that; rows are copied where that is not possible. */
        MERGE
    }

    /**
     * Settings of a restart.
     *
     * @param storage the place of rows on the disk
     * @param onDemand whether the node serves before its rows are loaded
     * @param images whether rows that calls have written take the place of the calls in the sorted log
     * @param reuseLog whether the log is used again as soon as it is sorted
     * @param objective the longest time until all rows should be there; 0: any
     * @param objectiveFirst the longest time until the node should answer, with recovery on demand; 0: any
     * @param objectiveBucket the longest time that the loading of a bucket should take, with recovery on demand; 0: any
     * @param enforce the reaction if snapshots alone don't keep it
     */
    public record Recovery(
            Storage storage,
            boolean onDemand,
            boolean images,
            boolean reuseLog,
            Duration objective,
            Duration objectiveFirst,
            Duration objectiveBucket,
            Enforcement enforce) {
        /** Whether buckets are loaded while the node serves. */
        public boolean loadsOnDemand() {
            return onDemand || storage == Storage.LOG;
        }
    }

    /** The place of rows on the disk. */
    public enum Storage {
        /** Snapshots, and the log behind them. */
        SNAPSHOTS,
        /** The sorted log alone, and bases that are merged from it. */
        LOG
    }

    /** The reaction to a forecast that is longer than the objective. */
    public enum Enforcement {
        /** A warning in the log. */
        WARN,
        /** Replies to writers wait. */
        THROTTLE
    }

    /**
     * Settings of the archive.
     *
     * @param directory an existing directory; empty: there is no archive
     * @param every time after which durable log is copied at the latest
     * @param snapshotEvery age of the newest archived snapshot at which another one is copied
     * @param keep age of the oldest moment that can be restored
     * @param restore whether a data directory without log begins with what the archive has
     */
    public record Archive(
            Optional<Path> directory, Duration every, Duration snapshotEvery, Duration keep, boolean restore) {}

    /**
     * Protection of connections, for clients and for HTTP.
     *
     * @param certificate the certificate that TLS begins with, and its chain; empty: there is no TLS
     * @param key the certificate's private key
     * @param users the file of users; empty: clients need no login
     * @param clientCertificates rules for certificates of clients; empty: they are not asked for
     */
    public record Security(
            Optional<Path> certificate,
            Optional<Path> key,
            Optional<Path> users,
            Optional<ClientCertificates> clientCertificates) {}

    /**
     * Rules for certificates of clients.
     *
     * @param authorities the file with the authorities that vouch for them
     * @param revocationList the file with the lists of revoked ones; empty: nothing is
     * @param required whether a client without one is turned away
     * @param nameUsers whether a certificate's subject names its user, who then needs no password
     */
    public record ClientCertificates(
            Path authorities, Optional<Path> revocationList, boolean required, boolean nameUsers) {}

    /**
     * The port for procedures and statements.
     *
     * @param enabled whether there is one
     * @param address the address on which the node listens
     * @param port its number; 0: any that is free
     * @param allowRemote whether the address may be another than the machine's own without TLS and users
     * @param connections the largest number of connections
     * @param largestResult the most bytes of an answer to a call or statement
     */
    public record Clients(
            boolean enabled, String address, int port, boolean allowRemote, int connections, long largestResult) {}

    /**
     * The port for PostgreSQL's clients. Connections and results are limited as those of clients.
     *
     * @param enabled whether there is one
     * @param address the address on which the node listens
     * @param port its number; 0: any that is free
     * @param allowRemote whether the address may be another than the machine's own without TLS and users
     */
    public record Postgres(boolean enabled, String address, int port, boolean allowRemote) {}

    /**
     * The page, metrics and administration.
     *
     * @param enabled whether there is such a server
     * @param address the address on which it listens
     * @param port its number; 0: any that is free
     * @param allowRemote whether the address may be another than the machine's own without TLS and users
     */
    public record Http(boolean enabled, String address, int port, boolean allowRemote) {}

    /**
     * Spans for a tracing system.
     *
     * @param endpoint the URL that takes spans by OTLP over HTTP; empty: there are none
     */
    public record Tracing(Optional<String> endpoint) {}

    /** The format of the program's log. */
    public enum Format {
        /** Lines for people. */
        TEXT,
        /** A JSON object on each line. */
        JSON
    }

    /**
     * The program's own log.
     *
     * @param format its format
     * @param level the least important messages that are in it
     */
    public record Logging(Format format, Level level) {}

    /** The importance of a message. */
    public enum Level {
        /** Something is broken. */
        ERROR,
        /** An operator should look. */
        WARN,
        /** Normal events. */
        INFO,
        /** For who looks for a fault. */
        DEBUG
    }

    /** The same with its data elsewhere. */
    public NodeConfiguration in(Path directory) {
        return new NodeConfiguration(
                node,
                cluster,
                new Data(directory),
                engine,
                schema,
                log,
                snapshot,
                recovery,
                archive,
                security,
                clients,
                postgres,
                http,
                tracing,
                logging);
    }

    /** The same with its HTTP server on another port; 0: any that is free. */
    public NodeConfiguration onHttpPort(int port) {
        Http other = new Http(http.enabled(), http.address(), port, http.allowRemote());
        return new NodeConfiguration(
                node, cluster, data, engine, schema, log, snapshot, recovery, archive, security, clients, postgres,
                other, tracing, logging);
    }

    /** The same with clients on another port; 0: any that is free. */
    public NodeConfiguration onClientPort(int port) {
        Clients other = new Clients(
                clients.enabled(),
                clients.address(),
                port,
                clients.allowRemote(),
                clients.connections(),
                clients.largestResult());
        return new NodeConfiguration(
                node, cluster, data, engine, schema, log, snapshot, recovery, archive, security, other, postgres, http,
                tracing, logging);
    }

    /**
     * Three quarters of the processors. The others are for network, log, snapshots and the JVM, because a partition without a
     * processor keeps others waiting.
     */
    public static int usualPartitions(int processors) {
        return Math.clamp(processors * 3L / 4, 1, MOST_PARTITIONS);
    }

    /** The default settings, with data in a directory. */
    public static NodeConfiguration defaults(Path directory) {
        return new NodeConfiguration(
                new Node("reprise"),
                Optional.empty(),
                new Data(directory),
                new Engine(
                        usualPartitions(Runtime.getRuntime().availableProcessors()),
                        0,
                        0,
                        4L << 30,
                        true,
                        0,
                        0,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(30),
                        Duration.ofMillis(100)),
                new Schema(List.of(), List.of()),
                new Log(
                        Method.COMMAND,
                        true,
                        Duration.ofMillis(20),
                        Duration.ofMillis(3),
                        64L << 20,
                        32L << 20,
                        Compression.MEASURED,
                        false,
                        false,
                        4L << 20,
                        Replay.LOG),
                new Snapshot(Duration.ofMinutes(3), 4L << 30, 2, true, 0.05, SnapshotMethod.COPY),
                new Recovery(
                        Storage.SNAPSHOTS,
                        false,
                        false,
                        false,
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ZERO,
                        Enforcement.WARN),
                new Archive(Optional.empty(), Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofDays(7), false),
                new Security(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
                new Clients(true, "127.0.0.1", 21212, false, 10_000, 16 << 20),
                new Postgres(false, "127.0.0.1", 5432, false),
                new Http(true, "127.0.0.1", 7077, false),
                new Tracing(Optional.empty()),
                new Logging(Format.TEXT, Level.INFO));
    }
}
