package io.reprise.command;

import io.reprise.node.process.RunFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Has each node of a cluster on this machine make a snapshot. */
@Command(
        name = "snapshot",
        mixinStandardHelpOptions = true,
        description =
                "Has each node of a cluster on this machine make a snapshot of its partitions, one node after the other, while calls"
                        + " run. A node recovers from its newest snapshot and the log behind it, so restarts are shorter.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the snapshots of all running nodes are on disk",
            "3:a node has made none; the message says why",
            "4:no node of the cluster answers on this machine"
        },
        footer = {"", "Example: reprise cluster snapshot"})
final class ClusterSnapshotCommand implements Callable<Integer> {
    private static final int OK = 200;

    @Mixin
    private ClusterChoice choice;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        int asked = 0;
        int code = 0;
        for (Path directory : choice.directories()) {
            Optional<RunFile> node = ClusterFolder.running(directory);
            if (node.isEmpty()) {
                continue;
            }
            asked++;
            try (NodeClient client = new NodeClient(node.get())) {
                HttpResponse<String> answer = client.post("/snapshot");
                if (answer.statusCode() == OK) {
                    out.print(directory.getFileName() + ": " + answer.body());
                } else {
                    err.println("reprise: " + directory.getFileName() + ": " + NodeClient.refusal(answer));
                    code = StartCommand.FAILED;
                }
            } catch (IOException | IllegalStateException e) {
                err.println("reprise: " + directory.getFileName() + ": " + e.getMessage());
                code = StartCommand.FAILED;
            }
        }
        out.flush();
        if (asked == 0) {
            err.println("reprise: no node of the cluster answers on this machine");
            return RepriseCommand.NOT_RUNNING;
        }
        return code;
    }
}
