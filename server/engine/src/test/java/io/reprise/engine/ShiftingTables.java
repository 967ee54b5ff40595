package io.reprise.engine;

import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.engine.RandomSteps.Step;
import io.reprise.runtime.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Tables that come, change, are written to and go, and under whose names others come: with columns of all types, partitioned on
 * one of any type that can be, or replicated; and a procedure for each that comes and goes too.
 */
final class ShiftingTables {
    private static final int MOST_TABLES = 4;
    private static final int MOST_COLUMNS = 7;

    private final Randomness random;
    private final RandomValues values;
    private final boolean chance;
    private final List<Made> tables = new ArrayList<>();
    private int columns;

    /** Tables whose rows may depend on the transaction's own time or not. */
    ShiftingTables(Randomness random, boolean chance) {
        this.random = random;
        this.chance = chance;
        values = new RandomValues(random);
    }

    /** A column; one that is fixed is in a key or an index, or the table is partitioned on it. */
    private record Col(String name, SqlType type, boolean nullable, boolean hasDefault, boolean fixed) {}

    /** A table that is there. */
    private static final class Made {
        private final String name;
        private final List<Col> columns;
        private final boolean keyed;
        private boolean partitioned;
        private boolean callable;

        Made(String name, List<Col> columns, boolean keyed, boolean partitioned) {
            this.name = name;
            this.columns = columns;
            this.keyed = keyed;
            this.partitioned = partitioned;
        }

        /** The first column; in a partitioned table, the partitioning column. */
        Col first() {
            return columns.getFirst();
        }
    }

    /** A change of the schema. */
    Step definition() {
        if (tables.isEmpty() || tables.size() < MOST_TABLES && random.nextInt(3) == 0) {
            return RandomSteps.ddl(create(free()));
        }
        Made table = any();
        return switch (random.nextInt(7)) {
            case 0 -> RandomSteps.ddl(drop(table));
            case 1 -> RandomSteps.ddl(drop(table) + create(table.name));
            case 2 -> RandomSteps.ddl(table.callable ? dropProcedure(table) : createProcedure(table));
            case 3 -> dropColumn(table);
            case 4 -> table.partitioned ? addColumn(table) : partition(table);
            default -> addColumn(table);
        };
    }

    /** A write to one of the tables. */
    Step write() {
        if (tables.isEmpty()) {
            return definition();
        }
        Made table = any();
        return switch (random.nextInt(table.callable ? 12 : 8)) {
            case 0 -> random.nextInt(3) == 0 ? RandomSteps.sql("TRUNCATE TABLE " + table.name) : insert(table);
            case 1 -> delete(table);
            case 2, 3 -> update(table);
            case 4, 5, 6, 7 -> insert(table);
            default -> put(table);
        };
    }

    private Made any() {
        return tables.get(random.nextInt(tables.size()));
    }

    private String free() {
        int number = 0;
        while (isThere("t" + number)) {
            number++;
        }
        return "t" + number;
    }

    private boolean isThere(String name) {
        return tables.stream().anyMatch(table -> table.name.equals(name));
    }

