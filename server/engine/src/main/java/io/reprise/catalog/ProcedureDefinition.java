package io.reprise.catalog;

import java.util.List;

/**
 * A procedure as CREATE PROCEDURE declares it.
 *
 * @param name unique in the catalog, upper case unless quoted; for a class without a name, the class's simple name
 * @param source its class or statement
 * @param routing the parameters whose values name the participating partitions; empty when no PARTITION ON clause was
 *     given: then the scope follows from the statements
 */
public record ProcedureDefinition(String name, Source source, List<Routing> routing) {
    /** Keeps a copy. */
    public ProcedureDefinition {
        routing = List.copyOf(routing);
    }

    /** The source of a procedure: a class or a statement. */
    public sealed interface Source {}

    /** FROM CLASS. */
    public record FromClass(String className) implements Source {}

    /** AS statement. */
    public record FromStatement(String sql) implements Source {}

    /**
     * ON TABLE t COLUMN c PARAMETER p: the parameter (from 0; it may be an array) holds values of the table's
     * partitioning column.
     */
    public record Routing(String table, String column, int parameter) {}
}
