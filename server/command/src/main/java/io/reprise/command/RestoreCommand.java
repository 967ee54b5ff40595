package io.reprise.command;

import io.reprise.engine.Backup;
import io.reprise.engine.PastRestore;
import io.reprise.snapshot.file.Manifest;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a new data directory of a snapshot, and of the log behind it if that is named. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description = {
            "Makes a new data directory of a snapshot, to be opened with any number of partitions. The directory is"
                    + " durable when this ends; one in which it was interrupted is refused by engines, and can be restored into"
                    + " again.",
            "With --log the transactions behind the snapshot are replayed too: up to --to or --before, or to the end of the log."
        },
        footer = {
            "",
            "Examples:",
            "  reprise restore /backups/monday newdata",
            "  reprise restore /backups/monday newdata --log data --to 2026-11-27T09:59:00Z",
            "  reprise restore /backups/monday newdata --log data --before 0x30303d1d80f40000"
        })
final class RestoreCommand implements Callable<Integer> {
    @Parameters(paramLabel = "SNAPSHOT", description = "The folder of a backup, or of a snapshot.")
    private Path snapshot;

    @Parameters(paramLabel = "DIR", description = "The new data directory.")
    private Path directory;

    @Option(
            names = "--log",
            paramLabel = "DATA",
            description =
                    "The data directory of the same database, whose log goes on from the snapshot. A node may be at"
                            + " work there.")
    private Path log;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            description =
                    "Leave out what was committed later, as in 2026-11-27T09:59:00Z; the end of the durable log without"
                            + " this.")
    private String to;

    @Option(
            names = "--before",
            paramLabel = "ID",
            description =
                    "Leave out this transaction and what was committed behind it; \"reprise log print\" shows ids.")
    private String before;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (log == null && (to != null || before != null)) {
            throw wrong("--to and --before need the log behind the snapshot: add --log DATA", null);
        }
        Manifest manifest = log == null
                ? Backup.restoreTo(snapshot, directory)
                : PastRestore.run(snapshot, log, new PastRestore.Moment(time(), transaction()), directory, line -> {});
        out.println(manifest.rows() + " rows are in " + directory + ", as database "
                + manifest.identity().database() + ".");
        return 0;
    }

    private Optional<Instant> time() {
        try {
            return Optional.ofNullable(to).map(Instant::parse);
        } catch (DateTimeException e) {
            throw wrong("--to takes a time in UTC such as 2026-11-27T09:59:00Z, not " + to, e);
        }
    }

    private OptionalLong transaction() {
        try {
            return before == null ? OptionalLong.empty() : OptionalLong.of(Long.decode(before));
        } catch (NumberFormatException e) {
            throw wrong("--before takes a transaction's id such as 0x30303d1d80f40000, not " + before, e);
        }
    }

    private ParameterException wrong(String message, Exception cause) {
        return new ParameterException(spec.commandLine(), message, cause);
    }
}
