package io.reprise.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes a catalog as the DDL that makes it again: the same text for equal catalogs, and read by {@code sql.parse} it
 * gives an equal catalog, table ids included ({@code WITH ID}). Only the two counters are not in the text; they are
 * kept beside it ({@link Catalog#withCounters}).
 *
 * <p>All names are quoted, so that the text stays readable for a later version with more reserved words.
 */
public final class CatalogPrinter {
    private CatalogPrinter() {}

    /** The statements, each ended by a semicolon and a newline. */
    public static String print(Catalog catalog) {
        StringBuilder out = new StringBuilder();
        catalog.tables().values().forEach(t -> printTable(t, out));
        catalog.tables().values().forEach(t -> printForeignKeys(t, out));
        catalog.views().values().forEach(v -> printView(v, out));
        catalog.procedures().values().forEach(p -> printProcedure(p, out));
        return out.toString();
    }

    private static void printTable(Table table, StringBuilder out) {
        List<String> elements = new ArrayList<>();
        table.columns().forEach(c -> elements.add(column(c)));
        table.primaryKey()
                .ifPresent(key -> elements.add("CONSTRAINT " + quote(key.name()) + " PRIMARY KEY " + key(table, key)));
        table.checks().forEach(c -> elements.add("CONSTRAINT " + quote(c.name()) + " CHECK (" + c.condition() + ")"));
        out.append("CREATE TABLE ").append(quote(table.name())).append(" (\n    ");
        out.append(String.join(",\n    ", elements));
        out.append("\n) WITH ID ").append(table.id()).append(";\n");
        if (!table.replicated()) {
            Column column = table.columns().get(table.partitionColumn().getAsInt());
            out.append("PARTITION TABLE ").append(quote(table.name()));
            out.append(" ON COLUMN ").append(quote(column.name())).append(";\n");
        }
        for (Index index : table.indexes()) {
            if (!index.primaryKey()) {
                out.append(index.unique() ? "CREATE UNIQUE INDEX " : "CREATE INDEX ")
                        .append(quote(index.name()));
                out.append(" ON ").append(quote(table.name())).append(' ');
                out.append(key(table, index)).append(";\n");
            }
        }
    }

    /** Behind all tables, because a parent may have been created last. */
    private static void printForeignKeys(Table table, StringBuilder out) {
        for (ForeignKey key : table.foreignKeys()) {
            out.append("ALTER TABLE ").append(quote(table.name())).append(" ADD CONSTRAINT ");
            out.append(quote(key.name())).append(" FOREIGN KEY ");
            out.append(
                    names(key.columns().stream().map(c -> table.columns().get(c).name())));
            out.append(" REFERENCES ").append(quote(key.parent())).append(' ');
            out.append(names(key.parentColumns().stream()));
            out.append(" ON DELETE ").append(key.onDelete());
            out.append(" ON UPDATE ").append(key.onUpdate()).append(";\n");
        }
    }

    private static String names(Stream<String> names) {
        return names.map(CatalogPrinter::quote).collect(Collectors.joining(", ", "(", ")"));
    }

    private static void printView(View view, StringBuilder out) {
        out.append("CREATE VIEW ").append(quote(view.name())).append(' ');
        if (!view.columns().isEmpty()) {
            out.append(names(view.columns().stream())).append(' ');
        }
        out.append("AS ").append(view.query()).append(";\n");
    }

    private static String column(Column column) {
        return quote(column.name()) + " " + (column.type().equals(SqlType.TEXT) ? "TEXT" : column.type())
                + column.defaultValue().map(d -> " DEFAULT " + d).orElse("")
                + (column.nullable() ? "" : " NOT NULL");
    }

    private static String key(Table table, Index index) {
        return index.columns().stream()
                .map(c -> quote(table.columns().get(c).name()))
                .collect(Collectors.joining(", ", "(", ") USING " + index.kind()));
    }

    private static void printProcedure(ProcedureDefinition procedure, StringBuilder out) {
        out.append("CREATE PROCEDURE ").append(quote(procedure.name())).append('\n');
        String before = "    PARTITION ";
        for (ProcedureDefinition.Routing routing : procedure.routing()) {
            out.append(before).append("ON TABLE ").append(quote(routing.table()));
            out.append(" COLUMN ").append(quote(routing.column()));
            out.append(" PARAMETER ").append(routing.parameter()).append('\n');
            before = "    AND ";
        }
        if (procedure.logging() != ProcedureDefinition.Logging.AS_CONFIGURED) {
            out.append("  LOGGED AS ").append(procedure.logging()).append('\n');
        }
        switch (procedure.source()) {
            case ProcedureDefinition.FromClass(String className) ->
                out.append("    FROM CLASS ").append(className);
            case ProcedureDefinition.FromStatement(String sql) ->
                out.append("    AS ").append(sql);
        }
        out.append(";\n");
    }

    private static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
