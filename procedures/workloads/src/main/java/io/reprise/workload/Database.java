package io.reprise.workload;

import io.reprise.procedure.Rows;

/**
 * A database as loaders and checkers see it: synchronous and not meant to be fast. Implemented over the embedded engine
 * and over a connection. Failures of a transaction are {@link io.reprise.procedure.ProcedureException}s.
 */
public interface Database {
    /**
     * Calls a procedure. Arguments are of the classes that procedure parameters have.
     *
     * @return its result; a scalar is one row with one column, void is no row
     */
    Rows call(String procedure, Object... arguments);

    /** Runs one SQL statement as a transaction of its own. A write gives one row with the count. */
    Rows query(String sql, Object... arguments);

    /** The placement of partitioning values. */
    Placement placement();
}
