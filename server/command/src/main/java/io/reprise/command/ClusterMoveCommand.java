package io.reprise.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.reprise.cluster.BucketSpread;
import io.reprise.node.process.RunFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Moves buckets between the partitions of a cluster that serves. */
@Command(
        name = "move",
        mixinStandardHelpOptions = true,
        description = {
            "Moves buckets between partitions while the cluster serves, the most loaded ones first.",
            "Without --buckets the load of the last seconds is spread over the partitions."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the buckets are where they are to be",
            "3:the buckets can't be moved; the message says why",
            "4:no node of the cluster answers on this machine",
            "5:the operation goes on, but was not over in time"
        },
        footer = {"", "Examples:", "  reprise cluster move", "  reprise cluster move --buckets 17,40-47 --to 3"})
final class ClusterMoveCommand implements Callable<Integer> {
    @Mixin
    private ClusterChoice choice;

    @Option(names = "--buckets", paramLabel = "LIST", description = "The numbers of the buckets, and ranges of them.")
    private String list;

    @Option(names = "--to", paramLabel = "PARTITION", description = "The partition that gets them.")
    private Integer to;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "3600",
            description = "Longest wait; 0: no wait. Default: ${DEFAULT-VALUE}.")
    private long timeoutSeconds;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (list == null != (to == null)) {
            throw new ParameterException(spec.commandLine(), "--buckets and --to belong together");
        }
        SortedMap<Integer, Integer> goals = list == null ? spread(err) : named();
        if (goals == null) {
            return StartCommand.FAILED;
        }
        if (goals.isEmpty()) {
            out.println("The load of the last seconds is spread evenly; no bucket has to move.");
            return 0;
        }
        StringBuilder operation = new StringBuilder("move");
        goals.forEach((bucket, partition) ->
                operation.append(' ').append(bucket).append(':').append(partition));
        return new ClusterOperation(choice.directories(), spec).run(operation.toString(), timeoutSeconds);
    }

    private SortedMap<Integer, Integer> named() {
        SortedMap<Integer, Integer> goals = new TreeMap<>();
        for (String part : list.split(",", -1)) {
            String[] ends = part.strip().split("-", 2);
            try {
                int first = Integer.parseInt(ends[0].strip());
                int last = ends.length == 1 ? first : Integer.parseInt(ends[1].strip());
                if (last < first || last - first > 1 << 20) {
                    throw new NumberFormatException(part);
                }
                for (int bucket = first; bucket <= last; bucket++) {
                    goals.put(bucket, to);
                }
            } catch (NumberFormatException e) {
                throw new ParameterException(
                        spec.commandLine(), "'" + part + "' is neither a bucket nor a range of buckets as 40-47", e);
            }
        }
        return goals;
    }

    /** The goals that spread the load; null after a failure, which is explained. */
    private SortedMap<Integer, Integer> spread(PrintWriter err) throws InterruptedException {
        String problem = "no node of the cluster answers on this machine";
        for (Path directory : choice.directories()) {
            Optional<JsonNode> status = status(directory);
            if (status.isPresent()) {
                SortedSet<Integer> unknown = unknown(status.get());
                if (unknown.isEmpty()) {
                    return plan(status.get());
                }
                problem = "the load of nodes " + unknown
                        + " is not known yet; try again in some seconds, or name buckets by --buckets and --to";
            }
        }
        err.println("reprise: " + problem);
        return null;
    }

    /** The nodes that run and whose load the asked one does not know. */
    static SortedSet<Integer> unknown(JsonNode status) {
        SortedSet<Integer> unknown = new TreeSet<>();
        for (JsonNode node : status.path("cluster").path("nodes")) {
            if (node.path("running").asBoolean()) {
                unknown.add(node.path("node").asInt());
            }
        }
        status.path("clusterLoad").path("nodes").forEach(known -> unknown.remove(known.asInt()));
        return unknown;
    }

    /** The goals that spread the load as a node knows it. */
    static SortedMap<Integer, Integer> plan(JsonNode status) {
        JsonNode loads = status.path("clusterLoad").path("bucketLoad");
        long[] load = new long[loads.size()];
        int[] partitionOf = new int[loads.size()];
        for (int bucket = 0; bucket < load.length; bucket++) {
            load[bucket] = loads.path(bucket).asLong();
            partitionOf[bucket] = status.path("bucketPartition").path(bucket).asInt();
        }
        return BucketSpread.plan(
                partitionOf, load, status.path("cluster").path("partitions").size());
    }

    private static Optional<JsonNode> status(Path directory) throws InterruptedException {
        Optional<RunFile> node = ClusterFolder.running(directory);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        try (NodeClient client = new NodeClient(node.get())) {
            return Optional.of(new ObjectMapper()
                    .readTree(client.get("/status", "application/json").body()));
        } catch (IOException | IllegalStateException unanswered) {
            return Optional.empty();
        }
    }
}
