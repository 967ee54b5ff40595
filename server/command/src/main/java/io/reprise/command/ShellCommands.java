package io.reprise.command;

import io.reprise.catalog.Suggestions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands of the shell that begin with a backslash. */
final class ShellCommands {
    static final List<String> NAMES =
            List.of("\\help", "\\quit", "\\tables", "\\describe", "\\procedures", "\\call", "\\run", "\\format");

    private static final String HELP = """
            A statement ends with a semicolon and may have several lines. EXPLAIN before it shows its plan.
            Tab completes words, tables, columns and procedures; the arrow keys bring earlier statements back.
            Ctrl-C drops what was typed, or stops waiting for a statement; Ctrl-D on an empty line ends.
              \\tables                    the tables and their columns
              \\describe TABLE            a table's columns and indexes
              \\procedures                the procedures and their parameters
              \\call PROCEDURE ARGUMENT   calls a procedure: \\call Deposit 17 2.50
              \\run FILE                  runs the statements of a file: \\run 'my script.sql'
              \\format table|csv|json     how rows are printed
              \\help, \\quit
            """;
    private static final Pattern ARGUMENT =
            Pattern.compile("\\[(?:[^]']|'(?:[^']|'')*+')*+]|[xX]?'(?:[^']|'')*+'|[^\\s;]+");

    private final SqlSession session;
    private final SchemaWords schema;
    private final PrintWriter out;

    ShellCommands(SqlSession session, SchemaWords schema, PrintWriter out) {
        this.session = session;
        this.schema = schema;
        this.out = out;
    }

    /** Does what a line asks for; whether the shell goes on. */
    boolean run(String line) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        Matcher matcher = ARGUMENT.matcher(line);
        while (matcher.find()) {
            words.add(matcher.group());
        }
        List<String> arguments = words.subList(1, words.size());
        switch (words.getFirst().toLowerCase(Locale.ROOT)) {
            case "\\quit", "\\q", "quit", "exit" -> {
                return false;
            }
            case "\\help", "\\h", "\\?", "help" -> out.print(HELP);
            case "\\tables" -> tell(schema.tableList());
            case "\\procedures" -> tell(schema.procedureList());
            case "\\describe", "\\d" -> describe(arguments);
            case "\\call" -> call(arguments);
            case "\\run" -> runFile(arguments);
            case "\\format" -> format(arguments);
            default -> out.println("there is no command " + words.getFirst() + "; \\help lists them");
        }
        return true;
    }

    private void tell(String known) {
        out.print(schema.untold().map(why -> why + "\n").orElse(known));
    }

    private void describe(List<String> arguments) {
        if (arguments.size() != 1) {
            out.println("\\describe takes the name of a table");
        } else {
            tell(schema.describe(arguments.getFirst())
                    .orElseGet(() -> "there is no table " + arguments.getFirst()
                            + otherwise(arguments.getFirst(), schema.tables(), "\\tables") + "\n"));
        }
    }

    private void call(List<String> arguments) throws IOException, InterruptedException {
        if (arguments.isEmpty()) {
            out.println("\\call takes the name of a procedure and its arguments: \\call Deposit 17 2.50");
        } else if (schema.lacksProcedure(arguments.getFirst())) {
            out.println("there is no procedure " + arguments.getFirst()
                    + otherwise(arguments.getFirst(), schema.procedures(), "\\procedures"));
        } else {
            session.call(arguments.getFirst(), arguments.subList(1, arguments.size()));
        }
    }

    /** The name that was probably meant, or the command that lists all. */
    private static String otherwise(String name, List<String> names, String command) {
        String meant = Suggestions.didYouMean(name, names);
        return meant.isEmpty() ? "; " + command + " lists them" : meant;
    }

    private void runFile(List<String> arguments) throws IOException, InterruptedException {
        if (arguments.size() != 1) {
            out.println("\\run takes the name of a file");
            return;
        }
        String name = unquoted(arguments.getFirst());
        String script;
        try {
            script = GivenFile.text(Path.of(name));
        } catch (NoSuchFileException e) {
            out.println("there is no file " + e.getFile());
            return;
        } catch (IOException | InvalidPathException e) {
            out.println("can't read " + name + ": " + e.getMessage());
            return;
        } catch (IllegalArgumentException e) {
            out.println(e.getMessage());
            return;
        }
        session.run(script);
    }

    private static String unquoted(String word) {
        return word.length() > 1 && word.startsWith("'") && word.endsWith("'")
                ? word.substring(1, word.length() - 1).replace("''", "'")
                : word;
    }

    private void format(List<String> arguments) {
        for (RowsPrinter.Format format : RowsPrinter.Format.values()) {
            if (arguments.size() == 1 && format.name().equalsIgnoreCase(arguments.getFirst())) {
                session.format(format);
                return;
            }
        }
        out.println("\\format takes table, csv or json");
    }
}
