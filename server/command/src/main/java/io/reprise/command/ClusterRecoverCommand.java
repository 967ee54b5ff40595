package io.reprise.command;

import io.reprise.cluster.replica.MapRecovery;
import io.reprise.cluster.replica.NodeEntry;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.node.process.ClusterIdentity;
import io.reprise.node.process.ClusterRecovery;
import io.reprise.runtime.time.SystemClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes a cluster's map anew from the logs of its nodes, when ZooKeeper has lost its data. */
@Command(
        name = "recover",
        mixinStandardHelpOptions = true,
        description =
                "Makes the map of a cluster anew when ZooKeeper has lost its data on all servers. The logs of the nodes tell which replica"
                        + " of each partition has all acknowledged transactions. Starts the nodes of a folder; nodes of --config have to"
                        + " be started, and wait for this command.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the map was made, and the nodes go on with it",
            "3:ZooKeeper holds the cluster, or another one of its name, or a node could not be started",
            "5:some partition has no safe replica among the nodes that run; nothing was changed"
        },
        footer = {
            "",
            "Examples:",
            "  reprise cluster recover",
            "  reprise cluster recover --config node-0.yaml",
            "  reprise cluster recover --accept-loss 3 --accept-loss 5:1"
        })
final class ClusterRecoverCommand implements Callable<Integer> {
    private static final String LOSS = "[0-9]{1,4}(:[0-9]{1,4})?";

    @Mixin
    private ClusterChoice choice;

    @Option(
            names = "--accept-loss",
            paramLabel = "PARTITION[:NODE]",
            description =
                    "Let the longest log that is there, or that of a node, be a partition's, even if acknowledged transactions are lost."
                            + " May be repeated.")
    private List<String> losses = new ArrayList<>();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description = "Longest wait for nodes, also before a loss is accepted. Default: ${DEFAULT-VALUE}.")
    private long timeoutSeconds;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        SortedMap<Integer, Integer> accepted = accepted();
        if (choice.isFolder()) {
            ClusterStartCommand.startZooKeeper(choice.folder());
        }
        try (ClusterRecovery recovery = ClusterRecovery.begin(known(), () -> false)) {
            List<NodeStart> starts = choice.isFolder() ? ClusterStartCommand.beginNodes(choice.folder()) : List.of();
            MapRecovery.Result result = await(recovery, accepted);
            result.findings().forEach(each -> out().println(each.describe()));
            result.problems().forEach(each -> err().println("reprise: " + each));
            if (result.map().isEmpty()) {
                err().println(
                                "reprise: nothing was changed. Start the nodes that are missing, and run the command again;"
                                        + " --accept-loss names a partition whose missing transactions are given up");
                return RepriseCommand.NOT_READY;
            }
            recovery.end(result.map().get(), record(result));
            out().println(
                            "The map is made. Operations that were under way are given up; \"reprise cluster status\" shows the"
                                    + " partitions.");
            out().flush();
            int code = ClusterStartCommand.awaitNodes(starts, err());
            if (code == 0 && choice.isFolder()) {
                ClusterStartCommand.awaitLeaders(choice.folder());
            }
            return code;
        }
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }

    private SortedMap<Integer, Integer> accepted() {
        SortedMap<Integer, Integer> accepted = new TreeMap<>();
        for (String loss : losses) {
            if (!loss.matches(LOSS)) {
                throw new ParameterException(
                        spec.commandLine(), "--accept-loss takes PARTITION or PARTITION:NODE, not " + loss);
            }
            int colon = loss.indexOf(':');
            accepted.put(
                    Integer.valueOf(colon < 0 ? loss : loss.substring(0, colon)),
                    colon < 0 ? MapRecovery.LONGEST : Integer.parseInt(loss.substring(colon + 1)));
        }
        return accepted;
    }

    /** The first node on this machine whose data name the cluster. */
    private NodeConfiguration known() {
        List<NodeConfiguration> all = choice.configurations();
        return all.stream()
                .filter(each -> ClusterIdentity.read(each.data().directory()).isPresent())
                .findFirst()
                .orElse(all.getFirst());
    }

    /** Waits for a safe map. A loss is accepted when the time is over, or all nodes of the folder run. */
    private MapRecovery.Result await(ClusterRecovery recovery, SortedMap<Integer, Integer> accepted) {
        Set<Integer> folder = choice.isFolder() ? choice.folder().nodes().keySet() : Set.of();
        long endNs = SystemClock.INSTANCE.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
        Set<Integer> seen = Set.of();
        while (true) {
            SortedMap<Integer, NodeEntry> waiting = recovery.waiting();
            MapRecovery.Result safe = recovery.plan(waiting, new TreeMap<>());
            if (safe.map().isPresent()) {
                return safe;
            }
            if (!seen.equals(waiting.keySet())) {
                seen = new TreeSet<>(waiting.keySet());
                out().println("Nodes that run: " + (seen.isEmpty() ? "none" : join(seen)));
                out().flush();
            }
            boolean isAll = !folder.isEmpty() && seen.containsAll(folder);
            if (isAll || SystemClock.INSTANCE.nanoTime() > endNs) {
                return recovery.plan(waiting, accepted);
            }
            ClusterStatusCommand.pause();
        }
    }

    private static String join(Set<Integer> nodes) {
        return String.join(", ", nodes.stream().map(String::valueOf).toList());
    }

    private static String record(MapRecovery.Result result) {
        StringBuilder text = new StringBuilder("map made anew from the logs of the nodes\n");
        result.findings().forEach(each -> text.append(each.describe()).append('\n'));
        return text.toString();
    }
}
