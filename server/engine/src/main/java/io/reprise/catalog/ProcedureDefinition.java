package io.reprise.catalog;

import java.util.List;

/**
 * A procedure as CREATE PROCEDURE declares it.
 *
 * @param name unique in the catalog, upper case unless quoted; for a class without a name, the class's simple name
 * @param source what it runs
 * @param routing the parameters whose values say which partitions take part; empty when no PARTITION ON clause was
 *     given: then the scope follows from the statements
 */
public record ProcedureDefinition(String name, Source source, List<Routing> routing) {
    /** Keeps a copy. */
    public ProcedureDefinition {
        routing = List.copyOf(routing);
    }

    /** What a procedure runs. */
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
