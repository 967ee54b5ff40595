package io.reprise.session;

import io.reprise.engine.Reply;
import io.reprise.engine.TapeReply;
import io.reprise.execution.Result;
import io.reprise.execution.work.TapeEntry;

/** The end of a request that was started without waiting. */
public sealed interface StartedEnd {
    /** Whether a thread that may wait has to run it again. */
    boolean runsAgain();

    /** The number of its rows. */
    long rows();

    /** The end of a statement that was a transaction of its own. */
    record OfStatement(Reply reply) implements StartedEnd {
        @Override
        public boolean runsAgain() {
            return reply.isOvertaken();
        }

        @Override
        public long rows() {
            return reply.kind() == Result.Kind.ROWS ? reply.result().rows().count() : 0;
        }
    }

    /**
     * The end of previews. They have changed nothing, so they run again after any failure: the reason may be a conflict that is to be
     * looked for.
     */
    record OfPreviews(TapeReply reply) implements StartedEnd {
        @Override
        public boolean runsAgain() {
            return !reply.succeeded();
        }

        @Override
        public long rows() {
            long rows = 0;
            for (TapeEntry entry : reply.entries()) {
                rows += entry.rows() == null ? 0 : entry.rows().count();
            }
            return rows;
        }
    }

    /** The end of a COMMIT. */
    record OfCommit(TapeReply reply) implements StartedEnd {
        @Override
        public boolean runsAgain() {
            return reply.overtaken();
        }

        @Override
        public long rows() {
            return 0;
        }
    }
}
