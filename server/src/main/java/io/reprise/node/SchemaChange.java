package io.reprise.node;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.CatalogChange;
import io.reprise.catalog.CatalogEditor;
import io.reprise.catalog.CatalogUpdate;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.ProcedureDefinition;
import io.reprise.catalog.Table;
import io.reprise.execution.Partition;
import io.reprise.execution.Work;
import io.reprise.execution.work.StatementCollector;
import io.reprise.execution.work.StatementTables;
import io.reprise.execution.work.WorkFactory;
import io.reprise.sql.parse.DdlParser;
import io.reprise.sql.parse.ScriptStatement;
import io.reprise.sql.parse.SqlScript;
import io.reprise.sql.parse.StatementKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The way from one schema to the next: everything that can be refused is found out first, on the administrator's thread,
 * while transactions run on: the script is read, procedures are loaded, statements planned and compiled. {@link #apply}
 * then changes tables and binds procedures while it holds all partitions; it succeeds everywhere or changes nothing.
 */
final class SchemaChange {
    private final Schema before;
    private final Schema after;
    private final List<TableChange> tables = new ArrayList<>();
    private final List<Work> made = new ArrayList<>();

    private SchemaChange(Schema before, Schema after) {
        this.before = before;
        this.after = after;
    }

    /** Prepares the change that a script of DDL statements makes. */
    static SchemaChange prepare(
            Schema before, String script, ProcedureSources.Loaders loaders, StatementCollector statements) {
        return prepare(before, script, loaders, statements, definition -> false);
    }

    /** The same; the procedures that the predicate names are made anew even if nothing that they use has changed. */
    static SchemaChange prepare(
            Schema before,
            String script,
            ProcedureSources.Loaders loaders,
            StatementCollector statements,
            Predicate<ProcedureDefinition> anew) {
        Catalog catalog = before.catalog();
        List<CatalogChange> changes = new ArrayList<>();
        for (ScriptStatement statement : SqlScript.split(script)) {
            if (statement.kind() != StatementKind.DDL) {
                throw new DdlException(
                        statement.at(),
                        "a script for the schema has DDL statements only, but this is a " + statement.kind()
                                + "; run it as a statement");
            }
            CatalogUpdate update = CatalogEditor.apply(catalog, DdlParser.parse(statement));
            catalog = update.catalog();
            changes.add(update.change());
        }
        return prepare(before, catalog, changes, loaders, statements, anew);
    }

    private static SchemaChange prepare(
            Schema before,
            Catalog catalog,
            List<CatalogChange> changes,
            ProcedureSources.Loaders loaders,
            StatementCollector statements,
            Predicate<ProcedureDefinition> anew) {
        Set<Integer> changed = changedTables(before.catalog(), catalog);
        Set<String> replaced = new HashSet<>();
        for (CatalogChange change : changes) {
            if (change instanceof CatalogChange.ProcedureReplaced replacement) {
                replaced.add(replacement.after().name());
            }
        }
        Map<String, Work> works = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        List<Work> made = new ArrayList<>();
        for (ProcedureDefinition definition : catalog.procedures().values()) {
            Work existing = before.works().get(definition.name());
            boolean same = existing != null
                    && definition.equals(before.catalog().procedures().get(definition.name()))
                    && !replaced.contains(definition.name())
                    && !anew.test(definition)
                    && !StatementTables.anyOf(changed, existing.statements());
            Work work = same ? existing : WorkFactory.procedure(catalog, definition, loaders::load, statements);
            works.put(definition.name(), work);
            if (!same) {
                made.add(work);
            }
        }
        SchemaChange change = new SchemaChange(before, new Schema(catalog, works));
        change.made.addAll(made);
        change.addTables(changes);
        return change;
    }

    /** A new index may make another plan better, so a table counts as changed whatever is different. */
    private static Set<Integer> changedTables(Catalog before, Catalog after) {
        Set<Integer> changed = new HashSet<>();
        for (Table table : before.tables().values()) {
            if (!after.table(table.id()).map(table::equals).orElse(false)) {
                changed.add(table.id());
            }
        }
        return changed;
    }

    private void addTables(List<CatalogChange> changes) {
        for (Table old : before.catalog().tables().values()) {
            Table now = after.catalog().table(old.id()).orElse(null);
            if (!old.equals(now)) {
                tables.add(TableChange.of(old, now, changes));
            }
        }
        for (Table now : after.catalog().tables().values()) {
            if (before.catalog().table(now.id()).isEmpty()) {
                tables.add(TableChange.of(null, now, changes));
            }
        }
    }

    /** The schema that there will be. */
    Schema after() {
        return after;
    }

    /** Whether there is nothing to do at the partitions. */
    boolean isEmpty() {
        return tables.isEmpty() && made.isEmpty() && before.works().equals(after.works());
    }

    /** Carries the change out at all partitions, which the caller holds; throws, and nothing has changed. */
    void apply(List<Partition> partitions, long nowMicros) {
        List<Runnable> reverts = new ArrayList<>();
        try {
            for (TableChange change : tables) {
                for (Partition partition : partitions) {
                    change.apply(partition, nowMicros);
                    reverts.add(() -> change.revert(partition));
                }
            }
            for (Work work : made) {
                work.bind(partitions);
            }
        } catch (Throwable refusal) {
            reverts.reversed().forEach(Runnable::run);
            throw refusal;
        }
        for (TableChange change : tables) {
            partitions.forEach(change::finish);
        }
        for (Map.Entry<String, Work> old : before.works().entrySet()) {
            Work now = after.works().get(old.getKey());
            if (now != old.getValue()) {
                old.getValue().retire(now);
            }
        }
    }
}
