package io.reprise.command;

import io.reprise.node.process.RunFile;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Asks a node to stop, and waits until it has. */
@Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        description = "Stops the node that is at work in a data directory, in order, and waits until it has ended.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it has ended",
            "3:it has not ended in time, or not in order",
            "4:there is no node at work there"
        },
        footer = {"", "Examples:", "  reprise stop", "  reprise stop /var/lib/reprise --timeout 30"})
final class StopCommand implements Callable<Integer> {
    private static final int FAILED = 3;

    @Mixin
    private NodeChoice choice;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description = "Longest wait; a last snapshot takes its time. Default: ${DEFAULT-VALUE}.")
    private long timeoutSeconds;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (timeoutSeconds < 0) {
            throw new ParameterException(spec.commandLine(), "--timeout takes seconds, not " + timeoutSeconds);
        }
        RunFile node = choice.node();
        ProcessHandle process = node.process().orElseThrow(choice::notRunning);
        if (!process.destroy()) {
            err.println("reprise: process " + process.pid()
                    + " can't be told to stop; it may belong to another user: try as that one");
            return FAILED;
        }
        if (!node.awaitEnd(timeoutSeconds, TimeUnit.SECONDS)) {
            err.println("reprise: process " + process.pid() + " was told to stop, and has not ended after "
                    + timeoutSeconds + " s; \"reprise status\" says what it is doing. Killing it loses nothing that was"
                    + " answered; the next start runs the log");
            return FAILED;
        }
        if (node.isLeftIn(choice.configuration().data().directory())) {
            err.println("reprise: the node, process " + process.pid() + ", has ended, but not in order: its log says"
                    + " why. The last answers may be lost if its own log is asynchronous, and is not if that"
                    + " is synchronous; the next start runs the log");
            return FAILED;
        }
        out.println("The node, process " + process.pid() + ", has ended.");
        return 0;
    }
}
