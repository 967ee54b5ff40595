package io.reprise.cluster.transaction;

import java.util.SortedMap;

/** A procedure of several rounds. It runs at the coordinator; its statements run at the participants. */
public interface Procedure {
    /**
     * A procedure's next step.
     *
     * @param kind whether to send statements or to end
     * @param statements the work by partition, if statements are sent; of a commit the last work, with which a participant votes
     * @param back the round to whose beginning all participants return first, or -1
     */
    record Step(Kind kind, SortedMap<Integer, byte[]> statements, int back) {
        /** The kinds of steps. */
        public enum Kind {
            /** Send statements and wait for their rows. */
            STATEMENTS,
            /** Commit. */
            COMMIT,
            /** Abort. */
            ABORT
        }
    }

    /** Whether each participant runs work at its turn, before the first round; its results are the first step's rows. */
    default boolean opens() {
        return false;
    }

    /** The first work of a participant. */
    default byte[] opening(int participant) {
        throw new UnsupportedOperationException();
    }

    /** Whether the opening is all its work: participants vote with it, and the first step commits or aborts. */
    default boolean opensOnly() {
        return false;
    }

    /**
     * Whether the first step needs the home's opening alone. Then it is taken at the home's turn, and its statements wait at the other
     * participants for theirs.
     */
    default boolean beginsAtHome() {
        return false;
    }

    /** All participants have opened, behind a first step that needed the home alone. Returns false if the transaction is to abort. */
    default boolean opened(SortedMap<Integer, Result> openings) {
        return true;
    }

    /** A participant has aborted the last work, so that the transaction aborts. */
    default void refused(int participant, Result result) {
        throw new UnsupportedOperationException();
    }

    /** The number of ids that it needs: the transaction's, and those that come right before it. */
    default int ids() {
        return 1;
    }

    /** It is given up after so many times the usual patience, if it is not decided by then. */
    default int patience() {
        return 1;
    }

    /** Whether the procedure changes the home's rows itself, so that no step has statements for the home. */
    default boolean runsAtHome() {
        return false;
    }

    /** The step behind the rows of the round before, which are empty in the first. A transaction that moves begins anew. */
    Step next(int round, SortedMap<Integer, Result> rows);
}
