package io.reprise.catalog;

import java.util.List;

/**
 * A procedure as CREATE PROCEDURE declares it.
 *
 * @param name unique in the catalog, upper case unless quoted; for a class without a name, the class's simple name
 * @param source its class or statement
 * @param routing the parameters whose values name the participating partitions; empty when no PARTITION ON clause was
 *     given: then the scope follows from the statements
 * @param logging the content of its transactions' log records
 */
public record ProcedureDefinition(String name, Source source, List<Routing> routing, Logging logging) {
    /** LOGGED AS: the content of the log records of a procedure's transactions. */
    public enum Logging {
        /** No clause: as the engine is set. */
        AS_CONFIGURED,
        /** LOGGED AS DATA: the rows that were written; a replay stores them and runs nothing. */
        DATA,
        /** LOGGED AS COMMAND: the call; a replay runs it again. */
        COMMAND
    }

    /** Keeps a copy. */
    public ProcedureDefinition {
        routing = List.copyOf(routing);
    }

    /** Without a LOGGED clause. */
    public ProcedureDefinition(String name, Source source, List<Routing> routing) {
        this(name, source, routing, Logging.AS_CONFIGURED);
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
