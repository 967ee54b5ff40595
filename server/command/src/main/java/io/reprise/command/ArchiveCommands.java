package io.reprise.command;

import io.reprise.archive.ArchiveReport;
import io.reprise.archive.FolderObjects;
import io.reprise.engine.ArchiveRepair;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands about an archive. */
@Command(
        name = "archive",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Looks into an archive of log and snapshots, and repairs a data directory from it.",
        footer = {
            "",
            "Examples:",
            "  reprise archive status /archive",
            "  reprise archive verify /archive",
            "  reprise archive repair /archive data"
        })
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

    @Command(
            name = "repair",
            mixinStandardHelpOptions = true,
            description =
                    "Puts archived log and snapshots in the place of damaged or missing ones in a data directory. No node may be"
                            + " at work there. Undamaged files, and log that is not archived, stay.",
            footer = {"", "Example: reprise archive repair /archive data"})
    int repair(
            @Parameters(paramLabel = "ARCHIVE", description = "The archive's directory.") Path archive,
            @Parameters(paramLabel = "DIR", description = "The data directory.") Path directory) {
        PrintWriter out = spec.commandLine().getOut();
        int repaired = ArchiveRepair.run(directory, FolderObjects.at(archive), out::println);
        out.println(repaired + " segments and snapshots were replaced. Check the rest by \"reprise verify " + directory
                + "\".");
        return 0;
    }

    private int report(Path archive, boolean bytes) {
        PrintWriter out = spec.commandLine().getOut();
        boolean good = new ArchiveReport(FolderObjects.at(archive), bytes, out::println).run();
        return good ? 0 : RepriseTool.DAMAGED;
    }
}
