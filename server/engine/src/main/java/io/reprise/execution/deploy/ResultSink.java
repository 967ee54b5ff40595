package io.reprise.execution.deploy;

import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;

/** Takes what a procedure's {@code run} method returns, exactly one call for each execution that ends normally. */
public interface ResultSink {
    /** The procedure returns nothing. */
    void nothing();

    /** A long or int. */
    void integer(long value);

    /** A boolean. */
    void bool(boolean value);

    /** A double. */
    void number(double value);

    /** A string, or null. */
    void string(String value);

    /** A query's rows, or null; valid until the transaction ends. */
    void rows(Rows value);

    /** A table that the procedure filled, or null; valid until the transaction ends. */
    void table(ResultTable value);
}
