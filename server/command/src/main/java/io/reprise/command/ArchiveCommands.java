package io.reprise.command;

import io.reprise.archive.ArchiveReport;
import io.reprise.archive.FolderObjects;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands that look into an archive. */
@Command(
        name = "archive",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Looks into an archive of log and snapshots. Nothing is changed, so nodes may be at work.",
        footer = {"", "Examples:", "  reprise archive status /archive", "  reprise archive verify /archive"})
final class ArchiveCommands {
    @Spec
    private CommandSpec spec;

    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = "Lists snapshots and log of each database, and from where to where it can be restored.")
    int status(@Parameters(paramLabel = "ARCHIVE", description = "The archive's directory.") Path archive) {
        return report(archive, false);
    }

    @Command(name = "verify", mixinStandardHelpOptions = true, description = "Does the same, and reads every byte.")
    int verify(@Parameters(paramLabel = "ARCHIVE", description = "The archive's directory.") Path archive) {
        return report(archive, true);
    }

    private int report(Path archive, boolean bytes) {
        PrintWriter out = spec.commandLine().getOut();
        boolean good = new ArchiveReport(FolderObjects.at(archive), bytes, out::println).run();
        return good ? 0 : RepriseTool.DAMAGED;
    }
}
