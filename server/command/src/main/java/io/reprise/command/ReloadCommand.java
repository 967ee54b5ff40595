package io.reprise.command;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Has a node read its configuration again. */
@Command(
        name = "reload",
        mixinStandardHelpOptions = true,
        description =
                "Has the node that is at work in a data directory read its configuration file again. It takes over the"
                        + " keys that can change while it runs, and names those that take a restart.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the file was read; a line for each changed key says what has become of it",
            "3:nothing has changed, and the message says why",
            "4:there is no node at work there"
        },
        footer = {"", "Example: reprise reload /var/lib/reprise"})
final class ReloadCommand implements Callable<Integer> {
    @Mixin
    private NodeChoice choice;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (NodeClient node = new NodeClient(choice.node())) {
            return NodeClient.print(node.post("/reload"), spec.commandLine());
        }
    }
}
