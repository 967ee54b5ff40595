package io.reprise.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Completes what is typed: tables where one is due, procedures behind \call, else words of SQL, tables and columns. */
final class SqlCompleter implements Completer {
    private static final Set<String> BEFORE_TABLES = Set.of("FROM", "INTO", "UPDATE", "JOIN", "TABLE", "ON");
    private static final List<String> WORDS = List.of(
            ("SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET JOIN LEFT ON AND OR NOT NULL IS IN BETWEEN LIKE"
                            + " EXISTS DISTINCT AS ASC DESC CASE WHEN THEN ELSE END CAST UNION ALL INSERT INTO UPSERT VALUES"
                            + " UPDATE SET DELETE TRUNCATE TABLE EXPLAIN COUNT SUM MIN MAX AVG CREATE PARTITION INDEX UNIQUE"
                            + " PRIMARY KEY DEFAULT COLUMN PARAMETER PROCEDURE CLASS DROP ALTER ADD BIGINT INTEGER SMALLINT"
                            + " TINYINT VARCHAR VARBINARY DECIMAL DOUBLE TIMESTAMP DATE TIME BOOLEAN")
                    .split(" "));

    private final SchemaWords schema;

    SqlCompleter(SchemaWords schema) {
        this.schema = schema;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        boolean small = !line.word().isEmpty()
                && line.word().equals(line.word().toLowerCase(Locale.ROOT))
                && !line.word().startsWith("\\");
        for (String word : words(line)) {
            candidates.add(new Candidate(small ? word.toLowerCase(Locale.ROOT) : word));
        }
    }

    private List<String> words(ParsedLine line) {
        String first = line.words().getFirst();
        if (line.wordIndex() == 0 && first.startsWith("\\")) {
            return ShellCommands.NAMES;
        }
        if (first.startsWith("\\")) {
            return switch (first) {
                case "\\call" -> line.wordIndex() == 1 ? schema.procedures() : List.of();
                case "\\describe" -> schema.tables();
                case "\\format" -> List.of("table", "csv", "json");
                default -> List.of();
            };
        }
        String before = line.wordIndex() == 0 ? "" : line.words().get(line.wordIndex() - 1);
        if (BEFORE_TABLES.contains(before.toUpperCase(Locale.ROOT))
                && !schema.tables().isEmpty()) {
            return schema.tables();
        }
        List<String> all = new ArrayList<>(WORDS);
        all.addAll(schema.tables());
        all.addAll(columns(line));
        return all;
    }

    /** Of the tables that are named before or behind the cursor; of all, while none is. */
    private List<String> columns(ParsedLine line) {
        String typed = line.line().toUpperCase(Locale.ROOT);
        List<String> tables = schema.tables();
        List<String> named = tables.stream()
                .filter(table -> typed.matches("(?s).*\\b" + java.util.regex.Pattern.quote(table) + "\\b.*"))
                .toList();
        return (named.isEmpty() ? tables : named)
                .stream()
                        .flatMap(table -> schema.columns(table).stream())
                        .distinct()
                        .toList();
    }
}
