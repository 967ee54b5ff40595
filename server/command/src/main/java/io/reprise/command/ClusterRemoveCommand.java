package io.reprise.command;

import io.reprise.node.process.RunFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes a node from a cluster that serves. */
@Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        description = {
            "Removes a node from a cluster while it serves. Other nodes get its replicas and leads first, so each partition has all of its"
                    + " replicas meanwhile. The node may be dead.",
            "In a cluster's folder the command stops the node then. Elsewhere stop it by \"reprise stop\"."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the node belongs to the cluster no more",
            "3:the node can't be removed, or has not ended; the message says why",
            "4:no node of the cluster answers on this machine",
            "5:the operation goes on, but was not over in time"
        },
        footer = {"", "Examples:", "  reprise cluster remove 1", "  reprise cluster remove 1 --config node-0.yaml"})
final class ClusterRemoveCommand implements Callable<Integer> {
    private static final long STOP_SECONDS = 60;

    @Mixin
    private ClusterChoice choice;

    @Parameters(paramLabel = "NODE", description = "The number of the node.")
    private int node;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "3600",
            description = "Longest wait until the node is removed; 0: no wait. Default: ${DEFAULT-VALUE}.")
    private long timeoutSeconds;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        int code = new ClusterOperation(others(), spec).run("remove " + node, timeoutSeconds);
        if (code == 0 && timeoutSeconds > 0) {
            out.println("Node " + node + " is removed from the cluster.");
            code = choice.isFolder() ? stop(out, err) : 0;
        }
        return code;
    }

    /** The node itself is asked last. */
    private List<Path> others() {
        List<Path> directories = new ArrayList<>(choice.directories());
        if (choice.isFolder() && choice.folder().has(node)) {
            Path own = choice.folder().directory(node);
            directories.remove(own);
            directories.add(own);
        }
        return directories;
    }

    private int stop(PrintWriter out, PrintWriter err) throws InterruptedException {
        ClusterFolder folder = choice.folder();
        if (!folder.has(node)) {
            return 0;
        }
        Optional<RunFile> running = ClusterFolder.running(folder.directory(node));
        if (running.isPresent()) {
            running.get().process().ifPresent(ProcessHandle::destroy);
            if (!running.get().awaitEnd(STOP_SECONDS, TimeUnit.SECONDS)) {
                err.println(
                        "reprise: node " + node + ", process " + running.get().pid() + ", has not ended after "
                                + STOP_SECONDS + " s; it holds nothing any more");
                return StartCommand.FAILED;
            }
        }
        out.println("It has stopped. " + folder.giveUp(node) + " and its data directory can be deleted.");
        return 0;
    }
}
