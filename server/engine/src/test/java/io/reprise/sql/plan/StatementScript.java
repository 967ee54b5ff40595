package io.reprise.sql.plan;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.SqlType;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.sql.physical.PlanField;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * SQL with its expected results, in lines behind each statement:
 *
 * <pre>
 * --? 1, abc     runs the statement with these parameters; the lines up to the next one are the result
 * --# A | B      the names of the columns
 * --> 1 | NULL   a row; without any the result is empty, or the statement is DDL or not looked at (INSERT)
 * --! text       the statement fails with a message that contains the text
 * --~ text       a row contains the text
 * </pre>
 *
 * <p>Rows stand in the order of ORDER BY, or of the VALUES that are inserted; without them they are compared as a set. DDL comes before anything else.
 */
final class StatementScript {
    private static final Pattern DDL = Pattern.compile("(?s)^(CREATE|PARTITION)\\b.*");

    private static final Pattern INSERTED = Pattern.compile("(?s)^(INSERT|UPSERT)\\b.*\\bVALUES\\b.*\\bRETURNING\\b.*");

    private final List<Step> steps = new ArrayList<>();
    private final StringBuilder ddl = new StringBuilder();

    /** A statement, and what is expected of each of its executions. */
    private record Step(String sql, List<Run> runs) {}

    /** An execution: its parameters, null if no line gives them, and the lines that are expected. */
    private record Run(String parameters, List<String> expected) {}

    static StatementScript of(String text) {
        StatementScript script = new StatementScript();
        StringBuilder sql = new StringBuilder();
        List<Run> runs = null;
        for (String line : text.split("\n")) {
            boolean expectation = line.matches("--[?#>!~] ?.*");
            if (expectation && runs != null) {
                if (line.startsWith("--?")) {
                    boolean first = runs.size() == 1
                            && runs.getFirst().parameters() == null
                            && runs.getFirst().expected().isEmpty();
                    if (first) {
                        runs.clear();
                    }
                    runs.add(new Run(line.substring(4), new ArrayList<>()));
                } else {
                    runs.getLast().expected().add(line);
                }
            } else if (!sql.isEmpty() || !line.startsWith("--") && !line.isBlank()) {
                sql.append(line).append('\n');
                if (line.endsWith(";")) {
                    runs = script.add(sql.toString().strip());
                    sql.setLength(0);
                }
            }
        }
        return script;
    }

    private List<Run> add(String sql) {
        List<Run> runs = new ArrayList<>();
        if (DDL.matcher(sql).matches()) {
            ddl.append(sql);
        } else {
            runs.add(new Run(null, new ArrayList<>()));
            steps.add(new Step(sql, runs));
        }
        return runs;
    }

    /** The statements and what is expected of them. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (Step step : steps) {
            text.append(step.sql()).append('\n');
            step.runs().forEach(run -> append(text, run.parameters(), run.expected()));
        }
        return text.toString();
    }

    /** The same with what each statement really gives. */
    String run(int partitions) {
        Catalog catalog = CatalogScript.load(ddl.toString());
        StringBuilder text = new StringBuilder();
        try (PartitionedDatabase database = new PartitionedDatabase(catalog, partitions)) {
            for (Step step : steps) {
                text.append(step.sql()).append('\n');
                step.runs().forEach(run -> append(text, run.parameters(), actual(database, step.sql(), run)));
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String parameters, List<String> lines) {
        if (parameters != null) {
            text.append("--? ").append(parameters).append('\n');
        }
        lines.forEach(line -> text.append(line).append('\n'));
    }

    private static List<String> actual(PartitionedDatabase database, String sql, Run run) {
        List<String> expected = run.expected();
        List<Object> parameters = run.parameters() == null
                ? List.of()
                : Arrays.stream(run.parameters().split(", "))
                        .map(StatementScript::parameter)
                        .collect(Collectors.toCollection(ArrayList::new));
        try {
            StatementPlan plan = database.plan(sql);
            PlanChecker.check(plan);
            List<String> rows = database.rows(plan, parameters).stream()
                    .map(row -> row(plan, row))
                    .collect(Collectors.toCollection(ArrayList::new));
            if (expected.isEmpty() && sql.startsWith("INSERT")) {
                return expected;
            }
            List<String> contained =
                    expected.stream().filter(line -> line.startsWith("--~")).toList();
            if (!contained.isEmpty()
                    && contained.stream()
                            .allMatch(line -> rows.stream().anyMatch(row -> row.contains(line.substring(4))))) {
                return expected;
            }
            List<String> lines = new ArrayList<>();
            if (!expected.isEmpty() && expected.getFirst().startsWith("--#")) {
                lines.add("--# " + plan.output().stream().map(PlanField::name).collect(Collectors.joining(" | ")));
            }
            List<String> wanted =
                    expected.stream().filter(line -> line.startsWith("-->")).toList();
            boolean ordered = sql.contains("ORDER BY") || INSERTED.matcher(sql).matches();
            lines.addAll(
                    !ordered
                                    && rows.stream()
                                            .sorted()
                                            .toList()
                                            .equals(wanted.stream().sorted().toList())
                            ? wanted
                            : rows);
            return lines;
        } catch (ProcedureException e) {
            boolean said = expected.size() == 1
                    && expected.getFirst().startsWith("--!")
                    && e.getMessage().contains(expected.getFirst().substring(4));
            return said ? expected : List.of("--! " + e.getMessage());
        }
    }

    private static Object parameter(String text) {
        if (text.equals("NULL")) {
            return null;
        }
        return text.matches("-?\\d+")
                ? Long.parseLong(text)
                : text.matches("-?\\d+\\.\\d+") ? new BigDecimal(text) : text;
    }

    private static String row(StatementPlan plan, List<Object> row) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            values.add(value(row.get(i), plan.output().get(i).type().kind()));
        }
        return "--> " + String.join(" | ", values);
    }

    private static String value(Object value, SqlType.Kind kind) {
        if (value == null) {
            return "NULL";
        }
        return switch (kind) {
            case DATE -> LocalDate.ofEpochDay((long) value).toString();
            case TIMESTAMP -> time((long) value);
            case TIME ->
                LocalTime.ofNanoOfDay((long) value * 1000).format(java.time.format.DateTimeFormatter.ISO_LOCAL_TIME);
            default -> value.toString().replace('\n', '␊');
        };
    }

    private static String time(long micros) {
        LocalDateTime time = LocalDateTime.ofInstant(
                Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000),
                ZoneOffset.UTC);
        return time.toLocalDate() + " " + time.toLocalTime().format(java.time.format.DateTimeFormatter.ISO_LOCAL_TIME);
    }
}
