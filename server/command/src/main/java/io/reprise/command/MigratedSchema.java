package io.reprise.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The script of Reprise's DDL, and the report, for a foreign schema whose tables are decided. Owned by the command's thread. */
final class MigratedSchema {
    private static final Set<String> RESERVED = Set.of(
            "all",
            "and",
            "any",
            "as",
            "at",
            "begin",
            "between",
            "by",
            "case",
            "cast",
            "check",
            "column",
            "condition",
            "count",
            "create",
            "cross",
            "current",
            "cursor",
            "date",
            "day",
            "default",
            "delete",
            "desc",
            "describe",
            "distinct",
            "drop",
            "end",
            "escape",
            "exists",
            "explain",
            "filter",
            "for",
            "from",
            "full",
            "function",
            "grant",
            "group",
            "hour",
            "in",
            "index",
            "inner",
            "insert",
            "interval",
            "into",
            "is",
            "join",
            "language",
            "left",
            "like",
            "limit",
            "local",
            "match",
            "merge",
            "method",
            "minute",
            "month",
            "no",
            "not",
            "null",
            "of",
            "offset",
            "on",
            "one",
            "or",
            "order",
            "out",
            "outer",
            "over",
            "parameter",
            "partition",
            "period",
            "position",
            "primary",
            "procedure",
            "range",
            "rank",
            "references",
            "result",
            "right",
            "row",
            "rows",
            "second",
            "select",
            "set",
            "start",
            "sum",
            "table",
            "then",
            "time",
            "timestamp",
            "to",
            "trigger",
            "true",
            "union",
            "unique",
            "update",
            "upper",
            "user",
            "using",
            "value",
            "values",
            "when",
            "where",
            "with",
            "year");

    private final DumpSchema schema;
    private final Map<String, Long> rows;
    private final List<String> notes = new ArrayList<>();

    MigratedSchema(DumpSchema schema, Map<String, Long> rows) {
        this.schema = schema;
        this.rows = rows;
        notes.addAll(schema.notes);
    }

    /** The script. Told differences are in the later {@link #report}. */
    String script() {
        StringBuilder out =
                new StringBuilder("-- Proposed by \"reprise migrate\"; read its report before you use it.\n");
        schema.tables.values().forEach(table -> table(out, table));
        for (DumpTable table : schema.tables.values()) {
            table.foreignKeys.forEach(key -> foreignKey(out, table, key));
        }
        schema.procedures.forEach(each -> out.append('\n').append(each).append(";\n"));
        return out.toString();
    }

    private void table(StringBuilder out, DumpTable table) {
        List<String> key = key(table);
        List<String> lines = new ArrayList<>();
        for (DumpTable.Column column : table.columns) {
            boolean partitioning = column.name.equals(table.partitionColumn);
            if (partitioning && !column.notNull && !key.contains(column.name)) {
                notes.add(table.name + "." + column.name + ": it becomes NOT NULL, because it partitions the table");
            }
            lines.add("  " + name(column.name) + " " + column.type
                    + (column.otherwise.isEmpty() ? "" : " DEFAULT " + column.otherwise)
                    + (column.notNull || partitioning || key.contains(column.name) ? " NOT NULL" : ""));
        }
        if (!key.isEmpty()) {
            lines.add("  PRIMARY KEY (" + list(key) + ")");
        }
        out.append("\nCREATE TABLE ").append(name(table.name)).append(" (\n");
        out.append(String.join(",\n", lines)).append("\n);\n");
        if (!table.isReplicated()) {
            out.append("PARTITION TABLE ").append(name(table.name)).append(" ON COLUMN ");
            out.append(name(table.partitionColumn)).append(";\n");
        }
        int number = 0;
        for (List<String> unique : table.uniques) {
            index(out, table, new DumpTable.Index(table.name + "_unique_" + ++number, true, unique));
        }
        table.indexes.forEach(each -> index(out, table, each));
    }

