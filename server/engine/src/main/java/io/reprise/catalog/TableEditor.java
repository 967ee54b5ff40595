package io.reprise.catalog;

import io.reprise.procedure.ProcedureException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Tables with one thing changed, and the rules that each such change must keep. */
final class TableEditor {
    private TableEditor() {}

    /** Finds a column by name, or says which one may have been meant. */
    static Column column(String table, List<Column> columns, Ddl.Name name) {
        return columns.stream()
                .filter(c -> c.name().equals(name.text()))
                .findFirst()
                .orElseThrow(() -> new DdlException(
                        name.at(),
                        "table " + table + " has no column " + name
                                + Suggestions.didYouMean(
                                        name.text(),
                                        columns.stream().map(Column::name).toList())));
    }

    /** A column from its definition. */
    static Column column(Ddl.ColumnDefinition definition, int position, boolean nullable) {
        Optional<String> literal =
                definition.defaultLiteral().flatMap(d -> defaultValue(definition.name(), definition.type(), d));
        return new Column(definition.name().text(), position, definition.type(), nullable, literal);
    }

    /** The default of a column as its table keeps it; empty for NULL. */
    static Optional<String> defaultValue(Ddl.Name column, SqlType type, Ddl.Default value) {
        if (value.isExpression()) {
            return Optional.of(Sequence.ofDefault(value.literal())
                    .map(Sequence::nextValueOf)
                    .orElse(value.literal()));
        }
        return value.literal().equalsIgnoreCase("NULL")
                ? Optional.empty()
                : Optional.of(canonical(column, type, value));
    }

    private static String canonical(Ddl.Name column, SqlType type, Ddl.Default literal) {
        try {
            return Literals.format(type, Literals.parse(type, literal.literal()));
        } catch (ProcedureException e) {
            throw new DdlException(
                    literal.at(), "the default of column " + column + " does not fit " + type + ": " + e.getMessage());
        }
    }

    /** Refuses DEFAULT NULL on a column that can't be NULL. */
    static void checkNullDefault(Ddl.ColumnDefinition definition, boolean nullable) {
        definition.defaultLiteral().ifPresent(literal -> {
            if (!nullable && literal.literal().equalsIgnoreCase("NULL")) {
                throw new DdlException(
                        literal.at(),
                        "column " + definition.name()
                                + " is NOT NULL, so its default can't be NULL; leave DEFAULT out");
            }
        });
    }

    /** The table with another default of a column. */
    static Table withDefault(Table table, Column changed, Optional<String> value) {
        List<Column> columns = new ArrayList<>(table.columns());
        columns.set(
                changed.position(),
                new Column(changed.name(), changed.position(), changed.type(), changed.nullable(), value));
        return table.with(columns, table.indexes(), table.partitionColumn());
    }

    /** The table, partitioned on the column. */
    static Table partitioned(Table table, Column column) {
        return table.with(table.columns(), table.indexes(), OptionalInt.of(column.position()));
    }

    /** Makes the table's next index. */
    static Index index(
            Table table,
            Ddl.Name name,
            List<Ddl.Name> columnNames,
            boolean unique,
            Index.Kind kind,
            boolean primaryKey,
            Position at) {
        if (table.indexes().size() == Limits.INDEXES) {
            throw new DdlException(
                    at, "table " + table.name() + " has " + Limits.INDEXES + " indexes already, the most there can be");
        }
        if (columnNames.size() > Limits.KEY_COLUMNS) {
            throw new DdlException(
                    columnNames.get(Limits.KEY_COLUMNS).at(),
                    "an index can have at most " + Limits.KEY_COLUMNS + " columns, but " + name + " has "
                            + columnNames.size());
        }
        List<Integer> positions = new ArrayList<>();
        for (Ddl.Name columnName : columnNames) {
            int position = column(table.name(), table.columns(), columnName).position();
            if (positions.contains(position)) {
                throw new DdlException(columnName.at(), "column " + columnName + " is in index " + name + " twice");
            }
            positions.add(position);
        }
        Index index = new Index(name.text(), table.indexes().size(), positions, unique, kind, primaryKey);
        PartitioningRules.checkUnique(table, index, at);
        return index;
    }

    /** The table with one more index. */
    static Table withIndex(Table table, Index index) {
        List<Index> indexes = new ArrayList<>(table.indexes());
        indexes.add(index);
        return table.with(table.columns(), indexes, table.partitionColumn());
    }

    /** The table with a primary key, whose columns become NOT NULL. Its index is the first one. */
    static Table withPrimaryKey(Table table, Index key) {
        List<Column> columns = new ArrayList<>();
        for (Column column : table.columns()) {
            boolean nullable = column.nullable() && !key.columns().contains(column.position());
            columns.add(new Column(column.name(), column.position(), column.type(), nullable, column.defaultValue()));
        }
        List<Index> indexes = new ArrayList<>();
        indexes.add(at(0, key));
        table.indexes().forEach(index -> indexes.add(at(indexes.size(), index)));
        return table.with(columns, indexes, table.partitionColumn());
    }

