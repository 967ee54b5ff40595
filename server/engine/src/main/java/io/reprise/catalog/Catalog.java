package io.reprise.catalog;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;

/**
 * All tables, procedures and views of a database at one moment, in the order of their creation.
 *
 * @param version counts the changes
 * @param nextTableId the id that the next table gets
 * @param tables by name
 * @param procedures by name
 * @param views by name
 * @param schemas those beside PUBLIC
 */
public record Catalog(
        long version,
        int nextTableId,
        SequencedMap<String, Table> tables,
        SequencedMap<String, ProcedureDefinition> procedures,
        SequencedMap<String, View> views,
        SequencedSet<String> schemas) {
    /** Keeps copies, so that a catalog never changes. */
    public Catalog {
        tables = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(tables));
        procedures = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(procedures));
        views = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(views));
        schemas = Collections.unmodifiableSequencedSet(new LinkedHashSet<>(schemas));
    }

    /** A catalog without views and schemas. */
    public Catalog(
            long version,
            int nextTableId,
            SequencedMap<String, Table> tables,
            SequencedMap<String, ProcedureDefinition> procedures) {
        this(version, nextTableId, tables, procedures, new LinkedHashMap<>(), new LinkedHashSet<>());
    }

    /** The catalog of a new database. */
    public static Catalog empty() {
        return new Catalog(0, 1, new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    /** Finds a table by its name in the catalog's case. */
    public Optional<Table> table(String name) {
        return Optional.ofNullable(tables.get(name));
    }

    /** Finds the table with this id. */
    public Optional<Table> table(int id) {
        return tables.values().stream().filter(t -> t.id() == id).findFirst();
    }

    /** Whether a schema exists. */
    public boolean hasSchema(String name) {
        return name.equals(QualifiedName.PUBLIC) || schemas.contains(name);
    }

    /** Whether a table, a sequence or a view has this name, which may be qualified. */
    public boolean hasRelation(String name) {
        return tables.containsKey(name) || views.containsKey(name);
    }

    /** Finds the table that an index belongs to, by the index's name in the catalog's case. */
    public Optional<Table> tableOfIndex(String indexName) {
        return tables.values().stream()
                .filter(t -> t.index(indexName).isPresent())
                .findFirst();
    }

    /**
     * Finds a procedure. The case of letters does not matter, because a class's procedure is called by its simple name
     * but named without quotes in DDL; no two procedures differ by case alone.
     */
    public Optional<ProcedureDefinition> procedure(String name) {
        ProcedureDefinition exact = procedures.get(name);
        if (exact != null) {
            return Optional.of(exact);
        }
        return procedures.values().stream()
                .filter(p -> p.name().equalsIgnoreCase(name))
                .findFirst();
    }

    /** The same schema with other counters, for readers of a printed catalog. */
    public Catalog withCounters(long newVersion, int newNextTableId) {
        return new Catalog(newVersion, newNextTableId, tables, procedures, views, schemas);
    }

    /** The next version, with other tables. */
    Catalog withTables(SequencedMap<String, Table> newTables) {
        return new Catalog(version + 1, nextTableId, newTables, procedures, views, schemas);
    }

    /** The next version, with other procedures. */
    Catalog withProcedures(SequencedMap<String, ProcedureDefinition> newProcedures) {
        return new Catalog(version + 1, nextTableId, tables, newProcedures, views, schemas);
    }

    /** The next version, with other views. */
    Catalog withViews(SequencedMap<String, View> newViews) {
        return new Catalog(version + 1, nextTableId, tables, procedures, newViews, schemas);
    }

    /** The next version, with other tables, procedures and views. */
    Catalog with(
            SequencedMap<String, Table> newTables,
            SequencedMap<String, ProcedureDefinition> newProcedures,
            SequencedMap<String, View> newViews) {
        return new Catalog(version + 1, nextTableId, newTables, newProcedures, newViews, schemas);
    }

    /** The next version, with other schemas. */
    Catalog withSchemas(SequencedSet<String> newSchemas) {
        return new Catalog(version + 1, nextTableId, tables, procedures, views, newSchemas);
    }
}
