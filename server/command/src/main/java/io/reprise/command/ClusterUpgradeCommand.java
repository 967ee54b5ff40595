package io.reprise.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Ends a rolling upgrade: raises the level of the cluster. */
@Command(
        name = "upgrade",
        mixinStandardHelpOptions = true,
        description =
                "Ends a rolling upgrade: raises the cluster to the greatest level that its nodes speak. All nodes have to run the new"
                        + " version. Earlier versions that do not speak this level can't serve in the cluster from then on.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the cluster works at the greatest level of its nodes",
            "3:a node does not run, or runs an earlier version",
            "4:no node of the cluster answers on this machine"
        },
        footer = {"", "Example: reprise cluster upgrade"})
final class ClusterUpgradeCommand implements Callable<Integer> {
    @Mixin
    private ClusterChoice choice;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return new ClusterOperation(choice.directories(), spec).begin("upgrade");
    }
}
