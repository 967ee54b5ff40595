package io.reprise.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.reprise.configuration.ClusterSection;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.node.process.RunFile;
import io.reprise.runtime.time.SystemClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Starts ZooKeeper and all nodes of a cluster on this machine, or those that are not at work. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = {
            "Starts a cluster on this machine, for development: a process with ZooKeeper and one for each node. Waits until each"
                    + " partition has a leader, and says how to connect.",
            "The first start writes a configuration for each node below the folder. A later start starts what is not at work,"
                    + " so it also brings back a node that was killed."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:each partition has a leader", "3:a process could not be started; the message says why"},
        footer = {
            "",
            "Examples:",
            "  reprise cluster start",
            "  reprise cluster start --nodes 1 --dir small",
            "  reprise cluster start --nodes 3 --k 2 --partitions 12 --ddl schema.sql --jar procedures.jar"
        })
final class ClusterStartCommand implements Callable<Integer> {
    private static final int USUAL_NODES = 3;
    private static final int MOST_NODES = 16;
    private static final long PAUSE_NS = 50_000_000;
    private static final long LED_NS = 60_000_000_000L;
    private static final long ZOOKEEPER_NS = 30_000_000_000L;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "cluster",
            description = "The cluster's folder. Default: ${DEFAULT-VALUE}.")
    private Path folder;

    @Option(names = "--nodes", paramLabel = "N", description = "Of a new cluster: the number of nodes. Default: 3.")
    private Integer nodes;

    @Option(
            names = "--k",
            paramLabel = "K",
            description =
                    "Of a new cluster: the copies of each partition beyond the first. Default: 1, or 0 with one node.")
    private Integer kSafety;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "Of a new cluster: the number of partitions. Default: two for each node.")
    private Integer partitions;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            defaultValue = "1GiB",
            description = "Of a new cluster: the memory of each partition on each node. Default: ${DEFAULT-VALUE}.")
    private String memory;

    @Option(
            names = "--ddl",
            paramLabel = "FILE",
            description = "Of a new cluster: a script of the first schema, on all nodes. May be repeated.")
    private List<Path> scripts = new ArrayList<>();

    @Option(
            names = "--jar",
            paramLabel = "FILE",
            description = "Of a new cluster: a jar with procedures for the first schema. May be repeated.")
    private List<Path> jars = new ArrayList<>();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ClusterFolder cluster = new ClusterFolder(folder);
        if (cluster.exists()) {
            requireSame(cluster);
        } else {
            cluster.create(shape());
        }
        startZooKeeper(cluster);
        int code = awaitNodes(beginNodes(cluster), spec.commandLine().getErr());
        if (code != 0) {
            return code;
        }
        JsonNode view = awaitLeaders(cluster);
        tell(cluster, view);
        return 0;
    }

    private ClusterFolder.Shape shape() {
        int count = number("--nodes", nodes == null ? USUAL_NODES : nodes, 1, MOST_NODES);
        for (Path file : scripts) {
            requireFile("--ddl", file);
        }
        for (Path file : jars) {
            requireFile("--jar", file);
        }
        return new ClusterFolder.Shape(
                count,
                number("--k", kSafety == null ? Math.min(1, count - 1) : kSafety, 0, count - 1),
                number("--partitions", partitions == null ? 2 * count : partitions, 1, 4096),
                memory,
                scripts,
                jars);
    }

    private int number(String option, int given, int least, int most) {
        if (given < least || given > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " takes a number from " + least + " to " + most + ", not " + given);
        }
        return given;
    }

    private void requireFile(String option, Path file) {
        if (!Files.isRegularFile(file)) {
            throw new ParameterException(spec.commandLine(), option + ": there is no file " + file);
        }
    }

    private void requireSame(ClusterFolder cluster) {
        ClusterSection made = cluster.cluster();
        require("--nodes", nodes, made.nodes(), cluster);
        require("--k", kSafety, made.kSafety(), cluster);
        require("--partitions", partitions, made.partitions(), cluster);
        if (!scripts.isEmpty() || !jars.isEmpty()) {
            List<Path> given = scripts.stream()
                    .map(file -> file.toAbsolutePath().normalize())
                    .toList();
            if (!cluster.first().schema().scripts().equals(given)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "the cluster in " + cluster.path()
                                + " has its schema already; --ddl and --jar are for a new one");
            }
        }
    }

    private void require(String option, Integer given, int made, ClusterFolder cluster) {
        if (given != null && given != made) {
            throw new ParameterException(
                    spec.commandLine(),
                    "the cluster in " + cluster.path() + " was made with " + option + " " + made + ", not " + given
                            + "; leave " + option + " out, or name another folder by --dir");
        }
    }

    /** Starts ZooKeeper unless it is at work. */
    static void startZooKeeper(ClusterFolder cluster) throws IOException, InterruptedException {
        if (cluster.zooKeeper().isPresent()) {
            return;
        }
        Process process = DetachedStart.process(
                cluster.zooKeeperLog(), "arbiter", List.of("--config=" + cluster.zooKeeperConfiguration()));
        long beganNs = SystemClock.INSTANCE.nanoTime();
        while (cluster.zooKeeper().isEmpty()) {
            if (!process.isAlive()) {
                throw new IllegalStateException(
                        "ZooKeeper has ended with code " + process.exitValue() + "; see " + cluster.zooKeeperLog());
            }
            if (SystemClock.INSTANCE.nanoTime() - beganNs > ZOOKEEPER_NS) {
                throw new IllegalStateException("ZooKeeper, process " + process.pid() + ", is not ready after "
                        + ZOOKEEPER_NS / 1_000_000_000 + " s; see " + cluster.zooKeeperLog());
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** Begins to start the nodes that are not at work, all at once: none is ready before the others run. */
    static List<NodeStart> beginNodes(ClusterFolder cluster) {
        List<NodeStart> starts = new ArrayList<>();
        for (int node : cluster.nodes().keySet()) {
            Path data = cluster.directory(node);
            if (ClusterFolder.running(data).isEmpty()) {
                starts.add(new NodeStart(cluster, node, data));
            }
        }
        starts.forEach(NodeStart::begin);
        return starts;
    }

    /** Waits until the nodes are ready. Returns the exit code of one that is not; its failure is explained. */
    static int awaitNodes(List<NodeStart> starts, PrintWriter err) throws InterruptedException {
        int code = 0;
        for (NodeStart start : starts) {
            int ended = start.await(err);
            code = ended == 0 ? code : ended;
        }
        return code;
    }

    /** Waits until each partition has a leader. */
    static JsonNode awaitLeaders(ClusterFolder cluster) throws InterruptedException {
        long beganNs = SystemClock.INSTANCE.nanoTime();
        while (true) {
            Optional<JsonNode> view = ClusterStatusCommand.view(cluster.directories());
            if (view.isPresent() && view.get().path("allLed").asBoolean()) {
                return view.get();
            }
            if (SystemClock.INSTANCE.nanoTime() - beganNs > LED_NS) {
                throw new IllegalStateException("the nodes are at work, but after " + LED_NS / 1_000_000_000 + " s "
                        + missing(view) + "; \"reprise cluster status --dir " + cluster.path() + "\" shows more");
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** The partitions without a leader, and the nodes that are down. */
    static String missing(Optional<JsonNode> view) {
        if (view.isEmpty()) {
            return "no node answers";
        }
        List<String> partitions = new ArrayList<>();
        for (JsonNode each : view.get().path("partitions")) {
            if (!each.path("led").asBoolean()) {
                partitions.add(each.path("partition").asText());
            }
        }
        Set<Integer> running = new TreeSet<>();
        for (JsonNode each : view.get().path("nodes")) {
            if (each.path("running").asBoolean()) {
                running.add(each.path("node").asInt());
            }
        }
        List<String> down = new ArrayList<>();
        for (JsonNode node : view.get().path("members")) {
            if (!running.contains(node.asInt())) {
                down.add(node.asText());
            }
        }
        String led = partitions.isEmpty()
                ? "there is no map of the partitions"
                : "no node leads partition " + String.join(", ", partitions);
        return down.isEmpty() ? led : led + ", and ZooKeeper sees no node " + String.join(", ", down);
    }

    private void tell(ClusterFolder cluster, JsonNode view) {
        PrintWriter out = spec.commandLine().getOut();
        out.println("Cluster " + view.path("name").asText() + " is ready: "
                + view.path("nodeCount").asInt() + " nodes, "
                + view.path("partitions").size() + " partitions, k="
                + view.path("kSafety").asInt() + ".");
        String first = "";
        for (NodeConfiguration each : cluster.nodes().values()) {
            Optional<RunFile> running = ClusterFolder.running(each.data().directory());
            if (running.isPresent()) {
                first = first.isEmpty() ? running.get().clients() : first;
                out.println("  node " + each.cluster().orElseThrow().node().orElseThrow() + "   clients "
                        + running.get().clients() + "   page " + running.get().http());
            }
        }
        String dir = folder.equals(Path.of("cluster")) ? "" : " --dir " + folder;
        out.println("  SQL      reprise sql --server " + first);
        out.println("  status   reprise cluster status" + dir);
        out.println("  stop     reprise cluster stop" + dir);
    }
}
