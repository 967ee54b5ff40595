package io.reprise.catalog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Carries DDL statements out: a pure function from a catalog to the next one. A refusal names the position of the
 * offending word and the remedy; the catalog given stays as it is.
 */
public final class CatalogEditor {
    private final Catalog catalog;

    private CatalogEditor(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Applies a statement; throws {@link DdlException}. */
    public static CatalogUpdate apply(Catalog catalog, Ddl ddl) {
        CatalogEditor editor = new CatalogEditor(catalog);
        SchemaEditor.checkSchema(catalog, ddl);
        return switch (ddl) {
            case Ddl.CreateTable create -> editor.createTable(create);
            case Ddl.PartitionTable partition -> editor.partitionTable(partition);
            case Ddl.CreateIndex create -> editor.createIndex(create);
            case Ddl.DropTable drop -> editor.dropTable(drop);
            case Ddl.DropIndex drop -> editor.dropIndex(drop);
            case Ddl.AddColumn add -> editor.addColumn(add);
            case Ddl.DropColumn drop -> editor.dropColumn(drop);
            case Ddl.CreateProcedure create -> editor.createProcedure(create);
            case Ddl.DropProcedure drop -> editor.dropProcedure(drop);
            case Ddl.CreateView create -> new ViewEditor(catalog).create(create);
            case Ddl.DropView drop -> new ViewEditor(catalog).drop(drop);
            case Ddl.CreateSchema create -> new SchemaEditor(catalog).create(create);
            case Ddl.DropSchema drop -> new SchemaEditor(catalog).drop(drop);
            case Ddl.AddForeignKey add -> editor.addForeignKey(add);
            case Ddl.CreateSequence create -> new SequenceEditor(catalog).create(create);
            case Ddl.AlterSequence alter -> new SequenceEditor(catalog).alter(alter);
            case Ddl.DropSequence drop -> new SequenceEditor(catalog).drop(drop);
            case Ddl.SetDefault set -> editor.setDefault(set);
            case Ddl.SetLogging set -> editor.setLogging(set);
            case Ddl.SetNotNull set ->
                new ColumnEditor(catalog)
                        .setNotNull(editor.table(set.table()), editor.column(set.table(), set.column()), set);
            case Ddl.SetType set ->
                new ColumnEditor(catalog)
                        .setType(editor.table(set.table()), editor.column(set.table(), set.column()), set);
            case Ddl.RenameColumn rename ->
                new ColumnEditor(catalog)
                        .renameColumn(
                                editor.table(rename.table()), editor.column(rename.table(), rename.column()), rename);
            case Ddl.RenameTable rename -> new ColumnEditor(catalog).renameTable(editor.table(rename.table()), rename);
            case Ddl.AddCheck add -> editor.addCheck(add);
            case Ddl.AddKey add -> editor.addKey(add);
            case Ddl.Several several -> several(catalog, several);
            case Ddl.DropConstraint drop -> editor.dropConstraint(drop);
        };
    }

    /** Carries each statement out as soon as nothing that is still to be dropped needs what it drops. */
    private static CatalogUpdate several(Catalog before, Ddl.Several several) {
        Catalog catalog = before;
        List<CatalogChange> changes = new ArrayList<>();
        List<Ddl> left = new ArrayList<>(several.statements());
        while (!left.isEmpty()) {
            int count = left.size();
            DdlException refusal = null;
            for (Ddl statement : List.copyOf(left)) {
                try {
                    CatalogUpdate update = apply(catalog, statement);
                    catalog = update.catalog();
                    changes.add(update.change());
                    left.remove(statement);
                } catch (DdlException e) {
                    refusal = refusal == null ? e : refusal;
                }
            }
            if (left.size() == count) {
                throw refusal;
            }
        }
        if (catalog == before) {
            return new CatalogUpdate(before, changes.getFirst());
        }
        // One change, of several things.
        return new CatalogUpdate(
                catalog.withCounters(before.version() + 1, catalog.nextTableId()),
                new CatalogChange.Several(List.copyOf(changes)));
    }

    private CatalogUpdate createTable(Ddl.CreateTable create) {
        String name = create.table().text();
        if (catalog.table(name).isPresent()) {
            if (create.ifNotExists()) {
                return nothing("table " + name + " exists already");
            }
            throw refused(create.table(), "table " + name + " exists already; DROP it first, or choose another name");
        }
        if (catalog.views().containsKey(name)) {
            throw refused(create.table(), "there is a view " + name + "; DROP it first, or choose another name");
        }
        SequenceEditor.Numbered numbered = SequenceEditor.number(catalog, create.table(), create.columns());
        CatalogUpdate update = new CatalogEditor(numbered.catalog()).createTable(create, numbered.columns());
        Catalog after = update.catalog();
        // One change, with the sequences of its columns.
        return new CatalogUpdate(after.withCounters(catalog.version() + 1, after.nextTableId()), update.change());
    }

    private CatalogUpdate createTable(Ddl.CreateTable create, List<Ddl.ColumnDefinition> columns) {
        String name = create.table().text();
        int id = create.id().orElse(catalog.nextTableId());
        if (id < catalog.nextTableId()) {
            throw refused(
                    create.table(),
                    "table " + name + " can't have id " + id + ": ids up to " + (catalog.nextTableId() - 1)
                            + " are used already");
        }
        Table table = new TableBuilder(catalog, create.table(), id).build(columns, create.keys());
        for (Ddl.ForeignKeyDefinition key : create.foreignKeys()) {
            table = ForeignKeyEditor.with(catalog, table, key);
        }
        for (Ddl.CheckDefinition check : create.checks()) {
            table = CheckEditor.with(table, check);
        }
        table = table.withLogging(create.logging());
        Catalog after = replace(table);
        return new CatalogUpdate(after.withCounters(after.version(), id + 1), new CatalogChange.TableCreated(table));
    }

    private CatalogUpdate partitionTable(Ddl.PartitionTable partition) {
        Table table = table(partition.table());
        Column column = column(table, partition.column());
        PartitioningRules.checkPartitioning(table, column, partition);
        Table after = TableEditor.partitioned(table, column);
        return new CatalogUpdate(replace(after), new CatalogChange.TablePartitioned(table, after));
    }

    private CatalogUpdate createIndex(Ddl.CreateIndex create) {
        Table table = table(create.table());
        String name = create.index().text();
        Optional<Table> owner = catalog.tableOfIndex(name);
        if (owner.isPresent()) {
            if (create.ifNotExists()) {
                return nothing("index " + name + " exists already");
            }
            throw refused(
                    create.index(),
                    "index " + name + " exists already, on table " + owner.get().name()
                            + "; DROP it first, or choose another name");
        }
        Index index = TableEditor.index(
                table,
                create.index(),
                create.columns(),
                create.unique(),
                create.kind(),
                false,
                create.index().at());
        Table after = TableEditor.withIndex(table, index);
        return new CatalogUpdate(replace(after), new CatalogChange.IndexAdded(table, after, index));
    }

    private CatalogUpdate dropTable(Ddl.DropTable drop) {
        String name = drop.table().text();
        if (drop.ifExists() && catalog.table(name).isEmpty()) {
            return nothing("there is no table " + name);
        }
        Table table = table(drop.table());
        SequencedMap<String, ProcedureDefinition> procedures = new LinkedHashMap<>(catalog.procedures());
        for (ProcedureDefinition procedure : catalog.procedures().values()) {
            if (procedure.routing().stream().anyMatch(r -> r.table().equals(name))) {
                if (!drop.cascade()) {
                    throw refused(
                            drop.table(),
                            "table " + name + " can't be dropped: procedure " + procedure.name()
                                    + " is partitioned on it; DROP PROCEDURE " + procedure.name() + " first");
                }
                procedures.remove(procedure.name());
            }
        }
        SequencedMap<String, View> views = new ViewEditor(catalog).without(drop.table(), "table", drop.cascade());
        SequencedMap<String, Table> tables = ForeignKeyEditor.without(catalog, drop);
        SequenceEditor.removeOwned(tables, name, null);
        return new CatalogUpdate(catalog.with(tables, procedures, views), new CatalogChange.TableDropped(table));
    }

    private CatalogUpdate addForeignKey(Ddl.AddForeignKey add) {
        Table table = table(add.table());
        Table after = ForeignKeyEditor.with(catalog, table, add.key());
        return new CatalogUpdate(replace(after), new CatalogChange.ForeignKeyAdded(table, after));
    }

    private CatalogUpdate addCheck(Ddl.AddCheck add) {
        Table table = table(add.table());
        Table after = CheckEditor.with(table, add.check());
        return new CatalogUpdate(
                replace(after),
                new CatalogChange.CheckAdded(table, after, after.checks().getLast()));
    }

    private CatalogUpdate addKey(Ddl.AddKey add) {
        Table table = table(add.table());
        Table after = new TableBuilder(catalog, add.table(), table.id()).withKey(table, add.key());
        return new CatalogUpdate(
                replace(after),
                add.key().primary()
                        ? new CatalogChange.PrimaryKeyAdded(table, after)
                        : new CatalogChange.IndexAdded(
                                table, after, after.indexes().getLast()));
    }

    private static List<Integer> unmoved(Table table) {
        return table.columns().stream().map(Column::position).toList();
    }

    /** A unique constraint is its index. */
    private CatalogUpdate dropConstraint(Ddl.DropConstraint drop) {
        Table table = table(drop.table());
        String name = drop.constraint().text();
        String index = QualifiedName.of(QualifiedName.schema(table.name()), name);
        if (table.index(index).filter(Index::unique).isPresent()) {
            return dropIndex(
                    new Ddl.DropIndex(new Ddl.Name(index, drop.constraint().at()), false));
        }
        boolean known = table.checks().stream().anyMatch(c -> c.name().equals(name))
                || table.foreignKeys().stream().anyMatch(k -> k.name().equals(name));
        if (!known && drop.ifExists()) {
            return nothing("table " + table.name() + " has no constraint " + name);
        }
        Table after = CheckEditor.without(table, drop.constraint());
        return new CatalogUpdate(replace(after), new CatalogChange.ConstraintDropped(table, after));
    }

    private CatalogUpdate dropIndex(Ddl.DropIndex drop) {
        String name = drop.index().text();
        Optional<Table> owner = catalog.tableOfIndex(name);
        if (owner.isEmpty()) {
            if (drop.ifExists()) {
                return nothing("there is no index " + name);
            }
            List<String> names = catalog.tables().values().stream()
                    .flatMap(t -> t.indexes().stream())
                    .map(Index::name)
                    .toList();
            throw refused(drop.index(), "there is no index " + name + Suggestions.didYouMean(name, names));
        }
        Table table = owner.get();
        Index index = table.index(name).orElseThrow();
        if (index.primaryKey()) {
            throw refused(
                    drop.index(),
                    "index " + name + " is the primary key of table " + table.name()
                            + ", which can't be dropped; create a table without it and move the rows");
        }
        Table after = TableEditor.withoutIndex(table, index);
        ForeignKeyEditor.checkKeys(catalog, after, drop.index().at());
        return new CatalogUpdate(replace(after), new CatalogChange.IndexDropped(table, after, index));
    }

    private CatalogUpdate addColumn(Ddl.AddColumn add) {
        Table table = table(add.table());
        if (add.ifNotExists() && table.column(add.column().name().text()).isPresent()) {
            return nothing(
                    "table " + table.name() + " has a column " + add.column().name());
        }
        if (add.column().numbers().isPresent()) {
            throw refused(
                    add.column().name(),
                    "a column that numbers itself can't be added, because the rows that are there need numbers; create"
                            + " the table anew with it");
        }
        Table after = TableEditor.withColumn(table, add.column());
        List<Integer> sources = new ArrayList<>();
        for (Column column : table.columns()) {
            sources.add(column.position());
        }
        sources.add(-1);
        return new CatalogUpdate(replace(after), new CatalogChange.TableAltered(table, after, List.copyOf(sources)));
    }

    private CatalogUpdate dropColumn(Ddl.DropColumn drop) {
        Table table = table(drop.table());
        if (drop.ifExists() && table.column(drop.column().text()).isEmpty()) {
            return nothing("table " + table.name() + " has no column " + drop.column());
        }
        Column column = column(table, drop.column());
        Table after = TableEditor.withoutColumn(table, column, drop.column().at());
        List<Integer> sources = table.columns().stream()
                .map(Column::position)
                .filter(p -> p != column.position())
                .toList();
        SequencedMap<String, Table> tables = new LinkedHashMap<>(catalog.tables());
        tables.put(after.name(), after);
        SequenceEditor.removeOwned(tables, table.name(), column.name());
        return new CatalogUpdate(catalog.withTables(tables), new CatalogChange.TableAltered(table, after, sources));
    }

    /** The rows stay as they are; procedures that name the table are made again. */
    private CatalogUpdate setLogging(Ddl.SetLogging set) {
        Table table = table(set.table());
        Table after = table.withLogging(set.logging());
        return new CatalogUpdate(replace(after), new CatalogChange.TableAltered(table, after, unmoved(table)));
    }

    private CatalogUpdate setDefault(Ddl.SetDefault set) {
        Table table = table(set.table());
        Column column = column(table, set.column());
        Table after = TableEditor.withDefault(
                table,
                column,
                set.value().flatMap(value -> TableEditor.defaultValue(set.column(), column.type(), value)));
        return new CatalogUpdate(replace(after), new CatalogChange.TableAltered(table, after, unmoved(table)));
    }

    private CatalogUpdate createProcedure(Ddl.CreateProcedure create) {
        Ddl.Name name = create.procedure();
        Optional<ProcedureDefinition> before = catalog.procedure(name.text());
        if (before.isPresent() && !create.replace()) {
            throw refused(
                    name,
                    "procedure " + before.get().name() + " exists already; CREATE OR REPLACE PROCEDURE replaces it");
        }
        List<ProcedureDefinition.Routing> routing = new ArrayList<>();
        for (Ddl.RoutingClause clause : create.routing()) {
            routing.add(PartitioningRules.routing(table(clause.table()), clause, routing));
        }
        String kept = before.map(ProcedureDefinition::name).orElse(name.text());
        ProcedureDefinition after = new ProcedureDefinition(kept, create.source(), routing, create.logging());
        SequencedMap<String, ProcedureDefinition> procedures = new LinkedHashMap<>(catalog.procedures());
        procedures.put(kept, after);
        return new CatalogUpdate(
                withProcedures(procedures),
                before.isPresent()
                        ? new CatalogChange.ProcedureReplaced(before.get(), after)
                        : new CatalogChange.ProcedureAdded(after));
    }

    private CatalogUpdate dropProcedure(Ddl.DropProcedure drop) {
        String name = drop.procedure().text();
        Optional<ProcedureDefinition> procedure = catalog.procedure(name);
        if (procedure.isEmpty()) {
            if (drop.ifExists()) {
                return nothing("there is no procedure " + name);
            }
            throw refused(
                    drop.procedure(),
                    "there is no procedure " + name
                            + Suggestions.didYouMean(name, catalog.procedures().keySet()));
        }
        SequencedMap<String, ProcedureDefinition> procedures = new LinkedHashMap<>(catalog.procedures());
        procedures.remove(procedure.get().name());
        return new CatalogUpdate(withProcedures(procedures), new CatalogChange.ProcedureDropped(procedure.get()));
    }

    private Table table(Ddl.Name name) {
        if (catalog.table(name.text()).flatMap(Table::sequence).isPresent()) {
            throw refused(name, name + " is a sequence; ALTER SEQUENCE and DROP SEQUENCE change it");
        }
        return catalog.table(name.text())
                .orElseThrow(() -> refused(
                        name,
                        "there is no table " + name
                                + Suggestions.didYouMean(
                                        name.text(), catalog.tables().keySet())));
    }

    private Column column(Ddl.Name table, Ddl.Name name) {
        return column(table(table), name);
    }

    private static Column column(Table table, Ddl.Name name) {
        return TableEditor.column(table.name(), table.columns(), name);
    }

    private CatalogUpdate nothing(String reason) {
        return new CatalogUpdate(catalog, new CatalogChange.Nothing(reason));
    }

    private Catalog replace(Table after) {
        SequencedMap<String, Table> tables = new LinkedHashMap<>(catalog.tables());
        tables.put(after.name(), after);
        return catalog.withTables(tables);
    }

    private Catalog withProcedures(SequencedMap<String, ProcedureDefinition> procedures) {
        return catalog.withProcedures(procedures);
    }

    private static DdlException refused(Ddl.Name name, String problem) {
        return new DdlException(name.at(), problem);
    }
}
