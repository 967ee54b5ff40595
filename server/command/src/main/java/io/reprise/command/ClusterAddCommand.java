package io.reprise.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.reprise.runtime.time.SystemClock;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Adds a node to a cluster that serves. */
@Command(
        name = "add",
        mixinStandardHelpOptions = true,
        description = {
            "Adds a node to a cluster while it serves. The node gets its share of replicas and leads from the others; each partition"
                    + " has all of its replicas meanwhile.",
            "In a cluster's folder the command writes a configuration for the new node and starts it. Elsewhere start the node first, by"
                    + " a configuration with a number of its own, and name that by --config."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the node has its share",
            "3:the node could not be started or added; the message says why",
            "4:no node of the cluster answers on this machine",
            "5:the operation goes on, but was not over in time"
        },
        footer = {"", "Examples:", "  reprise cluster add", "  reprise cluster add --config node-3.yaml"})
final class ClusterAddCommand implements Callable<Integer> {
    private static final long SEEN_NS = 120_000_000_000L;

    @Mixin
    private ClusterChoice choice;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "3600",
            description = "Longest wait until the node has its share; 0: no wait. Default: ${DEFAULT-VALUE}.")
    private long timeoutSeconds;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        List<Path> asked = choice.directories();
        Optional<JsonNode> seen = ClusterStatusCommand.view(asked);
        if (seen.isEmpty()) {
            err.println("reprise: no node of the cluster answers in " + asked.getFirst());
            return RepriseCommand.NOT_RUNNING;
        }
        int node = choice.isFolder() ? choice.folder().extend(members(seen.get())) : choice.node();
        NodeStart start = null;
        if (choice.isFolder()
                && ClusterFolder.running(choice.folder().directory(node)).isEmpty()) {
            start = new NodeStart(choice.folder(), node, choice.folder().directory(node));
            start.begin();
        }
        if (!awaitSeen(asked, node, start, err)) {
            return StartCommand.FAILED;
        }
        out.println("Node " + node + " runs.");
        int code = new ClusterOperation(asked, spec).run("add " + node, timeoutSeconds);
        if (code == 0 && start != null) {
            code = start.await(err);
        }
        if (code == 0 && timeoutSeconds > 0) {
            out.println("Node " + node + " has its share of replicas and leads.");
        }
        return code;
    }

    private static Set<Integer> members(JsonNode view) {
        Set<Integer> members = new TreeSet<>();
        view.path("members").forEach(each -> members.add(each.asInt()));
        return members;
    }

    /** Waits until the others see the node run. */
    private static boolean awaitSeen(List<Path> asked, int node, NodeStart start, PrintWriter err)
            throws InterruptedException {
        long endNs = SystemClock.INSTANCE.nanoTime() + SEEN_NS;
        while (true) {
            Optional<JsonNode> view = ClusterStatusCommand.view(asked);
            if (view.map(seen -> runs(seen, node)).orElse(false)) {
                return true;
            }
            if (start != null && start.hasFailed()) {
                start.await(err);
                return false;
            }
            if (SystemClock.INSTANCE.nanoTime() > endNs) {
                err.println("reprise: the cluster has not seen node " + node + " run for " + SEEN_NS / 1_000_000_000
                        + " s; it was not added");
                return false;
            }
            ClusterStatusCommand.pause();
        }
    }

    private static boolean runs(JsonNode view, int node) {
        for (JsonNode each : view.path("nodes")) {
            if (each.path("node").asInt() == node && each.path("running").asBoolean()) {
                return true;
            }
        }
        return false;
    }
}
