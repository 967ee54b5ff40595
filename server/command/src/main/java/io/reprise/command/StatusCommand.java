package io.reprise.command;

import io.reprise.node.process.RunFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says how a node stands. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description =
                "Says how the node stands that is at work in a data directory: whether it is ready, its procedures,"
                        + " partitions, tables, log and snapshots.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is ready",
            "3:it could not be asked",
            "4:there is no node at work there",
            "5:it is not ready: it recovers, stops, or can't write its log"
        },
        footer = {"", "Examples:", "  reprise status", "  reprise status /var/lib/reprise --json"})
final class StatusCommand implements Callable<Integer> {
    private static final int OK = 200;

    @Mixin
    private NodeChoice choice;

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        RunFile running = choice.node();
        try (NodeClient node = new NodeClient(running)) {
            out.print(node.get("/status", json ? "application/json" : "text/plain")
                    .body());
            out.println(json ? "" : running.http());
            return node.get("/ready", "text/plain").statusCode() == OK ? 0 : RepriseCommand.NOT_READY;
        }
    }
}
