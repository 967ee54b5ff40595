package io.reprise.execution;

import io.reprise.sql.compile.runtime.HeapRows;
import io.reprise.sql.compile.runtime.RowShape;
import java.util.List;

/**
 * The participants of a transaction at other partitions' leaders, as its procedure reaches them. A statement whose rows are
 * not there yet throws {@link RoundEnded}: it is sent, the home's changes are taken back, and the procedure runs again from
 * its beginning when the rows have come. It is deterministic, so it meets the same statements again.
 */
public interface Elsewhere {
    /** Ends a run of a procedure whose next statement's rows are not there yet. */
    final class RoundEnded extends Error {
        private static final long serialVersionUID = 1;

        /** An end without stack trace. */
        public RoundEnded() {
            super(null, null, false, false);
        }
    }

    /**
     * Runs a statement.
     *
     * @param statement its number among those of the work
     * @param parameters as the work encodes them
     * @param partitions those that run it, none of which is the home
     * @param writes whether it may leave changes
     * @return the rows of each, rewound
     */
    List<HeapRows> run(int statement, byte[] parameters, int[] partitions, RowShape shape, boolean writes);

    /**
     * Runs a write of one partition without a use of its count. It may run later, with the next statement whose rows are awaited or when the
     * transaction ends; a failure comes from here all the same.
     */
    void runUnread(int statement, byte[] parameters, int partition, RowShape shape);

    /** Tells of a query of one partition that will soon be run: its rows may come together with those of others. */
    void prefetch(int statement, byte[] parameters, int partition, RowShape shape);

    /** A point to which {@link #rollbackTo} returns. */
    int savepoint();

    /** Takes back what statements have changed behind a point. */
    void rollbackTo(int savepoint);
}
