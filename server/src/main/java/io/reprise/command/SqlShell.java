package io.reprise.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** Somebody at a terminal: reads statements over several lines until a semicolon, with history and completion. */
final class SqlShell {
    private static final List<String> WORDS = List.of(
            "SELECT",
            "FROM",
            "WHERE",
            "GROUP BY",
            "HAVING",
            "ORDER BY",
            "LIMIT",
            "JOIN",
            "ON",
            "AND",
            "OR",
            "NOT",
            "NULL",
            "INSERT INTO",
            "UPSERT INTO",
            "VALUES",
            "UPDATE",
            "SET",
            "DELETE FROM",
            "TRUNCATE TABLE",
            "EXPLAIN",
            "COUNT(*)",
            "SUM(",
            "MIN(",
            "MAX(",
            "AVG(",
            "CREATE TABLE",
            "PARTITION TABLE",
            "CREATE INDEX",
            "CREATE PROCEDURE",
            "DROP TABLE",
            "DROP PROCEDURE",
            "ALTER TABLE",
            "\\help",
            "\\quit");
    private static final String HELP = """
            A statement ends with a semicolon and may have several lines. EXPLAIN before it shows its plan.
            Tab completes words; the arrow keys bring earlier statements back; Ctrl-C drops what was typed.
            \\quit, or Ctrl-D on an empty line, ends.""";

    private final SqlSession session;

    SqlShell(SqlSession session) {
        this.session = session;
    }

    void run() throws IOException, InterruptedException {
        try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
            LineReader reader = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .appName("reprise")
                    .completer(new StringsCompleter(WORDS))
                    .variable(LineReader.HISTORY_FILE, Path.of(System.getProperty("user.home"), ".reprise_history"))
                    .option(LineReader.Option.CASE_INSENSITIVE, true)
                    .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                    .build();
            terminal.writer().println("Connected. \\help tells what can be typed.");
            read(reader, terminal);
        }
    }

    private void read(LineReader reader, Terminal terminal) throws IOException, InterruptedException {
        StringBuilder statement = new StringBuilder();
        while (true) {
            String line;
            try {
                line = reader.readLine(statement.isEmpty() ? "reprise> " : "      -> ");
            } catch (UserInterruptException e) {
                statement.setLength(0);
                continue;
            } catch (EndOfFileException e) {
                return;
            }
            switch (statement.isEmpty() ? line.strip() : "") {
                case "\\quit", "\\q", "exit", "quit" -> {
                    return;
                }
                case "\\help", "\\h", "help" -> terminal.writer().println(HELP);
                default -> {
                    statement.append(line).append('\n');
                    if (line.stripTrailing().endsWith(";")) {
                        session.run(statement.toString());
                        statement.setLength(0);
                    } else if (statement.toString().isBlank()) {
                        statement.setLength(0);
                    }
                }
            }
        }
    }
}
