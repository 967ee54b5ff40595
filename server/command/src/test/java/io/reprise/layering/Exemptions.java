package io.reprise.layering;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The classes that may do what a rule keeps for {@code runtime}, each with its reason. A nested class is exempt with its
 * outermost one.
 */
public final class Exemptions {
    static final Exemptions THREADS = new Exemptions(Map.ofEntries(
            Map.entry("cluster.zookeeper.EmbeddedZooKeeper", "a ZooKeeper server that runs its own threads"),
            Map.entry("command.ArbiterCommand", "a shutdown hook of the process"),
            Map.entry("command.EarlyEnd", "a shutdown hook of the process"),
            Map.entry("command.NodeOutput", "reads the output of a node that starts detached"),
            Map.entry("command.NodeStart", "starts several nodes at once"),
            Map.entry("command.Rehearsal", "a process beside the command"),
            Map.entry("command.StartCommand", "a shutdown hook, and the warm-up of a node"),
            Map.entry("engine.FutureReply", "completes futures of callers on a pool"),
            Map.entry("engine.Options", "the default pool of replies"),
            Map.entry("engine.StateHash", "hashes partitions beside each other while all are held"),
            Map.entry("net.peer.PeerConnector", "looks names up, which may take seconds"),
            Map.entry("node.Server", "pools of ad hoc statements and TLS handshakes"),
            Map.entry("node.process.ClusterSide", "the thread factory of the port for other nodes"),
            Map.entry("node.http.AnswerLimit", "cuts slow HTTP readers off"),
            Map.entry("node.http.FewThreads", "the pool of the HTTP server"),
            Map.entry("node.http.HttpEndpoint", "the HTTP server of the JDK"),
            Map.entry("node.http.Recent", "samples the metrics once a second"),
            Map.entry("node.process.LastSnapshot", "a stop that gives up waiting for the log"),
            Map.entry("node.security.LoginThreads", "hashes passwords"),
            Map.entry("node.security.NodeSecurity", "watches certificate and users files")));

