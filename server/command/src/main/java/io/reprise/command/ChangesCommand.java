package io.reprise.command;

import io.reprise.catalog.Table;
import io.reprise.engine.ChangeFeed;
import io.reprise.engine.DataDirectory;
import io.reprise.engine.LogPlace;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints the changes of a database as lines of JSON: change data capture for other systems. */
@Command(
        name = "changes",
        mixinStandardHelpOptions = true,
        description = {
            "Prints committed changes as lines of JSON, in the order of the log, also while a node is at work there. Without --from"
                    + " all rows of the newest snapshot come first. A change is printed once it is durable; that takes up to a second.",
            "The command keeps a copy of the rows in its own memory, so that it knows the values before and after each change. It"
                    + " reads the directory and changes nothing there."
        },
        footer = {
            "",
            "Examples:",
            "  reprise changes data --follow",
            "  reprise changes data --from 0x4000#3 --follow --table ACCOUNT",
            "  reprise changes data --from end --follow --format debezium"
        })
final class ChangesCommand implements Callable<Integer> {
    private static final long LOOK_NS = 100_000_000;

    @Mixin
    private DirectoryChoice choice;

    @Option(
            names = "--from",
            paramLabel = "PLACE",
            description =
                    "Only what is behind this place, as an earlier line names it; or \"end\": only what is to come.")
    private String from;

    @Option(
            names = "--follow",
            description = "Go on with new changes until the reader ends or the command is interrupted.")
    private boolean follow;

    @Option(
            names = "--table",
            paramLabel = "TABLE",
            split = ",",
            description = "Only this table; may be given several times.")
    private List<String> tables = new ArrayList<>();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "plain",
            description = "plain, or debezium for its envelope. plain is the default.")
    private ChangeLines.Format format;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        DataDirectory directory = choice.directory();
        ChangeLines lines = new ChangeLines(format, this::wants, out::println);
        try (ChangeFeed feed = new ChangeFeed(directory, begin(directory), lines)) {
            do {
                if (feed.poll() == 0 && follow) {
                    LockSupport.parkNanos(LOOK_NS);
                }
                out.flush();
            } while (follow && !out.checkError() && !Thread.currentThread().isInterrupted());
        }
        return 0;
    }

    private Optional<LogPlace> begin(DataDirectory directory) {
        if (from == null) {
            return Optional.empty();
        }
        if (from.equalsIgnoreCase("end")) {
            return Optional.of(ChangeFeed.end(directory));
        }
        try {
            return Optional.of(LogPlace.parse(from));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--from takes \"end\" or a place: " + e.getMessage(), e);
        }
    }

    private boolean wants(Table table) {
        return tables.isEmpty()
                || tables.stream()
                        .anyMatch(each -> each.equals(table.name())
                                || each.toUpperCase(Locale.ROOT).equals(table.name()));
    }
}
