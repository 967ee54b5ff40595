package io.reprise.command;

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
        description = "Spreads replicas and leads evenly over the nodes while the cluster serves.",
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
        ClusterOperation operation = new ClusterOperation(
                choice.directories(),
                spec.commandLine().getOut(),
                spec.commandLine().getErr());
        int code = operation.begin("balance");
        return code == 0 && timeoutSeconds > 0 ? operation.await(timeoutSeconds) : code;
    }
}
