package io.reprise.command;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Has a node rebuild a partition. */
@Command(
        name = "rebuild",
        mixinStandardHelpOptions = true,
        description =
                "Has the node that is at work in a data directory rebuild a partition whose rows are in doubt, from the newest"
                        + " snapshot and the log, while the other partitions serve. Calls of the partition wait. It returns when all of them run"
                        + " again.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the partition is rebuilt",
            "3:it could not be rebuilt, and the message says why",
            "4:there is no node at work there"
        },
        footer = {"", "Example: reprise rebuild /var/lib/reprise --partition 3"})
final class RebuildCommand implements Callable<Integer> {
    @Mixin
    private NodeChoice choice;

    @Option(names = "--partition", paramLabel = "P", required = true, description = "The number of the partition.")
    private int partition;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (NodeClient node = new NodeClient(choice.node())) {
            return NodeClient.print(node.post("/rebuild", Integer.toString(partition)), spec.commandLine());
        }
    }
}
