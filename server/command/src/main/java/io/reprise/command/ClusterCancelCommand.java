package io.reprise.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Gives up the moves of a cluster that are not over. */
@Command(
        name = "cancel",
        mixinStandardHelpOptions = true,
        description =
                "Ends an addition, removal, balancing or move that is not over. Partitions and buckets that have moved stay where they are, all others"
                        + " stay where they were.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing moves any more, or will not for long",
            "4:no node of the cluster answers on this machine"
        },
        footer = {"", "Example: reprise cluster cancel"})
final class ClusterCancelCommand implements Callable<Integer> {
    @Mixin
    private ClusterChoice choice;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return new ClusterOperation(choice.directories(), spec).begin("cancel");
    }
}
