package io.reprise.command;

import io.reprise.configuration.ConfigurationException;
import io.reprise.engine.Backup;
import io.reprise.engine.DataDirectory;
import io.reprise.engine.FileFailure;
import io.reprise.engine.NewFile;
import io.reprise.engine.Verification;
import io.reprise.log.DamagedLogException;
import io.reprise.log.UnknownLogFormatException;
import io.reprise.node.process.NodeProcess;
import io.reprise.procedure.ProcedureException;
import io.reprise.redo.DivergedReplayException;
import io.reprise.runtime.file.StorageException;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.TableCsv;
import io.reprise.snapshot.file.UnknownSnapshotFormatException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line for data directories: looks into them, while an engine is at work or not, and never writes into one
 * that exists. Exit codes: 0 all is good, 1 something is damaged, 2 the command is wrong, 3 it could not be done.
 */
@Command(
        name = "reprise",
        mixinStandardHelpOptions = true,
        version = "Reprise " + NodeProcess.VERSION,
        addMethodSubcommands = false,
        synopsisSubcommandLabel = "COMMAND",
        description = "Starts and stops nodes of Reprise, looks into their data directories, backs up and restores.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all is good",
            "1:something is damaged",
            "2:the command is wrong",
            "3:it could not be done, and the message says why",
            "4:there is no node at work in the data directory",
            "5:the node is not ready"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  reprise start --config node.yaml",
            "  reprise status data",
            "  reprise stop data",
            "  reprise verify data",
            "  reprise snapshots data",
            "  reprise export data --table ACCOUNT --out account.csv",
            "  reprise log print data --from 0x4000 --limit 20",
            "  reprise backup data /backups/monday",
            "  reprise restore /backups/monday newdata"
        })
public final class RepriseTool {
    static final int DAMAGED = 1;
    static final int FAILED = 3;

    private final OutputStream standardOut;

    @Spec
    private CommandSpec spec;

    RepriseTool(OutputStream standardOut) {
        this.standardOut = standardOut;
    }

    /** Runs one of these commands; returns its exit code. */
    static int run(OutputStream standardOut, OutputStream standardErr, String... arguments) {
        return run(standardOut, standardErr, Map.of(), line -> {}, arguments);
    }

