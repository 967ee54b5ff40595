package io.reprise.command;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Spreads the replicas and leads of a cluster evenly over its nodes. */
@Command(
        name = "balance",
        mixinStandardHelpOptions = true,
        description = {
            "Spreads replicas and leads evenly over the nodes while the cluster serves.",
            "A failure leaves leads at the nodes that took them over. The nodes on this machine hand such leads back; run the command on each"
                    + " machine."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all nodes have their share",
            "3:the cluster can't be balanced; the message says why",
            "4:no node of the cluster answers on this machine",
            "5:the operation goes on, but was not over in time"
        },
        footer = {"", "Example: reprise cluster balance"})
final class ClusterBalanceCommand implements Callable<Integer> {
    @Mixin
    private ClusterChoice choice;

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
        int code = new ClusterOperation(choice.directories(), spec).run("balance", timeoutSeconds);
        // Each node hands over leads that failures have brought to it.
        for (Path directory : choice.directories()) {
            if (code == 0 && ClusterFolder.running(directory).isPresent()) {
                new ClusterOperation(List.of(directory), spec).ask("hand-over");
            }
        }
        return code;
    }
}
