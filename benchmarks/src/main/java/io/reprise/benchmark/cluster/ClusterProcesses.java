package io.reprise.benchmark.cluster;

import io.reprise.benchmark.Folders;
import io.reprise.benchmark.fork.PreparedStart;
import io.reprise.command.NodeClient;
import io.reprise.node.process.RunFile;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The processes of a cluster on this machine: ZooKeeper and nodes, started as a user starts them. A guard beside each kills it
 * when this process ends. Owned by one thread.
 */
final class ClusterProcesses implements AutoCloseable {
    private static final long READY_NS = 300_000_000_000L;
    private static final long LOOK_MS = 50;
    private static final int STOP_SECONDS = 30;
    private static final int MOST_LOOKS = 200;
    private static final Pattern PARTITIONS_OF_BUCKETS = Pattern.compile("\"bucketPartition\":\\[([\\d,]*)\\]");
    private static final Pattern MOVING_BUCKETS = Pattern.compile("\"movingBuckets\":(\\d+)");

    private final Path folder;
    private final Shape shape;

    /** The flags by which the launch scripts start a prepared node; none in tests. */
    private final List<String> prepared = PreparedStart.hasPlace() ? PreparedStart.flags() : List.of();

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Process> guards = new ArrayList<>();
    private final List<Process> nodes = new ArrayList<>();
    private Process zooKeeper;

    /**
     * The shape of a cluster.
     *
     * @param kSafety the copies of each partition beyond the first
     */
    record Shape(int nodes, int kSafety, int partitions) {}

    private ClusterProcesses(Path folder, Shape shape) {
        this.folder = folder;
        this.shape = shape;
    }

    /** Starts a cluster with a schema, and waits until each partition has a leader. */
    static ClusterProcesses start(Path folder, Shape shape, String ddl) throws IOException, InterruptedException {
        ClusterProcesses started = new ClusterProcesses(Files.createDirectories(folder), shape);
        try {
            started.begin(ddl);
            return started;
        } catch (IOException | InterruptedException | RuntimeException | Error failure) {
            started.close();
            throw failure;
        }
    }

