package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.CatalogChange;
import io.reprise.catalog.CatalogEditor;
import io.reprise.catalog.CatalogUpdate;
import io.reprise.catalog.Ddl;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.ForeignKeys;
import io.reprise.catalog.ProcedureDefinition;
import io.reprise.catalog.Table;
import io.reprise.execution.Partition;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.ProcedureLoader;
import io.reprise.execution.work.RefusedWork;
import io.reprise.execution.work.StatementCollector;
import io.reprise.execution.work.StatementTables;
import io.reprise.execution.work.WorkFactory;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.parse.DdlParser;
import io.reprise.sql.parse.ScriptStatement;
import io.reprise.sql.parse.SqlScript;
import io.reprise.sql.parse.StatementKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * The way from one schema to the next. Everything that can be refused is found out first, on the administrator's
 * thread, while transactions run on: the script is read, procedures are loaded, statements planned and compiled.
 * {@link #apply} then changes tables and binds procedures while it holds all partitions; it succeeds everywhere or
 * changes nothing.
 *
 * <p>A change that was made before is made {@link #again} whatever this program thinks of its procedures: a procedure
 * that it would refuse to deploy is a {@link RefusedWork} then, because the database can't be opened without the
 * change.
 */
final class SchemaChange {
    private final Schema before;
    private final boolean recorded;
    private final List<TableChange> tables = new ArrayList<>();
    private final List<Work> made;
    private final SchemaRecord record;
    private Optional<CheckedRows> checked = Optional.empty();

    /** The checks of a trial in a cluster; the change that has been made is not checked again. */
    private Optional<CheckedRows> triedChecks = Optional.empty();

    private List<CatalogChange> changes = List.of();
    private Schema after;

    /** The schema whose tables are dropped first; empty if the change keeps rows. */
    private Schema dropped = Schema.empty();

    private SchemaChange(Schema before, Schema after, List<Work> made, SchemaRecord record, boolean recorded) {
        this.before = before;
        this.after = after;
        this.made = made;
        this.record = record;
        this.recorded = recorded;
    }

    /** Prepares the change that a script of DDL statements makes. */
    static SchemaChange prepare(
            Schema before, String script, ProcedureSources.Loaders loaders, StatementCollector statements) {
        return prepare(before, script, loaders, statements, List.of());
    }

    /** The same for a script that comes with the jars which the loaders have. */
    static SchemaChange prepare(
            Schema before,
            String script,
            ProcedureSources.Loaders loaders,
            StatementCollector statements,
            List<byte[]> jars) {
        return prepare(before, script, loaders, statements, jars, definition -> false);
    }

    /** The same for a script that comes with a jar; procedures whose class it has are made anew. */
    static SchemaChange prepare(
            Schema before, String script, ProcedureSources.Loaders loaders, StatementCollector statements, byte[] jar) {
        return prepare(before, script, loaders, statements, List.of(jar), loaders::inNewestJar);
    }

    private static SchemaChange prepare(
            Schema before,
            String script,
            ProcedureSources.Loaders loaders,
            StatementCollector statements,
            List<byte[]> jars,
            Predicate<ProcedureDefinition> anew) {
        List<CatalogChange> changes = new ArrayList<>();
        Catalog catalog = changed(before.catalog(), script, DdlParser::parse, changes);
        StatementTables changedTables = changedTables(before.catalog(), catalog, changes);
        ViewChanges.check(catalog, changes);
        CheckedRows checked = CheckedRows.of(before.catalog(), catalog, changes);
        Set<String> replaced = new HashSet<>();
        for (CatalogChange change : changes) {
            if (change instanceof CatalogChange.ProcedureReplaced replacement) {
                replaced.add(replacement.after().name());
            } else if (change instanceof CatalogChange.ProcedureAdded added) {
                // It may have been dropped before, in the same script.
                replaced.add(added.procedure().name());
            }
        }
        int nextVersion = before.nextVersion();
        Map<String, Work> works = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        List<Work> made = new ArrayList<>();
        for (ProcedureDefinition definition : catalog.procedures().values()) {
            Work existing = before.works().get(definition.name());
            boolean same = existing != null
                    && definition.equals(before.catalog().procedures().get(definition.name()))
                    && !replaced.contains(definition.name())
                    && !anew.test(definition)
                    && !changedTables.areNamedIn(existing.statements());
            Work work = same ? existing : WorkFactory.procedure(catalog, definition, loaders::load, statements);
            works.put(definition.name(), work);
            if (!same) {
                work.version(nextVersion++);
                made.add(work);
            }
        }
        Schema after = new Schema(catalog, works, nextVersion, before.transaction());
        SchemaChange change = new SchemaChange(before, after, made, after.record(script, jars, made), false);
        change.checked = Optional.of(checked);
        change.addTables(changes);
        return change;
    }

    /** Prepares a change that was made before: the same procedures are made again, of the same code. */
    static SchemaChange again(Schema before, SchemaRecord record, StatementCollector statements) {
        List<CatalogChange> changes = new ArrayList<>();
        Catalog catalog = changed(before.catalog(), record.script(), DdlParser::parseRecorded, changes)
                .withCounters(record.catalogVersion(), record.nextTableId());
        List<ProcedureLoader> loaders =
                record.classSets().stream().map(ProcedureLoader::ofClassFiles).toList();
        Map<String, SchemaRecord.MadeProcedure> toMake = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        record.procedures().forEach(procedure -> toMake.put(procedure.name(), procedure));
        Map<String, Work> works = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        List<Work> made = new ArrayList<>();
        for (ProcedureDefinition definition : catalog.procedures().values()) {
            SchemaRecord.MadeProcedure recorded = toMake.get(definition.name());
            Work work = before.works().get(definition.name());
            if (recorded != null) {
                work = again(catalog, definition, record.classesOf(recorded), loaders, recorded, statements);
                made.add(work);
            } else if (work == null) {
                throw new IllegalArgumentException("the recorded change of the schema declares procedure "
                        + definition.name() + ", but has no code for it");
            }
            works.put(definition.name(), work);
        }
        Schema after = new Schema(catalog, works, record.nextProcedureVersion(), record.transaction());
        SchemaChange change = new SchemaChange(before, after, made, record, true);
        change.changes = List.copyOf(changes);
        change.addTables(changes);
        return change;
    }

    /** Plans the added checks and foreign keys, by which {@link #check} looks at the rows that are there. */
    void planChecks() {
        triedChecks = Optional.of(CheckedRows.of(before.catalog(), after.catalog(), changes));
    }

    /** Prepares a schema that takes the place of another, whose tables are dropped with their rows. */
    static SchemaChange instead(Schema before, SchemaRecord record, StatementCollector statements) {
        SchemaChange change = again(Schema.empty(), record, statements);
        change.dropped = before;
        return change;
    }

    private static Work again(
            Catalog catalog,
            ProcedureDefinition definition,
            Optional<SortedMap<String, byte[]>> classFiles,
            List<ProcedureLoader> loaders,
            SchemaRecord.MadeProcedure recorded,
            StatementCollector statements) {
        Work work;
        try {
            work = WorkFactory.procedure(
                    catalog,
                    definition,
                    (name, className) -> loaders.get(recorded.classSet()).load(name, className),
                    statements);
        } catch (RuntimeException | LinkageError | StackOverflowError refusal) {
            work = new RefusedWork(definition.name(), refusal, classFiles);
        }
        work.version(recorded.version());
        return work;
    }

    private static Catalog changed(
            Catalog before,
            String script,
            BiFunction<ScriptStatement, Catalog, Ddl> parser,
            List<CatalogChange> changes) {
        Catalog catalog = before;
        for (ScriptStatement statement : SqlScript.split(script)) {
            if (statement.kind() != StatementKind.DDL) {
                throw new DdlException(
                        statement.at(),
                        "a script for the schema has DDL statements only, but this is a " + statement.kind()
                                + "; run it as a statement");
            }
            CatalogUpdate update = CatalogEditor.apply(catalog, parser.apply(statement, catalog));
            catalog = update.catalog();
            changes.addAll(update.change().each());
        }
        return catalog;
    }

    /** A new index may make another plan better, so a table counts as changed whatever is different. */
    private static StatementTables changedTables(Catalog before, Catalog after, List<CatalogChange> changes) {
        Set<String> names = new LinkedHashSet<>();
        before.tables().values().stream()
                .filter(table -> changes(table, after.table(table.id()).orElse(null), changes))
                .forEach(table -> names.add(table.name()));
        // A new table or view may stand in front of another one of its name in a search path.
        after.tables().keySet().stream()
                .filter(name -> before.table(name).isEmpty())
                .forEach(names::add);
        after.views().keySet().stream()
                .filter(name -> !before.views().containsKey(name))
                .forEach(names::add);
        ForeignKeys.addRelated(before, names);
        ForeignKeys.addRelated(after, names);
        ViewChanges.addChanged(before, after, names);
        return new StatementTables(names);
    }

    private static boolean changes(Table before, Table after, List<CatalogChange> changes) {
        return !before.equals(after) || TableChange.changesValues(after, changes);
    }

    private void addTables(List<CatalogChange> changes) {
        for (Table old : before.catalog().tables().values()) {
            Table now = after.catalog().table(old.id()).orElse(null);
            if (changes(old, now, changes)) {
                tables.add(TableChange.of(old, now, changes));
            }
        }
        for (Table now : after.catalog().tables().values()) {
            if (before.catalog().table(now.id()).isEmpty()) {
                tables.add(TableChange.of(null, now, changes));
            }
        }
    }

    /** The schema that it changes. */
    Schema before() {
        return before;
    }

    /** The schema that there will be; of a recorded change known when it has been carried out. */
    Schema after() {
        return after;
    }

    /** The log's record of it. */
    SchemaRecord record() {
        return record;
    }

    /** Whether there is nothing to do at the partitions. */
    boolean isEmpty() {
        return tables.isEmpty()
                && made.isEmpty()
                && before.works().equals(after.works())
                && before.catalog().views().equals(after.catalog().views())
                && before.catalog().schemas().equals(after.catalog().schemas());
    }

    private void bind(Work work, List<Partition> partitions) {
        try {
            work.bind(partitions);
        } catch (RuntimeException | LinkageError | StackOverflowError refusal) {
            if (!recorded) {
                throw refusal;
            }
            after = after.withRefused(work, refusal);
        }
    }

    /**
     * Tries the change at a partition, and takes it back. Throws if the rows refuse it, or if this program refuses a procedure.
     */
    void check(Partition partition, long nowMicros) {
        for (Work work : made) {
            if (work instanceof RefusedWork refused) {
                throw new ProcedureException(
                        ErrorCode.INVALID_REQUEST,
                        "a node of the cluster refuses procedure " + work.name() + ": " + refused.reason());
            }
        }
        List<TableChange> done = new ArrayList<>();
        try {
            for (TableChange change : tables) {
                change.apply(partition, nowMicros);
                done.add(change);
            }
            triedChecks.ifPresent(rows -> rows.check(partition));
        } finally {
            done.reversed().forEach(change -> change.revert(partition));
        }
    }

    /** Carries the change out at all partitions, which the caller holds; throws, and nothing has changed. */
    void apply(List<Partition> partitions, long nowMicros) {
        for (Table table : dropped.catalog().tables().values()) {
            partitions.forEach(partition -> partition.store().dropTable(table.id()));
        }
        List<Runnable> reverts = new ArrayList<>();
        try {
            for (TableChange change : tables) {
                for (Partition partition : partitions) {
                    change.apply(partition, nowMicros);
                    reverts.add(() -> change.revert(partition));
                }
            }
            checked.ifPresent(rows -> partitions.forEach(rows::check));
            for (Work work : made) {
                bind(work, partitions);
            }
        } catch (Throwable refusal) {
            reverts.reversed().forEach(Runnable::run);
            throw refusal;
        }
        for (TableChange change : tables) {
            partitions.forEach(change::finish);
        }
        retire(dropped);
        retire(before);
    }

    private void retire(Schema former) {
        for (Map.Entry<String, Work> old : former.works().entrySet()) {
            Work now = after.works().get(old.getKey());
            if (now != old.getValue()) {
                old.getValue().retire(now);
            }
        }
    }
}
