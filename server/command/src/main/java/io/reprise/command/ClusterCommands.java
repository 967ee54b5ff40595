package io.reprise.command;

import picocli.CommandLine.Command;

/** The commands for all nodes of a cluster. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Starts, restarts and stops a cluster on this machine, and tells how a cluster stands.",
        subcommands = {
            ClusterStartCommand.class,
            ClusterStatusCommand.class,
            ClusterRestartCommand.class,
            ClusterStopCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  reprise cluster start",
            "  reprise cluster start --nodes 3 --k 1 --ddl shop.sql",
            "  reprise cluster status",
            "  reprise cluster restart --rolling",
            "  reprise cluster stop"
        })
final class ClusterCommands {}
