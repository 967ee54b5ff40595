package io.reprise.command;

import picocli.CommandLine.Command;

/** The commands for all nodes of a cluster. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Starts a cluster on this machine, tells how a cluster stands, and stops the one on this machine.",
        subcommands = {ClusterStartCommand.class, ClusterStatusCommand.class, ClusterStopCommand.class},
        footer = {
            "",
            "Examples:",
            "  reprise cluster start",
            "  reprise cluster start --nodes 3 --k 1 --ddl shop.sql",
            "  reprise cluster status",
            "  reprise cluster stop"
        })
final class ClusterCommands {}
