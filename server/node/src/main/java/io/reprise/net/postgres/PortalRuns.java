package io.reprise.net.postgres;

import io.reprise.session.Answer;
import io.reprise.session.Bound;
import io.reprise.session.Notice;
import io.reprise.session.SessionException;
import io.reprise.session.SqlSession;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Runs statements that are not gathered, and writes the results of any. Owned by the thread that runs the connection's messages.
 */
final class PortalRuns {
    /** The tags of commands that tell the number of rows. */
    private static final Set<String> COUNTED = Set.of("SELECT", "INSERT 0", "UPDATE", "DELETE", "FETCH");

    private final SqlSession session;
    private final Replies replies;
    private final BiConsumer<String, String> audit;

    /**
     * Runs the statements of a session.
     *
     * @param audit takes each act of administration and its end
     */
    PortalRuns(SqlSession session, Replies replies, BiConsumer<String, String> audit) {
        this.session = session;
        this.replies = replies;
        this.audit = audit;
    }

    /** Runs a portal's statement, unless the request was canceled. */
    void run(Portal portal) {
        session.checkCanceled();
        portal.answered(run(portal.bound()));
    }

    /** Runs a statement. It is an act of administration if it changes the schema, or asks to cancel or end sessions. */
    Answer run(Bound bound) {
        try {
            Answer answer = session.run(bound);
            audit(bound, "done");
            return answer;
        } catch (SessionException failure) {
            audit(bound, failure.getMessage());
            throw failure;
        }
    }

    private void audit(Bound bound, String end) {
        if (session.takeReachedSessions() || bound.prepared().changesSchema()) {
            audit.accept(bound.prepared().statement().text(), end);
        }
    }

    /** Writes the result of a statement of a simple query. */
    void simpleResult(Portal portal) {
        Answer answer = portal.answer();
        if (answer.returnsRows()) {
            replies.rowDescription(answer.columns());
        }
        result(portal, 0);
    }

    /** Writes the next rows of a result, at most so many; 0: all. */
    void result(Portal portal, int most) {
        Answer answer = portal.answer();
        notices();
        if (!answer.returnsRows()) {
            replies.commandComplete(answer.tag());
        } else if (portal.writeRows(replies.out(), most)) {
            replies.portalSuspended();
        } else {
            String tag = answer.tag();
            replies.commandComplete(COUNTED.contains(tag) ? tag + " " + portal.sent() : tag);
        }
    }

    /** Writes the notices that the client has not been told. */
    void notices() {
        for (Notice notice : session.takeNotices()) {
            replies.notice(notice);
        }
    }
}