    /**
     * Runs a command; returns its exit code.
     *
     * @param others other commands than these, by their names. If the first argument is one of these names, no command but
     *     this one is made: making them all takes longer than many a command does, and most of a node's start
     * @param unnamed adds commands whose names only they know
     */
    public static int run(
            OutputStream standardOut,
            OutputStream standardErr,
            Map<String, Supplier<?>> others,
            Consumer<CommandLine> unnamed,
            String... arguments) {
        PrintWriter out = new PrintWriter(standardOut, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(standardErr, true, StandardCharsets.UTF_8);
        CommandLine line = new CommandLine(new RepriseTool(standardOut));
        Supplier<?> named = arguments.length == 0 ? null : others.get(arguments[0]);
        if (named == null) {
            addAll(line, others, unnamed);
        } else {
            line.addSubcommand(named.get());
        }
        // An argument that begins with @ is one like any other: a name of an account, a string to be stored.
        line.setExpandAtFiles(false);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setOut(out).setErr(err);
        line.setParameterExceptionHandler((wrong, given) -> mistyped(wrong));
        line.setExecutionExceptionHandler((failure, at, parsed) -> failed(failure, at));
        int code = line.execute(arguments);
        out.flush();
        if (isLost(standardOut)) {
            err.println("reprise: standard output could not be written to the end: what came out is not all of it");
            return code == 0 ? FAILED : code;
        }
        return code;
    }

    /** Adds all commands. */
    static void addAll(CommandLine line, Map<String, Supplier<?>> others, Consumer<CommandLine> unnamed) {
        line.getCommandSpec().addMethodSubcommands();
        line.addSubcommand("restore", new RestoreCommand());
        line.addSubcommand("archive", new CommandLine(new ArchiveCommands()));
        line.addSubcommand("log", new CommandLine(new LogCommands()));
        line.addSubcommand("help", new CommandLine.HelpCommand());
        others.values().forEach(each -> line.addSubcommand(each.get()));
        unnamed.accept(line);
    }

    /** Whether what is written there goes nowhere, as when who has read it is gone. */
    private static boolean isLost(OutputStream standardOut) {
        return standardOut instanceof PrintStream stream && stream.checkError();
    }

    /** A failure that a person can mend is told in a sentence; only bugs have a stack trace. */
    private static int failed(Exception failure, CommandLine at) {
        at.getOut().flush();
        switch (failure) {
            case DamagedLogException e -> {
                say(e.getMessage(), at);
                return DAMAGED;
            }
            case DamagedSnapshotException e -> {
                say(e.getMessage(), at);
                return DAMAGED;
            }
            case NotRunningException e -> {
                say(e.getMessage(), at);
                return RepriseCommand.NOT_RUNNING;
            }
            case StorageException e -> say(e.getMessage(), at);
            case UnknownSnapshotFormatException e -> say(e.getMessage(), at);
            case UnknownLogFormatException e -> say(e.getMessage(), at);
            case IllegalArgumentException e -> say(e.getMessage(), at);
            case IllegalStateException e -> say(e.getMessage(), at);
            case ConfigurationException e -> say(e.getMessage(), at);
            case DivergedReplayException e -> say(e.getMessage(), at);
            case ProcedureException e -> say(e.getMessage(), at);
            case UncheckedIOException e -> say(FileFailure.text(e), at);
            case IOException e -> say(FileFailure.text(e), at);
            default -> {
                say("this is a bug; please report it with what follows", at);
                failure.printStackTrace(at.getErr());
            }
        }
        return FAILED;
    }

    /** Each complaint names the program, because a script shows the output of several. */
    private static void say(String what, CommandLine at) {
        at.getErr().println("reprise: " + what);
    }

    /** A line with the mistake and one with a hint; all commands only if none is named. */
    private static int mistyped(ParameterException wrong) {
        CommandLine at = wrong.getCommandLine();
        if (at.getParent() == null && at.getParseResult().originalArgs().isEmpty()) {
            at.usage(at.getErr());
            return at.getCommandSpec().exitCodeOnInvalidInput();
        }
        say(wrong.getMessage(), at);
        if (!UnmatchedArgumentException.printSuggestions(wrong, at.getErr())) {
            at.getErr()
                    .println("\"" + at.getCommandSpec().qualifiedName() + " --help\" has "
                            + (at.getSubcommands().isEmpty() ? "the options and examples." : "the commands."));
        }
        return at.getCommandSpec().exitCodeOnInvalidInput();
    }

    @Command(
            name = "verify",
            mixinStandardHelpOptions = true,
            description =
                    "Reads all snapshots and the log, checks everything that can be checked, and says what is good"
                            + " and what is damaged. Also while an engine runs.",
            footer = {"", "Example: reprise verify data"})
    int verify(@Mixin DirectoryChoice choice) {
        PrintWriter out = out();
        boolean good = new Verification(choice.directory(), out::println).run();
        out.println(good ? "All is good." : "Something is wrong: see above.");
        return good ? 0 : DAMAGED;
    }

    @Command(
            name = "snapshots",
            mixinStandardHelpOptions = true,
            description = "Lists the snapshots, newest first: name, time, rows, bytes, and where the log goes on.",
            footer = {"", "Example: reprise snapshots data"})
    int snapshots(@Mixin DirectoryChoice choice) {
        DataDirectory directory = choice.directory();
        PrintWriter out = out();
        int code = 0;
        out.println(String.format(
                Locale.ROOT, "%-16s  %-27s  %12s  %14s  %s", "SNAPSHOT", "TIME", "ROWS", "BYTES", "LOG FROM"));
        for (long id : directory.snapshots()) {
            try {
                Manifest manifest = directory.manifest(id);
                Instant time = Instant.EPOCH.plus(manifest.origin().epochMicros(), ChronoUnit.MICROS);
                out.println(String.format(
                        Locale.ROOT,
                        "%s  %-27s  %12d  %14d  0x%x",
                        SnapshotDirectory.name(id),
                        time,
                        manifest.rows(),
                        manifest.bytes(),
                        manifest.origin().logPosition()));
            } catch (DamagedSnapshotException e) {
                if (directory.hasSnapshot(id)) {
                    out.println(SnapshotDirectory.name(id) + "  " + e.getMessage());
                    code = DAMAGED;
                }
            } catch (UnknownSnapshotFormatException e) {
                out.println(SnapshotDirectory.name(id) + "  " + e.getMessage());
                code = code == 0 ? FAILED : code;
            }
        }
        return code;
    }

    @Command(
            name = "export",
            mixinStandardHelpOptions = true,
            description = "Writes a table of a snapshot as CSV.",
            footer = {"", "Example: reprise export data --table ACCOUNT --out account.csv"})
    int export(
            @Mixin DirectoryChoice choice,
            @Option(names = "--table", required = true, paramLabel = "TABLE", description = "The table's name.")
                    String table,
            @Option(
                            names = "--snapshot",
                            paramLabel = "NAME",
                            description = "The snapshot; without this the newest undamaged one.")
                    String snapshot,
            @Option(names = "--out", paramLabel = "FILE", description = "A new file; without this standard output.")
                    Path file)
            throws IOException {
        DataDirectory directory = choice.directory();
        Manifest manifest = directory.choose(Optional.ofNullable(snapshot));
        try {
            return export(directory, manifest, table, file);
        } catch (DamagedSnapshotException e) {
            throw Backup.removedOr(e, directory.files(), manifest);
        }
    }

    private int export(DataDirectory directory, Manifest manifest, String table, Path file) throws IOException {
        TableCsv csv = new TableCsv(directory.files(), manifest);
        // A name without quotation marks is in capitals in the catalog.
        String name = manifest.table(table).isPresent() ? table : table.toUpperCase(Locale.ROOT);
        if (file == null) {
            csv.write(name, standardOut, () -> isLost(standardOut));
            spec.commandLine().getErr().println("These are the rows of " + made(manifest) + ".");
            return 0;
        }
        if (manifest.table(name).isEmpty()) {
            csv.write(name, OutputStream.nullOutputStream());
        }
        long rows = NewFile.make(file, to -> csv.write(name, to));
        spec.commandLine()
                .getErr()
                .println(rows + " rows written to " + file + ", as they were in " + made(manifest) + ".");
        return 0;
    }

    @Command(
            name = "backup",
            mixinStandardHelpOptions = true,
            description = "Copies a snapshot into a new folder and checks the copy. Also while an engine runs.",
            footer = {"", "Example: reprise backup data /backups/monday"})
    int backup(
            @Parameters(paramLabel = "DIR", description = "The data directory.") Path path,
            @Parameters(paramLabel = "FOLDER", description = "The new folder.") Path folder,
            @Option(
                            names = "--snapshot",
                            paramLabel = "NAME",
                            description = "The snapshot; without this the newest undamaged one.")
                    String snapshot) {
        DataDirectory directory = DataDirectory.at(path);
        Manifest manifest = directory.choose(Optional.ofNullable(snapshot));
        Backup.copy(directory.files(), manifest, folder);
        String made = made(manifest);
        out().println("S" + made.substring(1) + ", " + manifest.rows() + " rows, is in " + folder
                + ". The copy has nothing that was committed later.");
        return 0;
    }

    private static String made(Manifest manifest) {
        return "snapshot " + SnapshotDirectory.name(manifest.identity().transactionId()) + " of "
                + Instant.EPOCH
                        .plus(manifest.origin().epochMicros(), ChronoUnit.MICROS)
                        .truncatedTo(ChronoUnit.SECONDS);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
