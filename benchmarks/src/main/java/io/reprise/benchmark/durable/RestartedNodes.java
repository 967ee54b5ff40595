package io.reprise.benchmark.durable;

import io.reprise.benchmark.Samples;
import io.reprise.benchmark.fork.StartedNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Starts nodes on the data of a killed one. Each is killed as soon as it has answered, so that the next finds the same. If the
 * system lets it, the page cache is dropped before each start, as after a loss of power.
 *
 * <p>Owned by the thread of the benchmark.
 */
final class RestartedNodes {
    private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");
    private static final Pattern RECOVERED = Pattern.compile(
            "\"recovered\":\\{\"rows\":(\\d+),.*?\"transactions\":(\\d+),.*?\"logBytes\":(\\d+)", Pattern.DOTALL);

    private final HttpClient client;
    private final List<String> flags;
    private boolean coldDisk = true;

    RestartedNodes(HttpClient client, List<String> flags) {
        this.client = client;
        this.flags = flags;
    }

    /** Whether the page cache was dropped before each start. */
    boolean hadColdDisk() {
        return coldDisk;
    }

    /** Starts a node on these data as often as asked for. */
    Restart restart(String name, Path data, int partitions, int procedures, String sql, int rounds)
            throws IOException, InterruptedException {
        Path configuration = configuration(data, partitions, false);
        double[] ms = new double[rounds];
        String status = "";
        for (int i = 0; i < rounds; i++) {
            dropPageCache();
            try (StartedNode node = StartedNode.start(flags, configuration, data)) {
                node.awaitReady();
                ms[i] = node.answered(client, sql);
                status = node.status(client);
                node.kill();
            }
        }
        Matcher recovered = RECOVERED.matcher(status);
        if (!recovered.find()) {
            throw new IllegalStateException("the node says nothing of a recovery: " + status);
        }
        return new Restart(
                name,
                Double.parseDouble(recovered.group(1)),
                Double.parseDouble(recovered.group(2)),
                Double.parseDouble(recovered.group(3)),
                partitions,
                procedures,
                new Samples(ms));
    }

    private static Path configuration(Path data, int partitions, boolean onDemand) throws IOException {
        return Files.writeString(
                data.resolveSibling("node.yaml"), """
                data: {directory: %s}
                engine: {partitions: %d, memoryPerPartition: 6GiB}
                snapshot: {every: 0s, afterLog: 0B, onStop: false}
                recovery: {onDemand: %s}
                http: {port: 0}
                clients: {port: 0}
                """.formatted(data.getFileName(), partitions, onDemand));
    }

    /**
     * The times of the answers to two questions, one after the other.
     *
     * @param one from the start of the process, in milliseconds
     * @param all the same for the second one
     */
    record Answers(Samples one, Samples all) {}

    /** Starts a node of one partition on these data as often as asked for, and asks it two questions. */
    Answers answers(Path data, boolean onDemand, String one, String all, int rounds)
            throws IOException, InterruptedException {
        Path configuration = configuration(data, 1, onDemand);
        double[] oneMs = new double[rounds];
        double[] allMs = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            dropPageCache();
            try (StartedNode node = StartedNode.start(flags, configuration, data)) {
                node.awaitReady();
                oneMs[i] = node.answered(client, one);
                allMs[i] = node.answered(client, all);
                if (node.status(client).contains("\"onDemand\":") != onDemand) {
                    throw new IllegalStateException("the node has not recovered as it was told to");
                }
                node.kill();
            }
        }
        return new Answers(new Samples(oneMs), new Samples(allMs));
    }

    private void dropPageCache() {
        try {
            Files.writeString(DROP_CACHES, "1");
        } catch (IOException e) {
            coldDisk = false;
        }
    }
}