    private static Index at(int position, Index index) {
        return new Index(index.name(), position, index.columns(), index.unique(), index.kind(), index.primaryKey());
    }

    /** The table without one of its indexes. */
    static Table withoutIndex(Table table, Index dropped) {
        List<Index> indexes = new ArrayList<>();
        for (Index index : table.indexes()) {
            if (index.position() != dropped.position()) {
                indexes.add(at(indexes.size(), index));
            }
        }
        return table.with(table.columns(), indexes, table.partitionColumn());
    }

    /** The table with one more column, the last. */
    static Table withColumn(Table table, Ddl.ColumnDefinition definition) {
        Ddl.Name name = definition.name();
        checkColumnCount(table.name(), table.columns().size() + 1, name);
        if (table.column(name.text()).isPresent()) {
            throw new DdlException(name.at(), "table " + table.name() + " has a column " + name + " already");
        }
        if (definition.notNull() && definition.defaultLiteral().isEmpty()) {
            throw new DdlException(
                    name.at(),
                    "column " + name
                            + " is NOT NULL but has no DEFAULT, so the rows that are there would have no value;"
                            + " give a DEFAULT, or leave NOT NULL out");
        }
        definition.defaultLiteral().filter(Ddl.Default::isExpression).ifPresent(expression -> {
            throw new DdlException(
                    expression.at(),
                    "the DEFAULT of an added column is a literal, because the rows that are there get it too;"
                            + " write the value, or create the table anew");
        });
        checkNullDefault(definition, !definition.notNull());
        List<Column> columns = new ArrayList<>(table.columns());
        columns.add(column(definition, columns.size(), !definition.notNull()));
        return table.with(columns, table.indexes(), table.partitionColumn());
    }

    /** The table without one of its columns. */
    static Table withoutColumn(Table table, Column dropped, Position at) {
        checkDroppable(table, dropped, at);
        List<Column> columns = new ArrayList<>();
        for (Column column : table.columns()) {
            if (column.position() != dropped.position()) {
                columns.add(new Column(
                        column.name(), columns.size(), column.type(), column.nullable(), column.defaultValue()));
            }
        }
        List<Index> indexes = table.indexes().stream()
                .map(i -> new Index(
                        i.name(),
                        i.position(),
                        i.columns().stream().map(c -> moved(c, dropped)).toList(),
                        i.unique(),
                        i.kind(),
                        i.primaryKey()))
                .toList();
        OptionalInt partitionColumn = table.replicated()
                ? OptionalInt.empty()
                : OptionalInt.of(moved(table.partitionColumn().getAsInt(), dropped));
        List<ForeignKey> foreignKeys = table.foreignKeys().stream()
                .map(key -> new ForeignKey(
                        key.name(),
                        key.columns().stream().map(c -> moved(c, dropped)).toList(),
                        key.parent(),
                        key.parentColumns(),
                        key.onDelete(),
                        key.onUpdate(),
                        key.enforced()))
                .toList();
        return table.with(columns, indexes, partitionColumn).withForeignKeys(foreignKeys);
    }

    private static int moved(int position, Column dropped) {
        return position > dropped.position() ? position - 1 : position;
    }

    private static void checkDroppable(Table table, Column dropped, Position at) {
        String what = "column " + dropped.name() + " of table " + table.name() + " can't be dropped: ";
        if (table.partitionColumn().equals(OptionalInt.of(dropped.position()))) {
            throw new DdlException(at, what + "the table is partitioned on it");
        }
        for (Index index : table.indexes()) {
            if (index.columns().contains(dropped.position())) {
                throw new DdlException(
                        at,
                        what
                                + (index.primaryKey()
                                        ? "it is in the primary key"
                                        : "it is in index " + index.name() + "; DROP INDEX " + index.name()
                                                + " first"));
            }
        }
        for (ForeignKey key : table.foreignKeys()) {
            if (key.columns().contains(dropped.position())) {
                throw new DdlException(at, what + "it is in foreign key " + key.name());
            }
        }
        for (Check check : table.checks()) {
            if (check.mayName(dropped.name())) {
                throw new DdlException(
                        at,
                        what + "CHECK " + check.name() + " names it; ALTER TABLE " + table.name() + " DROP CONSTRAINT "
                                + check.name() + " first");
            }
        }
        if (table.columns().size() == 1) {
            throw new DdlException(at, what + "it is the only one; DROP TABLE " + table.name() + " instead");
        }
    }

    /** Refuses a table with too many columns. */
    static void checkColumnCount(String table, int count, Ddl.Name last) {
        if (count > Limits.COLUMNS) {
            throw new DdlException(
                    last.at(),
                    "table " + table + " has more than " + Limits.COLUMNS + " columns, the most there can be");
        }
    }
}