    private void begin(String ddl) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("schema.sql"), ddl);
        int[] ports = freePorts(2 * shape.nodes() + 1);
        Path ofZooKeeper = Files.writeString(folder.resolve("zookeeper.yaml"), """
                cluster:
                  name: bench
                  zookeeper: {servers: ["127.0.0.1:%d"], server: 1, directory: zookeeper}
                """.formatted(ports[2 * shape.nodes()]));
        zooKeeper = process("zookeeper", "arbiter", ofZooKeeper);
        await("ZooKeeper", List.of(zooKeeper), () -> runFile("zookeeper").isPresent());
        for (int node = 0; node < shape.nodes(); node++) {
            Path configuration = Files.writeString(
                    folder.resolve("node-" + node + ".yaml"),
                    node(node, ports[2 * shape.nodes()], ports[2 * node], ports[2 * node + 1]));
            nodes.add(process("node-" + node, "start", configuration));
        }
        await("the cluster", nodes, this::isLed);
    }

    private String node(int node, int zooKeeperPort, int peerPort, int clientPort) {
        return """
                cluster:
                  name: bench
                  node: %d
                  nodes: %d
                  kSafety: %d
                  partitions: %d
                  zookeeper: {servers: ["127.0.0.1:%d"]}
                  peer: {port: %d}
                data: {directory: node-%d}
                engine: {sites: 1, memoryPerPartition: 3GiB}
                schema: {scripts: [schema.sql]}
                snapshot: {every: 0s, afterLog: 0B, onStop: false}
                http: {port: 0}
                clients: {port: %d}
                """.formatted(
                node, shape.nodes(), shape.kSafety(), shape.partitions(), zooKeeperPort, peerPort, node, clientPort);
    }

    /** Ports that are free now, all different. */
    private static int[] freePorts(int count) throws IOException {
        List<ServerSocket> probes = new ArrayList<>();
        try {
            int[] ports = new int[count];
            for (int i = 0; i < count; i++) {
                ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                probes.add(probe);
                ports[i] = probe.getLocalPort();
            }
            return ports;
        } finally {
            for (ServerSocket probe : probes) {
                probe.close();
            }
        }
    }

    private Process process(String name, String command, Path configuration) throws IOException {
        List<String> flags = new ArrayList<>(prepared);
        flags.addAll(extraFlags(name));
        List<String> words = PreparedStart.command(flags, command, "--config", configuration.toString());
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
        guards.add(new ProcessBuilder("/bin/sh", "-c", "trap '' INT HUP; read line; kill -9 " + process.pid())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
        return process;
    }

    /** For profiles: flags of the nodes' processes only. */
    private static List<String> extraFlags(String name) {
        String flags = System.getenv("REPRISE_BENCH_SERVER_FLAGS");
        return flags == null || flags.isBlank() || !name.startsWith("node")
                ? List.of()
                : List.of(flags.trim().replace("%n", name).split("\\s+"));
    }

    private interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    private void await(String what, List<Process> needed, Condition condition)
            throws IOException, InterruptedException {
        long beganNs = System.nanoTime();
        while (!condition.holds()) {
            for (Process each : needed) {
                if (!each.isAlive()) {
                    throw new IllegalStateException(
                            what + " could not be started, code " + each.exitValue() + ":\n" + output());
                }
            }
            if (System.nanoTime() - beganNs > READY_NS) {
                throw new IllegalStateException(what + " is not ready after five minutes:\n" + output());
            }
            Thread.sleep(LOOK_MS);
        }
    }

    private String output() throws IOException {
        StringBuilder all = new StringBuilder();
        try (var logs = Files.newDirectoryStream(folder, "*.log")) {
            for (Path log : logs) {
                all.append(log.getFileName()).append(":\n").append(Files.readString(log));
            }
        }
        return all.toString();
    }

    /**
     * A partition's line of the map.
     *
     * @param leader the node that leads it, or -1
     */
    record Line(int partition, int leader, int inSync) {
        private static final Pattern PATTERN = Pattern.compile(
                "\\{\"partition\":(\\d+),\"leader\":(-?\\d+),\"led\":(true|false),\"epoch\":\\d+,\"inSync\":\\[([\\d,]*)\\]");

        static List<Line> of(String status) {
            List<Line> lines = new ArrayList<>();
            Matcher matcher = PATTERN.matcher(status);
            while (matcher.find()) {
                int leader = matcher.group(3).equals("true") ? Integer.parseInt(matcher.group(2)) : -1;
                String inSync = matcher.group(4);
                lines.add(new Line(
                        Integer.parseInt(matcher.group(1)), leader, inSync.isEmpty() ? 0 : inSync.split(",").length));
            }
            return lines;
        }
    }

    /** The map as some node that runs knows it; empty if none answers. */
    List<Line> lines() throws InterruptedException {
        for (int node = 0; node < shape.nodes(); node++) {
            Optional<RunFile> file = nodes.get(node).isAlive() ? runFile("node-" + node) : Optional.empty();
            Optional<String> status = file.isEmpty() ? Optional.empty() : status(file.get());
            if (status.isPresent()) {
                return Line.of(status.get());
            }
        }
        return List.of();
    }

    /** Whether each partition has a leader and all its replicas in sync. */
    boolean isWhole() throws InterruptedException {
        List<Line> lines = lines();
        return lines.size() == shape.partitions()
                && lines.stream().allMatch(line -> line.leader >= 0 && line.inSync == shape.kSafety() + 1);
    }

    /** Waits until all replicas are in sync. */
    void awaitWhole() throws IOException, InterruptedException {
        await("the cluster", nodes, this::isWhole);
    }

    /** Ends a node as a crash does. Returns the time at which the signal was sent. */
    long kill(int node) throws InterruptedException {
        long atNs = System.nanoTime();
        nodes.get(node).destroyForcibly().waitFor();
        return atNs;
    }

    /** A node's process stands still, until {@link #resume}. */
    void pause(int node) throws IOException, InterruptedException {
        signal(node, "STOP");
    }

    /** A node's process that stands still goes on. */
    void resume(int node) throws IOException, InterruptedException {
        signal(node, "CONT");
    }

    private void signal(int node, String signal) throws IOException, InterruptedException {
        long process = nodes.get(node).pid();
        int code = new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + process)
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IllegalStateException("process " + process + " could not be sent " + signal);
        }
    }

    /** Starts a node that was killed. */
    void restart(int node) throws IOException {
        nodes.set(node, process("node-" + node, "start", folder.resolve("node-" + node + ".yaml")));
    }

    /** Removes the data of a node that was killed. */
    void wipe(int node) {
        Folders.remove(folder.resolve("node-" + node));
    }

    // ---- Buckets

    /** The buckets of a partition, as a node has the map. */
    List<Integer> bucketsOf(int partition) throws InterruptedException {
        Matcher list = PARTITIONS_OF_BUCKETS.matcher(statusOfFirst());
        if (!list.find()) {
            throw new IllegalStateException("a node's status has no partitions of buckets");
        }
        String[] partitions = list.group(1).split(",");
        List<Integer> buckets = new ArrayList<>();
        for (int bucket = 0; bucket < partitions.length; bucket++) {
            if (Integer.parseInt(partitions[bucket]) == partition) {
                buckets.add(bucket);
            }
        }
        return buckets;
    }

    /** Begins to move buckets, as the command does. */
    void moveBuckets(List<Integer> buckets, int partition) throws IOException, InterruptedException {
        StringBuilder operation = new StringBuilder("move");
        buckets.forEach(
                bucket -> operation.append(' ').append(bucket).append(':').append(partition));
        try (NodeClient client = new NodeClient(runFile("node-0").orElseThrow())) {
            HttpResponse<String> answer = client.post("/cluster", operation.toString());
            if (answer.statusCode() != HttpURLConnection.HTTP_OK) {
                throw new IllegalStateException("the buckets can't be moved: " + answer.body());
            }
        }
    }

    /** The number of buckets that have a goal. */
    int movingBuckets() throws InterruptedException {
        Matcher moving = MOVING_BUCKETS.matcher(statusOfFirst());
        if (!moving.find()) {
            throw new IllegalStateException("a node's status has no number of moving buckets");
        }
        return Integer.parseInt(moving.group(1));
    }

    /** Waits until no bucket has a goal. */
    void awaitMoves() throws IOException, InterruptedException {
        await("the end of all moves", nodes, () -> movingBuckets() == 0);
    }

    private String statusOfFirst() throws InterruptedException {
        for (int attempt = 0; attempt < MOST_LOOKS; attempt++) {
            Optional<RunFile> file = runFile("node-0");
            Optional<String> status = file.isEmpty() ? Optional.empty() : status(file.get());
            if (status.isPresent()) {
                return status.get();
            }
            Thread.sleep(LOOK_MS);
        }
        throw new IllegalStateException("the first node does not answer");
    }

    private Optional<RunFile> runFile(String name) {
        Path data = folder.resolve(name);
        return Files.isDirectory(data) ? RunFile.read(data) : Optional.empty();
    }

    private boolean isLed() throws InterruptedException {
        for (int node = 0; node < shape.nodes(); node++) {
            Optional<RunFile> file = runFile("node-" + node);
            if (file.isEmpty() || file.get().clients().isEmpty() || !seesAllLed(file.get())) {
                return false;
            }
        }
        return true;
    }

    private boolean seesAllLed(RunFile node) throws InterruptedException {
        return status(node).map(status -> status.contains("\"allLed\":true")).orElse(false);
    }

    /** A node's status as JSON without spaces; empty if it does not answer. */
    private Optional<String> status(RunFile node) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(node.http() + "/status"))
                .header("Accept", "application/json")
                .timeout(Duration.ofSeconds(10))
                .build();
        try {
            return Optional.of(http.send(request, HttpResponse.BodyHandlers.ofString())
                    .body()
                    .replaceAll("\\s", ""));
        } catch (IOException notYet) {
            return Optional.empty();
        }
    }

    /** The addresses for clients, by node. */
    InetSocketAddress[] addresses() {
        InetSocketAddress[] addresses = new InetSocketAddress[shape.nodes()];
        for (int node = 0; node < addresses.length; node++) {
            String[] address = runFile("node-" + node).orElseThrow().clients().split(":");
            addresses[node] = new InetSocketAddress(address[0], Integer.parseInt(address[1]));
        }
        return addresses;
    }

    /** The processor time that all processes have had. */
    double cpuSeconds() {
        double sum = seconds(zooKeeper);
        for (Process node : nodes) {
            sum += seconds(node);
        }
        return sum;
    }

    private static double seconds(Process process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }

    @Override
    public void close() {
        // Nothing has to survive, so nothing is handed over first.
        nodes.forEach(Process::destroyForcibly);
        nodes.forEach(ClusterProcesses::await);
        if (zooKeeper != null) {
            zooKeeper.destroyForcibly();
            await(zooKeeper);
        }
        // The guards end last, because they kill the nodes if this process ends first.
        guards.forEach(Process::destroyForcibly);
        http.close();
    }

    private static void await(Process process) {
        try {
            process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
