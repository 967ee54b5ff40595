package io.reprise.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.reprise.node.process.RunFile;
import io.reprise.runtime.time.SystemClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tells how a cluster stands, as one of its nodes on this machine sees it. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description =
                "Tells how a cluster stands, as a node of it on this machine sees it: its nodes, and the leader and in-sync"
                        + " replicas of each partition.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:each partition has a leader",
            "3:a node could not be asked",
            "4:no node of the cluster is at work on this machine",
            "5:some partition has no leader, or with --wait a replica is not in sync"
        },
        footer = {"", "Examples:", "  reprise cluster status", "  reprise cluster status --config node.yaml --json"})
final class ClusterStatusCommand implements Callable<Integer> {
    private static final long PAUSE_NS = 100_000_000;

    @Mixin
    private ClusterChoice choice;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "Wait so long at most until all replicas are in sync. Default: ${DEFAULT-VALUE}.")
    private long waitSeconds;

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<Path> directories = choice.directories();
        Optional<JsonNode> found = awaitInSync(directories);
        if (found.isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .println("reprise: no node of the cluster answers in " + directories.getFirst()
                            + (directories.size() > 1 ? " and " + (directories.size() - 1) + " others" : ""));
            return RepriseCommand.NOT_RUNNING;
        }
        PrintWriter out = spec.commandLine().getOut();
        JsonNode view = found.get();
        if (json) {
            out.println(view);
        } else {
            table(view, out);
        }
        boolean good = waitSeconds > 0
                ? ClusterRestartCommand.isInSync(view)
                : view.path("allLed").asBoolean();
        return good ? 0 : RepriseCommand.NOT_READY;
    }

    private Optional<JsonNode> awaitInSync(List<Path> directories) {
        long endNs = SystemClock.INSTANCE.nanoTime() + TimeUnit.SECONDS.toNanos(waitSeconds);
        Optional<JsonNode> found = view(directories);
        while (SystemClock.INSTANCE.nanoTime() < endNs
                && !found.map(ClusterRestartCommand::isInSync).orElse(false)) {
            pause();
            found = view(directories);
        }
        return found;
    }

    /** Waits a moment before the next look at a cluster. */
    static void pause() {
        LockSupport.parkNanos(PAUSE_NS);
    }

    /** The view of the first node that answers. */
    static Optional<JsonNode> view(List<Path> directories) {
        for (Path directory : directories) {
            Optional<RunFile> node = ClusterFolder.running(directory);
            if (node.isEmpty()) {
                continue;
            }
            try (NodeClient client = new NodeClient(node.get())) {
                JsonNode view = new ObjectMapper()
                        .readTree(client.get("/status", "application/json").body())
                        .path("cluster");
                if (view.isObject()) {
                    return Optional.of(view);
                }
            } catch (IOException | IllegalStateException unanswered) {
                continue;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static void table(JsonNode view, PrintWriter out) {
        out.println("Cluster " + view.path("name").asText() + ": "
                + view.path("nodeCount").asInt() + " nodes, k="
                + view.path("kSafety").asInt() + ", acknowledge "
                + view.path("acknowledge").asText() + ", level "
                + view.path("level").asInt() + ", map version "
                + view.path("mapVersion").asInt());
        out.println("ZooKeeper " + view.path("zooKeeper").asText() + ": "
                + view.path("session").asText() + " (seen by node "
                + view.path("node").asInt() + ")");
        out.println();
        out.printf(
                "%-5s %-9s %-22s %-22s %-6s %-10s %-7s %s%n",
                "NODE", "STATE", "CLIENTS", "PEER", "LEADS", "VERSION", "LEVELS", "NAME");
        for (JsonNode node : view.path("nodes")) {
            int number = node.path("node").asInt();
            out.printf(
                    "%-5d %-9s %-22s %-22s %-6d %-10s %-7s %s%n",
                    number,
                    state(view, node),
                    node.path("clients").asText(),
                    node.path("peer").asText(),
                    led(view, number),
                    node.path("version").asText(),
                    node.path("levels").asText(),
                    node.path("name").asText());
        }
        out.println();
        out.printf("%-10s %-8s %-14s %-8s %s%n", "PARTITION", "LEADER", "IN SYNC", "EPOCH", "LAG");
        for (JsonNode partition : view.path("partitions")) {
            List<String> inSync = new ArrayList<>();
            partition.path("inSync").forEach(each -> inSync.add(each.asText()));
            List<String> goal = new ArrayList<>();
            partition.path("goal").forEach(each -> goal.add(each.asText()));
            String moves = partition.path("goal").equals(partition.path("holders"))
                    ? ""
                    : ", moves to " + String.join(",", goal);
            out.printf(
                    "%-10d %-8s %-14s %-8d %s%n",
                    partition.path("partition").asInt(),
                    partition.path("led").asBoolean() ? partition.path("leader").asText() : "none",
                    String.join(",", inSync),
                    partition.path("epoch").asLong(),
                    lag(view, partition.path("partition").asInt()) + moves);
        }
        if (!ClusterOperation.isSettled(view)) {
            out.println(ClusterOperation.describe(view) + ".");
        }
        view.path("unreachable")
                .properties()
                .forEach(each -> out.println(
                        "Peer " + each.getKey() + ": " + each.getValue().asText()));
    }

    private static String state(JsonNode view, JsonNode node) {
        if (!node.path("running").asBoolean()) {
            return "down";
        }
        int number = node.path("node").asInt();
        if (has(view.path("removing"), number)) {
            return "removing";
        }
        return has(view.path("members"), number) ? "running" : "not added";
    }

    private static boolean has(JsonNode list, int node) {
        for (JsonNode each : list) {
            if (each.asInt() == node) {
                return true;
            }
        }
        return false;
    }

    /** The lags of a partition's followers, if the asked node leads it. */
    private static String lag(JsonNode view, int partition) {
        List<String> lags = new ArrayList<>();
        for (JsonNode replica : view.path("replicas")) {
            if (replica.path("partition").asInt() != partition) {
                continue;
            }
            for (JsonNode follower : replica.path("followers")) {
                lags.add("node " + follower.path("node").asInt() + ": "
                        + follower.path("lagBytes").asLong() + " bytes, "
                        + Math.round(follower.path("lagMs").asDouble()) + " ms");
            }
        }
        return lags.isEmpty() ? "-" : String.join("; ", lags);
    }

    private static int led(JsonNode view, int node) {
        int led = 0;
        for (JsonNode partition : view.path("partitions")) {
            led += partition.path("led").asBoolean() && partition.path("leader").asInt() == node ? 1 : 0;
        }
        return led;
    }
}
