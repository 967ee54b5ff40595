package io.reprise.session;

import io.reprise.engine.Reply;
import io.reprise.engine.TapeReply;
import io.reprise.execution.Result;
import io.reprise.execution.work.TapeEntry;

/**
 * The end of a statement that was started without waiting.
 *
 * @param reply the outcome of a transaction of its own; null: it was a preview
 * @param preview the outcome of a preview; null: it was a transaction of its own
 */
public record StartedEnd(Reply reply, TapeReply preview) {
    /**
     * Whether a thread that may wait has to run the statement again. A preview has changed nothing, so it runs again after any failure: the
     * reason may be a conflict that is to be looked for.
     */
    boolean runsAgain() {
        return preview == null ? reply.isOvertaken() : !preview.succeeded();
    }

    /** The number of its rows. */
    public long rows() {
        if (preview != null) {
            TapeEntry last = preview.entries().getLast();
            return last.rows() == null ? 0 : last.rows().count();
        }
        return reply.kind() == Result.Kind.ROWS ? reply.result().rows().count() : 0;
    }
}
