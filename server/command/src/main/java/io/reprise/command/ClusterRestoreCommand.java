package io.reprise.command;

import io.reprise.engine.ClusterBackup;
import io.reprise.engine.ClusterRestore;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a new cluster, or a node that serves alone, of a cluster's backup. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description = {
            "Makes a new cluster on this machine of a backup that \"cluster backup\" made, with any number of nodes. The old cluster is"
                    + " left alone.",
            "With --data it makes one data directory: of a node that serves alone, or with --seed of a node of a new cluster. All nodes"
                    + " of a new cluster need one of the same backup."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the directories are ready to be started",
            "3:the backup can't be restored; the message says why"
        },
        footer = {
            "",
            "Examples:",
            "  reprise cluster restore /backups/monday --dir restored --nodes 2",
            "  reprise cluster restore /backups/monday --data alone"
        })
final class ClusterRestoreCommand implements Callable<Integer> {
    private static final int USUAL_NODES = 3;
    private static final int MOST_NODES = 16;

    @Parameters(paramLabel = "FOLDER", description = "The folder of the backup.")
    private Path backup;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "cluster",
            description = "The folder of the new cluster. Default: ${DEFAULT-VALUE}.")
    private Path folder;

    @Option(names = "--nodes", paramLabel = "N", description = "The number of nodes. Default: 3.")
    private Integer nodes;

    @Option(
            names = "--k",
            paramLabel = "K",
            description = "The copies of each partition beyond the first. Default: 1, or 0 with one node.")
    private Integer kSafety;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "The number of partitions. Default: as many as in the backup.")
    private Integer partitions;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            defaultValue = "1GiB",
            description = "The memory of each partition on each node. Default: ${DEFAULT-VALUE}.")
    private String memory;

    @Option(
            names = {"-d", "--data"},
            paramLabel = "DIR",
            description = "Instead of --dir: one new data directory.")
    private Path data;

    @Option(names = "--seed", description = "With --data: for a node of a new cluster.")
    private boolean seed;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (data != null) {
            ClusterRestore.run(backup, List.of(data), seed, out::println);
            out.println("Start it: reprise start --data " + data);
            return 0;
        }
        ClusterFolder cluster = new ClusterFolder(folder);
        if (cluster.exists()) {
            throw new ParameterException(
                    spec.commandLine(), "there is a cluster in " + cluster.path() + "; name another folder by --dir");
        }
        int count = number("--nodes", nodes == null ? USUAL_NODES : nodes, 1, MOST_NODES);
        int known = ClusterBackup.shares(backup).firstEntry().getValue().partitions();
        cluster.create(new ClusterFolder.Shape(
                count,
                number("--k", kSafety == null ? Math.min(1, count - 1) : kSafety, 0, count - 1),
                number("--partitions", partitions == null ? known : partitions, 1, 4096),
                memory,
                List.of(),
                List.of()));
        ClusterRestore.run(backup, new ArrayList<>(cluster.directories()), true, out::println);
        out.println("Start it: reprise cluster start --dir " + folder);
        return 0;
    }

    private int number(String option, int given, int least, int most) {
        if (given < least || given > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " takes a number from " + least + " to " + most + ", not " + given);
        }
        return given;
    }
}