    static final Exemptions FILES = new Exemptions(Map.ofEntries(
            Map.entry("certificate.PemFile", "certificates and keys, outside of the data directory"),
            Map.entry("cluster.zookeeper.EmbeddedZooKeeper", "the folder of a ZooKeeper server"),
            Map.entry("command.ClasspathCommand", "lists jars"),
            Map.entry("command.ClusterFolder", "the configurations of a cluster on one machine"),
            Map.entry("command.ClusterStartCommand", "the configurations of a cluster on one machine"),
            Map.entry("command.DetachedStart", "the output of a node that starts detached"),
            Map.entry("command.GivenFile", "files that a user names"),
            Map.entry("command.JdkCommand", "finds the programs of the JDK"),
            Map.entry("command.LoadCommand", "files that a user names, and rejects"),
            Map.entry("command.NewCommand", "the files of a new project"),
            Map.entry("command.MigrateCommand", "reads a foreign script and writes the proposed schema"),
            Map.entry("command.NodeChoice", "the run files of nodes"),
            Map.entry("command.PageCommand", "finds the program that opens a browser"),
            Map.entry("command.NodeStreams", "standard streams"),
            Map.entry("command.Password", "password files"),
            Map.entry("command.PrepareCommand", "the cache for starts"),
            Map.entry("command.Rehearsal", "a temporary data directory"),
            Map.entry("command.SqlCommand", "scripts that a user names"),
            Map.entry("command.StartCache", "the cache for starts"),
            Map.entry("command.StartCommand", "the run file"),
            Map.entry("configuration.ConfigurationFile", "the configuration, read once"),
            Map.entry("engine.NewFile", "exports, which a user names"),
            Map.entry("node.process.ClusterIdentity", "the file that ties a data directory to its cluster"),
            Map.entry("node.process.EngineOptions", "DDL scripts and jars of the configuration"),
            Map.entry("node.process.RunFile", "tells commands of a running node"),
            Map.entry("node.security.FilePermissions", "the users file"),
            Map.entry("node.security.FileStamp", "the users file"),
            Map.entry("node.security.UsersFile", "the users file"),
            Map.entry("node.security.ZooKeeperStores", "stores that ZooKeeper reads, outside of the data directory")));
    static final Exemptions LOCKS = new Exemptions(Map.ofEntries(
            Map.entry("command.ChangesCommand", "sleeps until the log may have grown"),
            Map.entry("command.ClusterRestartCommand", "sleeps until the nodes are in sync"),
            Map.entry("command.ClusterStartCommand", "the command line has threads of its own"),
            Map.entry("command.ClusterStatusCommand", "sleeps until the replicas are in sync"),
            Map.entry("command.DetachedStart", "the command line has threads of its own"),
            Map.entry("command.LoadCommand", "the command line has threads of its own"),
            Map.entry("command.NodeOutput", "the command line has threads of its own"),
            Map.entry("command.Rehearsal", "the command line has threads of its own"),
            Map.entry("command.RepriseCommand", "the command line has threads of its own"),
            Map.entry("engine.EngineSchema", "callers of changes of the schema take turns"),
            Map.entry("engine.ReplaySites", "the recovering thread parks for executors"),
            Map.entry("engine.Reprise", "callers ask why the engine was closed"),
            Map.entry("engine.SnapshotLoading", "the recovering thread waits for loaders"),
            Map.entry("node.EngineBackend", "network threads and callers meet"),
            Map.entry("node.EngineSessions", "sessions and the thread that stops the server meet"),
            Map.entry("node.http.AnswerLimit", "HTTP threads and the watcher meet"),
            Map.entry("node.http.Recent", "HTTP threads read what the sampler wrote"),
            Map.entry("node.process.NodeProcess", "a signal ends a start"),
            Map.entry("node.process.RunFileAgent", "a stop ends the agent"),
            Map.entry("node.security.ClientAuthorities", "handshakes read what the watcher renewed"),
            Map.entry("node.security.NodeSecurity", "handshakes read what the watcher renewed"),
            Map.entry("node.security.RenewableKeys", "handshakes read what the watcher renewed"),
            Map.entry("node.security.TlsFiles", "handshakes read what the watcher renewed"),
            Map.entry("session.AdvisoryLocks", "sessions wait for each other's advisory locks"),
            Map.entry("procedure.LoopGuard", "the watcher sets the alarm that the procedure reads"),
            Map.entry("wire.message.Column", "generated by the Protocol Buffers compiler"),
            Map.entry("wire.message.Failure", "generated by the Protocol Buffers compiler"),
            Map.entry("wire.message.Goodbye", "generated by the Protocol Buffers compiler"),
            Map.entry("wire.message.Hello", "generated by the Protocol Buffers compiler"),
            Map.entry("wire.message.Node", "generated by the Protocol Buffers compiler"),
            Map.entry("wire.message.Parameter", "generated by the Protocol Buffers compiler"),
            Map.entry("wire.message.Resolve", "generated by the Protocol Buffers compiler"),
            Map.entry("wire.message.StatementCall", "generated by the Protocol Buffers compiler"),
            Map.entry("wire.message.Welcome", "generated by the Protocol Buffers compiler")));
    static final Exemptions HASH_ORDER =
            new Exemptions(Map.ofEntries(Map.entry("storage.image.RowClasses", "looked up by key, never iterated")));

    private final Map<String, String> reasons;

    private Exemptions(Map<String, String> reasons) {
        this.reasons = new TreeMap<>(reasons);
    }

    /** All names, relative to the root package. */
    public static SortedSet<String> all() {
        SortedSet<String> names = new TreeSet<>();
        for (Exemptions each : List.of(THREADS, FILES, LOCKS, HASH_ORDER)) {
            names.addAll(each.reasons.keySet());
        }
        return names;
    }

    /** The names of these, relative to the root package. */
    public SortedSet<String> names() {
        return new TreeSet<>(reasons.keySet());
    }

    DescribedPredicate<JavaClass> notListed(String root) {
        return DescribedPredicate.describe("are not exempt", type -> !reasons.containsKey(name(root, type)));
    }

    private static String name(String root, JavaClass type) {
        JavaClass outer = type;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        String name = outer.getFullName();
        return name.startsWith(root + ".") ? name.substring(root.length() + 1) : name;
    }
}
