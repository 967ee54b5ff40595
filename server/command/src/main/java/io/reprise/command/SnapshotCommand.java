package io.reprise.command;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Has a node make a snapshot. */
@Command(
        name = "snapshot",
        mixinStandardHelpOptions = true,
        description =
                "Has the node that is at work in a data directory make a snapshot of this moment, while transactions"
                        + " go on, and waits until it is on disk.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is on disk",
            "3:there is none, and the message says why",
            "4:there is no node at work there"
        },
        footer = {"", "Example: reprise snapshot /var/lib/reprise"})
final class SnapshotCommand implements Callable<Integer> {
    @Mixin
    private NodeChoice choice;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (NodeClient node = new NodeClient(choice.node())) {
            return NodeClient.print(node.post("/snapshot"), spec.commandLine());
        }
    }
}
