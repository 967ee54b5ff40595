package io.reprise.net.session;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Work;

/** The engine, as sessions of any protocol see it. Any thread may ask. */
public interface Backend {
    /** The current version of the procedure, or null. Doesn't wait. */
    Work procedure(String name);

    /** The message for a procedure that {@link #procedure} does not find. */
    String noProcedure(String name);

    /** The partition of each bucket. */
    BucketMap buckets();

    /** The site that runs a partition. */
    int siteOf(int partition);

    /**
     * Runs a statement as a transaction of its own, on another thread; doesn't wait.
     *
     * @param mayWrite false: a statement that writes is rejected
     * @return false if too many statements wait; then there is no reply
     */
    boolean statement(String sql, Object[] arguments, boolean mayWrite, StatementReply reply);

    /**
     * Runs a statement that writes once for each of some rows of arguments; doesn't wait. The reply has the rows that are not committed.
     *
     * @param arguments those of one row after the other
     * @param rows the number of rows, at least 1
     * @return false if too many statements wait; then there is no reply
     */
    boolean statementForRows(String sql, Object[] arguments, int rows, StatementReply reply);

    /**
     * Changes the schema by a script, and deploys procedures, on another thread; doesn't wait.
     *
     * @param jar a jar of procedure classes; empty: none
     * @return false if too many statements wait; then there is no reply
     */
    boolean change(String script, byte[] jar, StatementReply reply);

    /** The server's name and version, for clients. */
    String software();
}
