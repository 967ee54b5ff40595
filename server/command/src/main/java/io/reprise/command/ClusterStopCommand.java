package io.reprise.command;

import io.reprise.node.process.RunFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Stops all nodes of a cluster on this machine, and its ZooKeeper last. */
@Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        description =
                "Stops the cluster on this machine: all nodes, then ZooKeeper. Nothing that was answered is lost.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all processes have ended",
            "3:a process has not ended in time",
            "4:no process of the cluster is at work"
        },
        footer = {"", "Example: reprise cluster stop"})
final class ClusterStopCommand implements Callable<Integer> {
    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "cluster",
            description = "The cluster's folder. Default: ${DEFAULT-VALUE}.")
    private Path folder;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description = "Longest wait for each process. Default: ${DEFAULT-VALUE}.")
    private long timeoutSeconds;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        ClusterFolder cluster = new ClusterFolder(folder);
        List<RunFile> nodes = new ArrayList<>();
        cluster.directories().forEach(each -> ClusterFolder.running(each).ifPresent(nodes::add));
        List<RunFile> zooKeeper = cluster.zooKeeper().stream().toList();
        if (nodes.isEmpty() && zooKeeper.isEmpty()) {
            spec.commandLine().getErr().println("reprise: no process of the cluster is at work in " + cluster.path());
            return RepriseCommand.NOT_RUNNING;
        }
        if (!end(nodes) || !end(zooKeeper)) {
            return StartCommand.FAILED;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("The cluster in " + cluster.path() + " has stopped: " + nodes.size() + " nodes"
                + (zooKeeper.isEmpty() ? "." : " and ZooKeeper."));
        return 0;
    }

    private boolean end(List<RunFile> all) throws InterruptedException {
        all.forEach(each -> each.process().ifPresent(ProcessHandle::destroy));
        boolean ended = true;
        for (RunFile each : all) {
            if (!each.awaitEnd(timeoutSeconds, TimeUnit.SECONDS)) {
                ended = false;
                spec.commandLine()
                        .getErr()
                        .println("reprise: process " + each.pid() + " was told to stop, and has not ended after "
                                + timeoutSeconds + " s; killing it loses nothing that was answered");
            }
        }
        return ended;
    }
}
