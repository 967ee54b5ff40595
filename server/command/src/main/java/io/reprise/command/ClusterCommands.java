package io.reprise.command;

import picocli.CommandLine.Command;

/** The commands for all nodes of a cluster. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Starts, restarts and stops a cluster on this machine, tells how a cluster stands, adds and removes nodes, moves"
                        + " buckets.",
        subcommands = {
            ClusterStartCommand.class,
            ClusterStatusCommand.class,
            ClusterAddCommand.class,
            ClusterRemoveCommand.class,
            ClusterBalanceCommand.class,
            ClusterMoveCommand.class,
            ClusterCancelCommand.class,
            ClusterSnapshotCommand.class,
            ClusterBackupCommand.class,
            ClusterRestoreCommand.class,
            ClusterRestartCommand.class,
            ClusterUpgradeCommand.class,
            ClusterRecoverCommand.class,
            ClusterStopCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  reprise cluster start",
            "  reprise cluster start --nodes 3 --k 1 --ddl shop.sql",
            "  reprise cluster status",
            "  reprise cluster add",
            "  reprise cluster remove 1",
            "  reprise cluster move",
            "  reprise cluster restart --rolling",
            "  reprise cluster stop"
        })
final class ClusterCommands {}
