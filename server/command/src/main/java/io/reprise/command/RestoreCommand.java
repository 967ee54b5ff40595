package io.reprise.command;

import io.reprise.archive.FolderObjects;
import io.reprise.engine.Backup;
import io.reprise.engine.PastRestore;
import io.reprise.snapshot.file.Manifest;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a new data directory of a snapshot and the log behind it, or of an archive. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description = {
            "Makes a new data directory of a snapshot, to be opened with any number of partitions. The directory is"
                    + " durable when this ends; one in which it was interrupted is refused by engines, and can be restored into"
                    + " again.",
            "With --log the transactions behind the snapshot are replayed too: up to --to or --before, or to the end of the log.",
            "With --archive snapshot and log come from an archive, and only DIR is named."
        },
        footer = {
            "",
            "Examples:",
            "  reprise restore /backups/monday newdata",
            "  reprise restore /backups/monday newdata --log data --to 2026-11-27T09:59:00Z",
            "  reprise restore /backups/monday newdata --log data --before 0x30303d1d80f40000",
            "  reprise restore newdata --archive /archive --to 2026-11-27T09:59:00Z"
        })
final class RestoreCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..2",
            paramLabel = "[SNAPSHOT] DIR",
            hideParamSyntax = true,
            description = {
                "SNAPSHOT: the folder of a backup, or of a snapshot; not with --archive.",
                "DIR: the new data directory."
            })
    private List<Path> paths;

    @Option(
            names = "--archive",
            paramLabel = "ARCHIVE",
            description = "The directory of an archive. \"reprise archive status\" tells what can be restored.")
    private Path archive;

    @Option(
            names = "--database",
            paramLabel = "ID",
            description = "The id of a database, or its beginning, if the archive has several.")
    private String database;

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
        Manifest manifest = archive == null ? fromSnapshot() : fromArchive(out);
        Path directory = paths.getLast();
        out.println(manifest.rows() + " rows are in " + directory + ", as database "
                + manifest.identity().database() + ".");
        return 0;
    }

    private Manifest fromSnapshot() {
        if (paths.size() < 2) {
            throw wrong("name a snapshot and the new data directory, or an archive by --archive", null);
        }
        if (database != null) {
            throw wrong("--database names a database of an archive: add --archive ARCHIVE", null);
        }
        if (log == null && (to != null || before != null)) {
            throw wrong("--to and --before need the log behind the snapshot: add --log DATA", null);
        }
        return log == null
                ? Backup.restoreTo(paths.getFirst(), paths.getLast())
                : PastRestore.run(paths.getFirst(), log, moment(), paths.getLast(), line -> {});
    }

    private Manifest fromArchive(PrintWriter out) {
        if (paths.size() > 1 || log != null) {
            throw wrong(
                    "with --archive name the new data directory only; snapshot and log come from the archive", null);
        }
        return PastRestore.fromArchive(
                FolderObjects.at(archive), Optional.ofNullable(database), moment(), paths.getFirst(), out::println);
    }

    private PastRestore.Moment moment() {
        return new PastRestore.Moment(time(), transaction());
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
