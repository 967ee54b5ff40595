package io.reprise.catalog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;

/** Changes columns and names of tables: types, NOT NULL and RENAME. */
final class ColumnEditor {
    private final Catalog catalog;

    ColumnEditor(Catalog catalog) {
        this.catalog = catalog;
    }

    private CatalogUpdate altered(Table before, Table after) {
        SequencedMap<String, Table> tables = new LinkedHashMap<>(catalog.tables());
        tables.put(after.name(), after);
        return new CatalogUpdate(catalog.withTables(tables), altered(before, after, before.columns()));
    }

    private static CatalogChange altered(Table before, Table after, List<Column> columns) {
        return new CatalogChange.TableAltered(
                before, after, columns.stream().map(Column::position).toList());
    }

    private static Table with(Table table, Column changed) {
        List<Column> columns = new ArrayList<>(table.columns());
        columns.set(changed.position(), changed);
        return table.with(columns, table.indexes(), table.partitionColumn());
    }

    /** SET NOT NULL, whose rows are checked when it is carried out, or DROP NOT NULL. */
    CatalogUpdate setNotNull(Table table, Column column, Ddl.SetNotNull set) {
        if (!set.notNull()) {
            boolean key = table.primaryKey()
                    .filter(index -> index.columns().contains(column.position()))
                    .isPresent();
            if (key || table.partitionColumn().equals(OptionalInt.of(column.position()))) {
                throw new DdlException(
                        set.column().at(),
                        "column " + column.name() + " stays NOT NULL: it is "
                                + (key ? "in the primary key" : "the partitioning column"));
            }
        }
        return altered(
                table,
                with(
                        table,
                        new Column(
                                column.name(),
                                column.position(),
                                column.type(),
                                !set.notNull(),
                                column.defaultValue())));
    }

    /** ALTER COLUMN ... TYPE. */
    CatalogUpdate setType(Table table, Column column, Ddl.SetType set) {
        SqlType from = column.type();
        SqlType to = set.type();
        if (!TypeChange.isPossible(from, to)) {
            throw refused(
                    set.column(),
                    "column " + column.name() + " is " + from + " and can't become " + to
                            + "; ADD a column, copy the values with UPDATE, and DROP the old one");
        }
        boolean alike = from.kind() == to.kind() && from.scale() == to.scale()
                || from.kind().isInteger() && to.kind().isInteger();
        if (!alike && table.partitionColumn().equals(OptionalInt.of(column.position()))) {
            throw refused(
                    set.column(),
                    "column " + column.name() + " can't become " + to + ": table " + table.name()
                            + " is partitioned on it, and the buckets of its values would change");
        }
        if (!alike) {
            checkNoForeignKey(table, column, set);
            for (Check check : table.checks()) {
                if (check.mayName(column.name())) {
                    throw refused(
                            set.column(),
                            "column " + column.name() + " can't become " + to + ": CHECK " + check.name()
                                    + " names it; ALTER TABLE " + table.name() + " DROP CONSTRAINT " + check.name()
                                    + " first");
                }
            }
        }
        Optional<String> value = column.defaultValue()
                .flatMap(text -> TableEditor.defaultValue(
                        set.column(), to, new Ddl.Default(text, set.column().at())));
        return altered(table, with(table, new Column(column.name(), column.position(), to, column.nullable(), value)));
    }

    private void checkNoForeignKey(Table table, Column column, Ddl.SetType set) {
        for (Table child : catalog.tables().values()) {
            for (ForeignKey key : child.foreignKeys()) {
                boolean here = child.id() == table.id() && key.columns().contains(column.position());
                boolean there =
                        key.parent().equals(table.name()) && key.parentColumns().contains(column.name());
                if (here || there) {
                    throw refused(
                            set.column(),
                            "column " + column.name() + " can't become " + set.type() + ": foreign key " + key.name()
                                    + " of table " + child.name() + " compares it; ALTER TABLE " + child.name()
                                    + " DROP CONSTRAINT " + key.name() + " first");
                }
            }
        }
    }

