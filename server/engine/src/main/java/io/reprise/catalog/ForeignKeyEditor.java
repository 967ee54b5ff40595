package io.reprise.catalog;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** Checks foreign keys and keeps them in step with the tables that they name. */
final class ForeignKeyEditor {
    private ForeignKeyEditor() {}

    /** The table with one more foreign key; the parent may be the table itself. */
    static Table with(Catalog catalog, Table table, Ddl.ForeignKeyDefinition definition) {
        Ddl.Name parentName = definition.parent();
        Table parent = parentName.text().equals(table.name())
                ? table
                : catalog.table(parentName.text())
                        .orElseThrow(() -> new DdlException(
                                parentName.at(),
                                "there is no table " + parentName
                                        + Suggestions.didYouMean(
                                                parentName.text(),
                                                catalog.tables().keySet())));
        List<Integer> columns = definition.columns().stream()
                .map(c -> TableEditor.column(table.name(), table.columns(), c).position())
                .toList();
        List<String> parentColumns = parentColumns(parent, definition);
        checkTypes(table, columns, parent, parentColumns, definition);
        String name = name(table, definition);
        List<ForeignKey> keys = new ArrayList<>(table.foreignKeys());
        keys.add(new ForeignKey(
                name,
                columns,
                parent.name(),
                parentColumns,
                definition.onDelete(),
                definition.onUpdate(),
                definition.enforced()));
        return table.withForeignKeys(keys);
    }

    private static List<String> parentColumns(Table parent, Ddl.ForeignKeyDefinition definition) {
        List<String> named = definition.parentColumns().stream()
                .map(c -> TableEditor.column(parent.name(), parent.columns(), c).name())
                .toList();
        if (named.isEmpty()) {
            named = parent
                    .primaryKey()
                    .orElseThrow(() -> new DdlException(
                            definition.parent().at(),
                            "table " + parent.name() + " has no primary key; name the columns of a unique key"))
                    .columns()
                    .stream()
                    .map(c -> parent.columns().get(c).name())
                    .toList();
        }
        if (named.size() != definition.columns().size()) {
            throw new DdlException(
                    definition.at(),
                    "the foreign key has " + definition.columns().size() + " columns and names " + named.size()
                            + " of table " + parent.name());
        }
        List<String> wanted = named;
        boolean unique = parent.indexes().stream()
                .anyMatch(i -> i.unique()
                        && i.columns().size() == wanted.size()
                        && i.columns().stream()
                                .allMatch(c ->
                                        wanted.contains(parent.columns().get(c).name())));
        if (!unique) {
            throw new DdlException(
                    definition.parent().at(),
                    "(" + String.join(", ", named) + ") is no primary or unique key of table " + parent.name());
        }
        return named;
    }

    private static void checkTypes(
            Table table,
            List<Integer> columns,
            Table parent,
            List<String> parentColumns,
            Ddl.ForeignKeyDefinition definition) {
        for (int i = 0; i < columns.size(); i++) {
            Column child = table.columns().get(columns.get(i));
            Column there = parent.column(parentColumns.get(i)).orElseThrow();
            if (!areAlike(child.type(), there.type())) {
                throw new DdlException(
                        definition.columns().get(i).at(),
                        "column " + child.name() + " is " + child.type() + ", but column " + there.name() + " of table "
                                + parent.name() + " is " + there.type());
            }
        }
    }

    /** A DECIMAL of more than 18 digits is held as bytes, which are like no others. */
    private static boolean areAlike(SqlType one, SqlType other) {
        boolean sameKind = one.kind() == other.kind()
                || one.kind().isInteger() && other.kind().isInteger();
        return sameKind && one.isWide() == other.isWide();
    }

    private static String name(Table table, Ddl.ForeignKeyDefinition definition) {
        List<String> taken = table.foreignKeys().stream().map(ForeignKey::name).toList();
        if (definition.name().isPresent()) {
            Ddl.Name given = definition.name().get();
            if (taken.contains(given.text())) {
                throw new DdlException(
                        given.at(), "table " + table.name() + " has a foreign key " + given + " already");
            }
            return given.text();
        }
        StringBuilder base = new StringBuilder(QualifiedName.simple(table.name()));
        definition.columns().forEach(c -> base.append('_').append(c));
        base.append("_FKEY");
        base.setLength(Math.min(base.length(), Limits.NAME_LENGTH - 4));
        String candidate = base.toString();
        for (int i = 2; taken.contains(candidate); i++) {
            candidate = base + "_" + i;
        }
        return candidate;
    }

    /** The tables without the foreign keys that name a table which is dropped; refuses without CASCADE. */
    static SequencedMap<String, Table> without(Catalog catalog, Ddl.DropTable drop) {
        SequencedMap<String, Table> tables = new LinkedHashMap<>(catalog.tables());
        for (Table table : catalog.tables().values()) {
            List<ForeignKey> kept = table.foreignKeys().stream()
                    .filter(key -> !key.parent().equals(drop.table().text()))
                    .toList();
            if (kept.size() == table.foreignKeys().size()
                    || table.name().equals(drop.table().text())) {
                continue;
            }
            if (!drop.cascade()) {
                List<String> gone = table.foreignKeys().stream()
                        .map(ForeignKey::name)
                        .filter(name -> kept.stream().noneMatch(k -> k.name().equals(name)))
                        .toList();
                throw new DdlException(
                        drop.table().at(),
                        "table " + drop.table() + " can't be dropped: foreign key " + gone.getFirst() + " of table "
                                + table.name() + " names it; DROP TABLE " + table.name()
                                + " first, or add CASCADE");
            }
            tables.put(table.name(), table.withForeignKeys(kept));
        }
        tables.remove(drop.table().text());
        return tables;
    }

    /** Refuses to drop a column or a unique index that a foreign key needs. */
    static void checkKeys(Catalog catalog, Table after, Position at) {
        for (Table table : catalog.tables().values()) {
            for (ForeignKey key : table.foreignKeys()) {
                if (key.parent().equals(after.name()) && !hasKey(after, key)) {
                    throw new DdlException(
                            at,
                            "foreign key " + key.name() + " of table " + table.name() + " needs the unique key ("
                                    + String.join(", ", key.parentColumns()) + ") of table " + after.name());
                }
            }
        }
    }

    private static boolean hasKey(Table parent, ForeignKey key) {
        return parent.indexes().stream()
                .filter(Index::unique)
                .map(i -> new HashSet<>(i.columns().stream()
                        .map(c -> parent.columns().get(c).name())
                        .toList()))
                .anyMatch(new HashSet<>(key.parentColumns())::equals);
    }
}