    /** The primary key, with the partitioning column in it. */
    private List<String> key(DumpTable table) {
        if (table.isReplicated() || table.primaryKey.isEmpty() || table.primaryKey.contains(table.partitionColumn)) {
            return table.primaryKey;
        }
        List<String> widened = new ArrayList<>(List.of(table.partitionColumn));
        widened.addAll(table.primaryKey);
        notes.add(table.name + ": the primary key (" + String.join(", ", table.primaryKey) + ") becomes ("
                + String.join(", ", widened)
                + "), because a unique key of a partitioned table has the partitioning column."
                + " The shorter key alone is not checked any more");
        return widened;
    }

    private void index(StringBuilder out, DumpTable table, DumpTable.Index index) {
        boolean unique =
                index.unique() && (table.isReplicated() || index.columns().contains(table.partitionColumn));
        if (index.unique() && !unique) {
            notes.add(table.name + ": (" + String.join(", ", index.columns())
                    + ") is not unique any more, because it lacks the partitioning column " + table.partitionColumn);
        }
        out.append("CREATE ").append(unique ? "UNIQUE " : "").append("INDEX ").append(name(index.name()));
        out.append(" ON ")
                .append(name(table.name))
                .append(" (")
                .append(list(index.columns()))
                .append(");\n");
    }

    private void foreignKey(StringBuilder out, DumpTable table, DumpTable.ForeignKey key) {
        DumpTable parent = schema.tables.get(key.parent());
        if (parent == null) {
            notes.add(table.name + ": refers to " + key.parent() + ", which the script does not have");
            return;
        }
        List<String> parents = key.parentColumns().isEmpty() ? parent.primaryKey : key.parentColumns();
        int at = key.columns().indexOf(table.partitionColumn);
        boolean together = at >= 0 && at < parents.size() && parents.get(at).equals(parent.partitionColumn);
        if (!parent.isReplicated() && !together || !parents.equals(key(parent))) {
            notes.add(table.name + ": the foreign key (" + String.join(", ", key.columns()) + ") to " + parent.name
                    + " is left out, because Reprise can't check it in one partition");
            return;
        }
        out.append("ALTER TABLE ")
                .append(name(table.name))
                .append(" ADD FOREIGN KEY (")
                .append(list(key.columns()));
        out.append(") REFERENCES ")
                .append(name(parent.name))
                .append(" (")
                .append(list(parents))
                .append(");\n");
    }

    /** The report, in Markdown. */
    String report() {
        StringBuilder out =
                new StringBuilder("# Proposed partitioning\n\n| table | rows | place | why |\n|---|---|---|---|\n");
        for (DumpTable table : schema.tables.values()) {
            out.append("| ").append(table.name).append(" | ");
            out.append(rows.containsKey(table.name) ? rows.get(table.name) : "unknown")
                    .append(" | ");
            out.append(table.isReplicated() ? "replicated" : "partitioned on " + table.partitionColumn);
            out.append(" | ").append(table.reason).append(" |\n");
        }
        out.append(
                        "\nA transaction is fast if its statements bind one value of a partitioning column. Joins of tables in one group stay in")
                .append(
                        " one partition,\nand replicated tables can be joined with any. A write to a replicated table takes all partitions.\n");
        if (!notes.isEmpty()) {
            out.append("\n# What differs\n\n");
            notes.stream()
                    .distinct()
                    .forEach(note -> out.append("- ").append(note).append(".\n"));
        }
        return out.toString();
    }

    private static String list(List<String> names) {
        return names.stream().map(MigratedSchema::name).collect(Collectors.joining(", "));
    }

    private static String name(String name) {
        if (name.matches("[a-z_][a-z0-9_]*") && !RESERVED.contains(name)) {
            return name;
        }
        String kept = name.equals(name.toLowerCase(Locale.ROOT)) ? name.toUpperCase(Locale.ROOT) : name;
        return '"' + kept.replace("\"", "\"\"") + '"';
    }
}
