package io.reprise.catalog;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** Makes a table from the columns and keys of CREATE TABLE, and adds the keys of ALTER TABLE. */
final class TableBuilder {
    private final Catalog catalog;
    private final Ddl.Name name;
    private final int id;

    TableBuilder(Catalog catalog, Ddl.Name name, int id) {
        this.catalog = catalog;
        this.name = name;
        this.id = id;
    }

    Table build(List<Ddl.ColumnDefinition> definitions, List<Ddl.KeyDefinition> keys) {
        List<Ddl.KeyDefinition> ordered = primaryKeyFirst(keys);
        Set<String> keyColumns = new HashSet<>();
        ordered.stream()
                .filter(Ddl.KeyDefinition::primary)
                .forEach(k -> k.columns().forEach(c -> keyColumns.add(c.text())));
        List<Column> columns = columns(definitions, keyColumns);
        Table table = new Table(id, name.text(), columns, List.of(), OptionalInt.empty());
        for (Ddl.KeyDefinition key : ordered) {
            table = TableEditor.withIndex(table, index(table, key));
        }
        return table;
    }

    private Index index(Table table, Ddl.KeyDefinition key) {
        return TableEditor.index(
                table, indexName(table, key), key.columns(), true, key.kind(), key.primary(), key.at());
    }

    /** A table that is there, with one more key. */
    Table withKey(Table table, Ddl.KeyDefinition key) {
        if (!key.primary()) {
            return TableEditor.withIndex(table, index(table, key));
        }
        table.primaryKey().ifPresent(there -> {
            throw new DdlException(key.at(), "table " + name + " has a primary key already, " + there.name());
        });
        return TableEditor.withPrimaryKey(table, index(table, key));
    }

    private List<Column> columns(List<Ddl.ColumnDefinition> definitions, Set<String> keyColumns) {
        List<Column> columns = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Ddl.ColumnDefinition definition : definitions) {
            Ddl.Name column = definition.name();
            TableEditor.checkColumnCount(name.text(), columns.size() + 1, column);
            if (!names.add(column.text())) {
                throw new DdlException(column.at(), "table " + name + " has a column " + column + " already");
            }
            boolean nullable = !definition.notNull() && !keyColumns.contains(column.text());
            TableEditor.checkNullDefault(definition, nullable);
            columns.add(TableEditor.column(definition, columns.size(), nullable));
        }
        return columns;
    }

    private List<Ddl.KeyDefinition> primaryKeyFirst(List<Ddl.KeyDefinition> keys) {
        List<Ddl.KeyDefinition> ordered =
                new ArrayList<>(keys.stream().filter(Ddl.KeyDefinition::primary).toList());
        if (ordered.size() > 1) {
            throw new DdlException(
                    ordered.get(1).at(),
                    "table " + name + " has a primary key already; for a key of several columns write"
                            + " PRIMARY KEY (a, b) after the columns");
        }
        keys.stream().filter(k -> !k.primary()).forEach(ordered::add);
        return ordered;
    }

    /** The constraint's name, or one made from table and columns that is not taken yet. */
    private Ddl.Name indexName(Table table, Ddl.KeyDefinition key) {
        if (key.name().isPresent()) {
            Ddl.Name given = new Ddl.Name(
                    inSchema(key.name().get().text()), key.name().get().at());
            if (isTaken(table, given.text())) {
                throw new DdlException(
                        given.at(), "there is an index " + given + " already; choose another name for the constraint");
            }
            return given;
        }
        StringBuilder base = new StringBuilder(QualifiedName.simple(name.text()));
        if (key.primary()) {
            base.append("_PK");
        } else {
            key.columns().forEach(c -> base.append('_').append(c));
            base.append("_UNIQUE");
        }
        base.setLength(Math.min(base.length(), Limits.NAME_LENGTH - 4));
        String candidate = inSchema(base.toString());
        for (int i = 2; isTaken(table, candidate); i++) {
            candidate = inSchema(base + "_" + i);
        }
        return new Ddl.Name(candidate, key.at());
    }

    private String inSchema(String indexName) {
        return QualifiedName.of(QualifiedName.schema(name.text()), indexName);
    }

    private boolean isTaken(Table table, String indexName) {
        return table.index(indexName).isPresent()
                || catalog.tableOfIndex(indexName).isPresent();
    }
}
