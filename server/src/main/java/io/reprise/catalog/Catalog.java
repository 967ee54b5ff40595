package io.reprise.catalog;

import java.util.Optional;
import java.util.SequencedMap;

/**
 * All tables and procedures of a database at one moment, in the order of their creation.
 *
 * @param version counts the changes
 * @param nextTableId the id that the next table gets
 * @param tables by name
 * @param procedures by name
 */
public record Catalog(
        long version,
        int nextTableId,
        SequencedMap<String, Table> tables,
        SequencedMap<String, ProcedureDefinition> procedures) {
    /** Finds a table by its name in the catalog's case. */
    public Optional<Table> table(String name) {
        return Optional.ofNullable(tables.get(name));
    }

    /** Finds a procedure by its name in the catalog's case. */
    public Optional<ProcedureDefinition> procedure(String name) {
        return Optional.ofNullable(procedures.get(name));
    }
}
