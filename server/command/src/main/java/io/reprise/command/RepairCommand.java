package io.reprise.command;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Has a node rebuild one bucket. */
@Command(
        name = "repair",
        mixinStandardHelpOptions = true,
        description =
                "Has the node that is at work in a data directory rebuild the rows of one bucket from a snapshot and the log behind"
                        + " it, and put them in the place of those in memory. The other buckets serve meanwhile; calls of this one"
                        + " wait, and calls that are confined to no buckets.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the bucket has its rebuilt rows",
            "3:it could not be repaired, and the message says why",
            "4:there is no node at work there"
        },
        footer = {"", "Example: reprise repair --bucket 17 /var/lib/reprise"})
final class RepairCommand implements Callable<Integer> {
    @Mixin
    private NodeChoice choice;

    @Option(
            names = "--bucket",
            required = true,
            paramLabel = "NUMBER",
            description = "The bucket, as the message of a refused call names it.")
    private int bucket;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (NodeClient node = new NodeClient(choice.node())) {
            return NodeClient.print(node.post("/repair?bucket=" + bucket), spec.commandLine());
        }
    }
}
