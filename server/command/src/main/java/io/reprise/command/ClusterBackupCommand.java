package io.reprise.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.reprise.engine.ClusterBackup;
import io.reprise.runtime.time.SystemClock;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies one moment of all partitions of a cluster while it serves. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = {
            "Copies the data of a cluster into a folder while the cluster serves: one moment of all partitions, with all that was"
                    + " acknowledged before the command began.",
            "A transaction over all partitions makes the cut. Each node's share is a snapshot and the log behind it up to the cut. On"
                    + " several machines run the command on each of them, with --config and the cut that the first one prints,"
                    + " and bring the shares together in one folder."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the shares of this machine are in the folder",
            "3:a share could not be copied; the message says why",
            "4:no node of the cluster answers on this machine"
        },
        footer = {
            "",
            "Examples:",
            "  reprise cluster backup /backups/monday",
            "  reprise cluster backup /backups/monday --config node-1.yaml --cut 19ac3f0e7a40000"
        })
final class ClusterBackupCommand implements Callable<Integer> {
    private static final long DURABLE_NS = 60_000_000_000L;

    @Mixin
    private ClusterChoice choice;

    @Parameters(paramLabel = "FOLDER", description = "The folder of the backup. It is made if it is not there.")
    private Path folder;

    @Option(
            names = "--cut",
            paramLabel = "CUT",
            description = "The cut that the command on another machine has printed. Default: a new one.")
    private String given;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        List<Path> directories = new ArrayList<>();
        for (Path directory : choice.directories()) {
            if (ClusterFolder.running(directory).isPresent()) {
                directories.add(directory);
            }
        }
        Optional<String> cut = given == null ? new ClusterOperation(directories, spec).ask("cut") : Optional.of(given);
        Optional<JsonNode> view = ClusterStatusCommand.view(directories);
        if (cut.isEmpty() || view.isEmpty()) {
            return RepriseCommand.NOT_RUNNING;
        }
        long id = Long.parseUnsignedLong(cut.get(), 16);
        Set<Integer> left = new TreeSet<>();
        view.get()
                .path("partitions")
                .forEach(each -> left.add(each.path("partition").asInt()));
        for (Path directory : directories) {
            copy(directory, view.get(), id, left, out);
        }
        out.println("The cut is " + cut.get() + ".");
        if (!left.isEmpty()) {
            out.println("Partitions " + left
                    + " are on other machines: run \"reprise cluster backup FOLDER --config FILE --cut " + cut.get()
                    + "\" there, and bring the folders together.");
        }
        return 0;
    }

    /** Copies the share of a node, unless others have all of it. */
    private void copy(Path directory, JsonNode view, long cut, Set<Integer> left, PrintWriter out) {
        Optional<JsonNode> own = ClusterStatusCommand.view(List.of(directory));
        if (own.isEmpty()) {
            return;
        }
        int node = own.get().path("node").asInt();
        List<Integer> held = new ArrayList<>();
        for (JsonNode partition : view.path("partitions")) {
            partition.path("inSync").forEach(each -> {
                if (each.asInt() == node) {
                    held.add(partition.path("partition").asInt());
                }
            });
        }
        if (held.stream().noneMatch(left::contains)) {
            return;
        }
        long endNs = SystemClock.INSTANCE.nanoTime() + DURABLE_NS;
        while (!ClusterBackup.isDurable(directory, cut, held)) {
            if (SystemClock.INSTANCE.nanoTime() > endNs) {
                throw new IllegalStateException(
                        "node " + node + " does not make its log durable; look at its log and at its disk");
            }
            ClusterStatusCommand.pause();
        }
        Path share = folder.resolve("node-" + node);
        ClusterBackup.copy(
                directory,
                ClusterBackup.base(directory, cut),
                new ClusterBackup.Note(
                        view.path("name").asText(), cut, view.path("partitions").size(), held),
                share);
        held.forEach(left::remove);
        out.println("Node " + node + " is copied to " + share + ": partitions " + held + ".");
        out.flush();
    }
}
