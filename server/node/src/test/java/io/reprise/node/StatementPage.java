package io.reprise.node;

import io.reprise.engine.Options;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * The SQL examples of a document with their results, which stand in lines behind each statement:
 *
 * <pre>
 * --> 1 | NULL       a row, or the number of written rows; without any the result is empty or not looked at (DDL, SET)
 * --! 23505 text     the statement fails with this SQLSTATE and a message that contains the text
 * --~ text           a row contains the text
 * --* text           a notice contains the text
 * --< 1,a            a line that the client sends, of COPY FROM STDIN
 * </pre>
 *
 * <p>Rows stand in the order of ORDER BY; without it they are compared as a set. A page is one session of a client.
 */
final class StatementPage {
    private static final Pattern EXAMPLE = Pattern.compile("(?s)```sql\\n(.*?)```");
    private static final Pattern EXPECTATION = Pattern.compile("--[>!~*<]( .*)?");
    private static final String INPUT = "--<";

    private final List<Step> steps = new ArrayList<>();

    /** A statement with the lines behind it. */
    private record Step(String sql, List<String> lines) {
        private List<String> marked(String mark) {
            return lines.stream().filter(line -> line.startsWith(mark)).toList();
        }
    }

    private StatementPage() {}

    static StatementPage read(Path document) throws IOException {
        StatementPage page = new StatementPage();
        EXAMPLE.matcher(Files.readString(document)).results().forEach(example -> page.add(example.group(1)));
        return page;
    }

    private void add(String example) {
        StringBuilder sql = new StringBuilder();
        for (String line : example.split("\n")) {
            if (sql.isEmpty() && EXPECTATION.matcher(line).matches()) {
                steps.getLast().lines().add(line);
                continue;
            }
            sql.append(sql.isEmpty() ? "" : "\n").append(line);
            if (line.endsWith(";")) {
                steps.add(new Step(sql.toString(), new ArrayList<>()));
                sql.setLength(0);
            }
        }
        if (!sql.isEmpty()) {
            throw new IllegalArgumentException("no semicolon ends the statement: " + sql);
        }
    }

    int size() {
        return steps.size();
    }

    /** The statements with the lines of the document. */
    String text() {
        StringBuilder text = new StringBuilder();
        steps.forEach(step -> append(text, step, step.lines()));
        return text.toString();
    }

    /** The statements with the results that a server gives. */
    String run(int partitions, Path folder) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (PostgresServer server = PostgresServer.open(
                        Options.create().partitions(partitions).directory(folder));
                Connection connection = server.connect("preferQueryMode=simple")) {
            for (Step step : steps) {
                append(text, step, results(connection, step));
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Step step, List<String> lines) {
        text.append(step.sql()).append('\n');
        lines.forEach(line -> text.append(line).append('\n'));
    }

    private static List<String> results(Connection connection, Step step) {
        try (Statement statement = connection.createStatement()) {
            List<String> rows = rows(connection, statement, step);
            List<String> lines = new ArrayList<>(step.marked(INPUT));
            lines.addAll(shown(step, rows));
            lines.addAll(notices(statement, step));
            return lines;
        } catch (SQLException | IOException e) {
            String state = e instanceof SQLException sql ? sql.getSQLState() : "";
            String message =
                    "--! " + state + " " + String.valueOf(e.getMessage()).replaceFirst("^ERROR: ", "");
            List<String> wanted = step.marked("--!");
            boolean said = wanted.size() == 1
                    && wanted.getFirst().startsWith("--! " + state + " ")
                    && message.contains(wanted.getFirst().substring(("--! " + state + " ").length()));
            return said ? step.lines() : List.of(message);
        }
    }

    /** The rows, or the number of written rows. */
    private static List<String> rows(Connection connection, Statement statement, Step step)
            throws SQLException, IOException {
        String sql = step.sql().substring(0, step.sql().length() - 1);
        List<String> rows = new ArrayList<>();
        if (sql.startsWith("COPY") && sql.contains("STDIN")) {
            StringBuilder input = new StringBuilder();
            step.marked(INPUT).forEach(line -> input.append(line.substring(4)).append('\n'));
            rows.add("--> " + copies(connection).copyIn(sql, new StringReader(input.toString())));
        } else if (sql.startsWith("COPY") && sql.contains("STDOUT")) {
            StringWriter output = new StringWriter();
            copies(connection).copyOut(sql, output);
            output.toString().lines().forEach(line -> rows.add("--> " + line));
        } else if (statement.execute(sql)) {
            try (ResultSet result = statement.getResultSet()) {
                while (result.next()) {
                    rows.add(row(result));
                }
            }
        } else if (!step.marked("-->").isEmpty()) {
            rows.add("--> " + statement.getUpdateCount());
        }
        return rows;
    }

    private static CopyManager copies(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getCopyAPI();
    }

    private static String row(ResultSet result) throws SQLException {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
            boolean truth = result.getMetaData().getColumnType(i) == Types.BIT;
            String value = truth ? Boolean.toString(result.getBoolean(i)) : result.getString(i);
            values.add(result.wasNull() ? "NULL" : value);
        }
        return "--> " + String.join(" | ", values);
    }

    /** The rows as the document has them, if they are the same. */
    private static List<String> shown(Step step, List<String> rows) {
        List<String> parts = step.marked("--~");
        if (!parts.isEmpty()) {
            boolean said =
                    parts.stream().allMatch(part -> rows.stream().anyMatch(row -> row.contains(part.substring(4))));
            return said ? parts : rows;
        }
        List<String> wanted = step.marked("-->");
        boolean same =
                rows.stream().sorted().toList().equals(wanted.stream().sorted().toList());
        return same && !step.sql().contains("ORDER BY") ? wanted : rows;
    }

    /** The notices as the document has them, if it has any. */
    private static List<String> notices(Statement statement, Step step) throws SQLException {
        List<String> given = new ArrayList<>();
        for (SQLWarning notice = statement.getWarnings(); notice != null; notice = notice.getNextWarning()) {
            given.add("--* " + notice.getMessage());
        }
        List<String> wanted = step.marked("--*");
        boolean said =
                wanted.stream().allMatch(part -> given.stream().anyMatch(notice -> notice.contains(part.substring(4))));
        return said ? wanted : given;
    }
}