    /** RENAME COLUMN. Views and procedures that name the column are planned again, which refuses the change. */
    CatalogUpdate renameColumn(Table table, Column column, Ddl.RenameColumn rename) {
        String name = rename.to().text();
        if (table.column(name).isPresent()) {
            throw refused(rename.to(), "table " + table.name() + " has a column " + name + " already");
        }
        for (Check check : table.checks()) {
            if (check.mayName(column.name())) {
                throw refused(
                        rename.column(),
                        "column " + column.name() + " can't be renamed: CHECK " + check.name()
                                + " names it; ALTER TABLE " + table.name() + " DROP CONSTRAINT " + check.name()
                                + " first");
            }
        }
        Table after = with(
                table, new Column(name, column.position(), column.type(), column.nullable(), column.defaultValue()));
        SequencedMap<String, Table> tables = new LinkedHashMap<>();
        for (Table each : catalog.tables().values()) {
            Table kept = each.id() == table.id() ? after : each;
            tables.put(
                    kept.name(),
                    SequenceEditor.renamed(
                            withParents(kept, table.name(), table.name(), column.name(), name),
                            new Sequence.Owner(table.name(), column.name()),
                            new Sequence.Owner(table.name(), name)));
        }
        SequencedMap<String, ProcedureDefinition> procedures = new LinkedHashMap<>();
        for (ProcedureDefinition each : catalog.procedures().values()) {
            procedures.put(each.name(), routed(each, table.name(), table.name(), column.name(), name));
        }
        Catalog changed = catalog.with(tables, procedures, catalog.views());
        return new CatalogUpdate(
                changed, altered(table, changed.table(table.id()).orElseThrow(), table.columns()));
    }

    /** RENAME TO. */
    CatalogUpdate renameTable(Table table, Ddl.RenameTable rename) {
        String name = rename.to().text();
        if (catalog.table(name).isPresent() || catalog.views().containsKey(name)) {
            throw refused(rename.to(), "there is a table or view " + name + " already; choose another name");
        }
        for (View view : catalog.views().values()) {
            if (view.mayName(table.name())) {
                throw refused(
                        rename.table(),
                        "table " + table.name() + " can't be renamed: view " + view.name() + " uses it; DROP VIEW "
                                + view.name() + " first");
            }
        }
        SequencedMap<String, Table> tables = new LinkedHashMap<>();
        for (Table each : catalog.tables().values()) {
            Table kept = withParents(each.id() == table.id() ? each.named(name) : each, table.name(), name, "", "");
            tables.put(
                    kept.name(),
                    SequenceEditor.renamed(kept, new Sequence.Owner(table.name(), ""), new Sequence.Owner(name, "")));
        }
        SequencedMap<String, ProcedureDefinition> procedures = new LinkedHashMap<>();
        for (ProcedureDefinition each : catalog.procedures().values()) {
            procedures.put(each.name(), routed(each, table.name(), name, "", ""));
        }
        Catalog changed = catalog.with(tables, procedures, catalog.views());
        return new CatalogUpdate(
                changed, altered(table, changed.table(table.id()).orElseThrow(), table.columns()));
    }

    /** The table with the new names of a parent, and of the parent's column, in its foreign keys. */
    private static Table withParents(Table table, String parent, String newParent, String column, String newColumn) {
        List<ForeignKey> keys = new ArrayList<>();
        for (ForeignKey key : table.foreignKeys()) {
            boolean named = key.parent().equals(parent);
            List<String> columns = key.parentColumns().stream()
                    .map(c -> named && c.equals(column) ? newColumn : c)
                    .toList();
            keys.add(new ForeignKey(
                    key.name(),
                    key.columns(),
                    named ? newParent : key.parent(),
                    columns,
                    key.onDelete(),
                    key.onUpdate(),
                    key.enforced()));
        }
        return table.withForeignKeys(keys);
    }

    private static ProcedureDefinition routed(
            ProcedureDefinition procedure, String table, String newTable, String column, String newColumn) {
        List<ProcedureDefinition.Routing> routing = procedure.routing().stream()
                .map(r -> r.table().equals(table)
                        ? new ProcedureDefinition.Routing(
                                newTable, r.column().equals(column) ? newColumn : r.column(), r.parameter())
                        : r)
                .toList();
        return new ProcedureDefinition(procedure.name(), procedure.source(), routing, procedure.logging());
    }

    private static DdlException refused(Ddl.Name name, String problem) {
        return new DdlException(name.at(), problem);
    }
}