    private String create(String name) {
        int count = 1 + random.nextInt(MOST_COLUMNS);
        int keyColumns = Math.min(count, random.nextInt(4));
        boolean partitioned = random.nextInt(3) != 0;
        List<Col> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.add(column(i < keyColumns || i == 0, i == 0));
        }
        Made table = new Made(name, made, keyColumns > 0, partitioned);
        tables.add(table);
        StringBuilder script = new StringBuilder("CREATE TABLE " + name + " (");
        script.append(made.stream().map(this::define).collect(Collectors.joining(", ")));
        if (keyColumns > 0) {
            script.append(", PRIMARY KEY (")
                    .append(names(made.subList(0, keyColumns)))
                    .append(')');
            script.append(random.nextInt(2) == 0 ? " USING ORDERED" : "");
        }
        script.append(");\n");
        if (partitioned) {
            script.append(partitioning(table));
        }
        if (random.nextInt(2) == 0) {
            Col last = made.getLast();
            made.set(count - 1, new Col(last.name, last.type, last.nullable, last.hasDefault, true));
            script.append("CREATE INDEX " + name + "_by ON " + name + " (" + last.name + ");\n");
        }
        return script + (random.nextInt(2) == 0 ? createProcedure(table) : "");
    }

    private static String partitioning(Made table) {
        return "PARTITION TABLE " + table.name + " ON COLUMN " + table.first().name + ";\n";
    }

    /** The table may have rows. */
    private static Step partition(Made table) {
        table.partitioned = true;
        return RandomSteps.ddl(partitioning(table));
    }

    private Col column(boolean fixed, boolean partitions) {
        SqlType type = values.type();
        while (partitions && (type.kind() == Kind.DOUBLE || type.isArray() || type.isWide())) {
            type = values.type();
        }
        return new Col(
                "c" + columns++, type, !fixed && random.nextInt(3) != 0, !fixed && random.nextInt(3) == 0, fixed);
    }

    private String define(Col column) {
        return column.name + " " + column.type + (column.nullable ? "" : " NOT NULL")
                + (column.hasDefault ? " DEFAULT " + byDefault(column) : "");
    }

    private String byDefault(Col column) {
        return chance && column.type.kind() == Kind.TIMESTAMP ? "NOW" : RandomValues.literal(column.type);
    }

    private String drop(Made table) {
        tables.remove(table);
        return (table.callable ? dropProcedure(table) : "") + "DROP TABLE " + table.name + ";\n";
    }

    private String dropProcedure(Made table) {
        table.callable = false;
        return "DROP PROCEDURE Put_" + table.name + ";\n";
    }

    private String createProcedure(Made table) {
        table.callable = true;
        return "CREATE PROCEDURE Put_" + table.name + " AS "
                + insertion(table.keyed ? "UPSERT" : "INSERT", table, table.columns) + ";\n";
    }

    private static String insertion(String verb, Made table, List<Col> given) {
        return verb + " INTO " + table.name + " (" + names(given) + ") VALUES ("
                + given.stream().map(column -> "?").collect(Collectors.joining(", ")) + ")";
    }

    private static String names(List<Col> of) {
        return of.stream().map(Col::name).collect(Collectors.joining(", "));
    }

    /** The table's procedure names its columns, so it goes first. */
    private Step addColumn(Made table) {
        Col drawn = column(false, false);
        Col added = new Col(drawn.name, drawn.type, drawn.nullable, !drawn.nullable || drawn.hasDefault, false);
        table.columns.add(added);
        String without = table.callable ? dropProcedure(table) : "";
        return RandomSteps.ddl(without + "ALTER TABLE " + table.name + " ADD COLUMN " + define(added) + ";\n");
    }

    private Step dropColumn(Made table) {
        List<Col> free = table.columns.stream().filter(column -> !column.fixed).toList();
        if (free.isEmpty()) {
            return addColumn(table);
        }
        Col dropped = free.get(random.nextInt(free.size()));
        table.columns.remove(dropped);
        String without = table.callable ? dropProcedure(table) : "";
        return RandomSteps.ddl(without + "ALTER TABLE " + table.name + " DROP COLUMN " + dropped.name + ";\n");
    }

    private Step insert(Made table) {
        List<Col> given = new ArrayList<>(table.columns);
        given.removeIf(column -> (column.nullable || column.hasDefault) && random.nextInt(4) == 0);
        String verb = table.keyed && random.nextInt(2) == 0 ? "UPSERT" : "INSERT";
        return RandomSteps.sql(insertion(verb, table, given), row(given));
    }

    private Step put(Made table) {
        Object[] row = row(table.columns);
        return new Step("Put_" + table.name, engine -> engine.call("Put_" + table.name, row));
    }

    private Object[] row(List<Col> given) {
        return given.stream()
                .map(column -> column.nullable && random.nextInt(5) == 0 ? null : values.value(column.type))
                .toArray();
    }

    /** Updates the rows with one value in the first column; in a table with one column it deletes them. */
    private Step update(Made table) {
        List<Col> others = table.columns.subList(1, table.columns.size()).stream()
                .filter(column -> !column.fixed)
                .toList();
        if (others.isEmpty()) {
            return delete(table);
        }
        Col changed = others.get(random.nextInt(others.size()));
        String text = "UPDATE " + table.name + " SET " + changed.name + " = ?";
        Object value = values.value(changed.type);
        return random.nextInt(4) == 0
                ? RandomSteps.sql(text, value)
                : RandomSteps.sql(
                        text + " WHERE " + table.first().name + " = ?", value, values.value(table.first().type));
    }

    private Step delete(Made table) {
        return RandomSteps.sql(
                "DELETE FROM " + table.name + " WHERE " + table.first().name + " = ?",
                values.value(table.first().type));
    }
}
