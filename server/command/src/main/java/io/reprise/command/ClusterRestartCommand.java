package io.reprise.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.reprise.node.process.RunFile;
import io.reprise.runtime.time.SystemClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Restarts the nodes of a cluster on this machine, one after the other, while the others serve. */
@Command(
        name = "restart",
        mixinStandardHelpOptions = true,
        description = {
            "Restarts the nodes of the cluster on this machine, one after the other, while the others serve. Each node hands its"
                    + " partitions over before it stops. The next one follows when all replicas are in sync again.",
            "At the end the leads go back to the nodes that led before."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all nodes were restarted",
            "3:a node could not be stopped or started, or was not in sync in time; later nodes still run as before",
            "4:no node of the cluster is at work"
        },
        footer = {"", "Example: reprise cluster restart --rolling"})
final class ClusterRestartCommand implements Callable<Integer> {
    private static final long PAUSE_NS = 50_000_000;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "cluster",
            description = "The cluster's folder. Default: ${DEFAULT-VALUE}.")
    private Path folder;

    @SuppressWarnings("UnusedVariable") // picocli demands the option, so that no one stops all nodes by mistake
    @Option(names = "--rolling", required = true, description = "One node after the other.")
    private boolean rolling;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description = "Longest wait for each stop, and for each catch-up. Default: ${DEFAULT-VALUE}.")
    private long timeoutSeconds;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (timeoutSeconds < 1) {
            throw new ParameterException(spec.commandLine(), "--timeout takes seconds, not " + timeoutSeconds);
        }
        ClusterFolder cluster = new ClusterFolder(folder);
        List<Path> nodes = cluster.directories();
        if (ClusterStatusCommand.view(nodes).isEmpty()) {
            spec.commandLine().getErr().println("reprise: no node of the cluster is at work in " + cluster.path());
            return RepriseCommand.NOT_RUNNING;
        }
        PrintWriter out = spec.commandLine().getOut();
        for (int node : cluster.nodes().keySet()) {
            if (!awaitInSync(nodes) || !restart(cluster, node, cluster.directory(node))) {
                return StartCommand.FAILED;
            }
            out.println("Node " + node + " was restarted.");
            out.flush();
        }
        if (!awaitInSync(nodes)) {
            return StartCommand.FAILED;
        }
        balance(nodes);
        out.println("All " + nodes.size() + " nodes were restarted, and all replicas are in sync.");
        return 0;
    }

    private boolean restart(ClusterFolder cluster, int node, Path data) throws InterruptedException {
        Optional<RunFile> running = ClusterFolder.running(data);
        if (running.isPresent()) {
            running.get().process().ifPresent(ProcessHandle::destroy);
            if (!running.get().awaitEnd(timeoutSeconds, TimeUnit.SECONDS)) {
                err("node " + node + ", process " + running.get().pid() + ", was told to stop, and has not ended after "
                        + timeoutSeconds + " s");
                return false;
            }
        }
        NodeStart start = new NodeStart(cluster, node, data);
        start.begin();
        return start.await(spec.commandLine().getErr()) == 0;
    }

    private boolean awaitInSync(List<Path> nodes) throws InterruptedException {
        long endNs = SystemClock.INSTANCE.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
        while (!isInSync(nodes)) {
            if (SystemClock.INSTANCE.nanoTime() > endNs) {
                err("some replica is not in sync after " + timeoutSeconds
                        + " s; no further node is restarted. \"reprise cluster status --dir " + folder
                        + "\" shows which, \"reprise cluster start\" starts nodes that are down");
                return false;
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        return true;
    }

    /** All running nodes must say so: one that has just started may not have the newest map. */
    private static boolean isInSync(List<Path> nodes) {
        for (Path data : nodes) {
            if (!ClusterStatusCommand.view(List.of(data))
                    .map(ClusterRestartCommand::isInSync)
                    .orElse(false)) {
                return false;
            }
        }
        return true;
    }

    /** Whether each partition is led, and has all of its replicas in sync. */
    static boolean isInSync(JsonNode view) {
        if (!view.path("allLed").asBoolean()) {
            return false;
        }
        for (JsonNode partition : view.path("partitions")) {
            if (partition.path("inSync").size() <= view.path("kSafety").asInt()) {
                return false;
            }
        }
        return true;
    }

    private void balance(List<Path> nodes) throws InterruptedException {
        for (Path data : nodes) {
            Optional<RunFile> running = ClusterFolder.running(data);
            if (running.isPresent()) {
                try (NodeClient client = new NodeClient(running.get())) {
                    client.post("/cluster", "hand-over");
                } catch (IOException | IllegalStateException e) {
                    err("leaders of a node were not handed back: " + e.getMessage());
                }
            }
        }
    }

    private void err(String problem) {
        spec.commandLine().getErr().println("reprise: " + problem);
    }
}
