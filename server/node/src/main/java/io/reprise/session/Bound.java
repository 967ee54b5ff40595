package io.reprise.session;

/**
 * A prepared statement with its arguments, and its answer once it has run.
 */
public final class Bound {
    private final Prepared prepared;
    private Object[] arguments;

    /** The query of a DECLARE; null for other statements. */
    private final Bound query;

    private Answer answer;
    private SessionException failure;

    /** A statement that has not run. */
    public Bound(Prepared prepared, Object... arguments) {
        this.prepared = prepared;
        this.arguments = arguments;
        query = null;
    }

    /** A DECLARE of a cursor with this query. */
    Bound(Prepared prepared, Bound query) {
        this.prepared = prepared;
        this.query = query;
        arguments = new Object[0];
    }

    /** The statement. */
    public Prepared prepared() {
        return prepared;
    }

    Bound query() {
        return query;
    }

    Object[] arguments() {
        return arguments;
    }

    /** Takes the arguments with the values of sequences behind those of the client. */
    void filled(Object... all) {
        arguments = all;
    }

    void answered(Answer value) {
        answer = value;
    }

    void failed(SessionException why) {
        failure = why;
    }

    /** Whether it has run. */
    public boolean ran() {
        return answer != null || failure != null;
    }

    /** The answer; throws its failure. */
    public Answer answer() {
        if (failure != null) {
            throw failure;
        }
        return answer;
    }
}
