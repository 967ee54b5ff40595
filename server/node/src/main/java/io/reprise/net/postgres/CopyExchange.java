package io.reprise.net.postgres;

import io.reprise.session.Answer;
import io.reprise.session.Bound;
import io.reprise.session.ClientStatement;
import io.reprise.session.CopyIn;
import io.reprise.session.CopyPlan;
import io.reprise.session.SessionException;
import io.reprise.session.SqlSession;
import io.reprise.session.SqlStates;
import java.util.List;
import java.util.function.Function;

/**
 * The COPY statements of a connection. COPY TO is answered at once. After COPY FROM the client sends data until CopyDone or CopyFail.
 * Owned by the thread that runs the connection's messages.
 */
final class CopyExchange {
    private final SqlSession session;
    private final Replies replies;
    private final Function<Bound, Answer> run;
    private final Runnable notices;

    /** The COPY FROM under way; null: none. */
    private CopyIn receiving;

    /**
     * The COPY statements of a session.
     *
     * @param run runs a statement that is not grouped
     */
    CopyExchange(SqlSession session, Replies replies, Function<Bound, Answer> run, Runnable notices) {
        this.run = run;
        this.session = session;
        this.replies = replies;
        this.notices = notices;
    }

    /** Whether the client is sending data. */
    boolean isReceiving() {
        return receiving != null;
    }

    /** The COPY has failed. */
    void abort() {
        receiving = null;
    }

    /**
     * Begins a COPY.
     *
     * @param last whether nothing follows in the client's implicit transaction
     */
    void begin(ClientStatement statement, boolean last) {
        CopyPlan plan = session.prepareCopy(statement);
        if (plan.copy().fromClient()) {
            receiving = session.copyIn(plan);
            notices.run();
            replies.copyResponse('G', CopyWriter.isBinary(plan), plan.columns().size());
            return;
        }
        Bound bound = session.bind(plan.prepared());
        Answer answer;
        if (session.isGrouped(plan.prepared())) {
            session.runGroup(List.of(bound), last);
            answer = bound.answer();
        } else {
            answer = run.apply(bound);
        }
        notices.run();
        replies.copyResponse('H', CopyWriter.isBinary(plan), plan.columns().size());
        long rows = new CopyWriter(plan, replies.out()).write(answer);
        replies.copyDone();
        replies.commandComplete("COPY " + rows);
    }

    /** Takes a message of the client during COPY FROM. Returns whether the COPY has ended. */
    boolean message(FrontendMessage message) {
        switch (message.kind()) {
            case FrontendMessage.COPY_DATA -> {
                session.checkCanceled();
                receiving.data(message.body());
            }
            case FrontendMessage.COPY_DONE -> {
                session.checkCanceled();
                long rows = receiving.finish();
                receiving = null;
                notices.run();
                replies.commandComplete("COPY " + rows);
                return true;
            }
            case FrontendMessage.COPY_FAIL ->
                throw new SessionException(
                        SqlStates.CANCELED, "COPY from stdin failed: " + new BodyReader(message.body()).string());
            case FrontendMessage.FLUSH, FrontendMessage.SYNC -> {
                // Drivers that pipeline send them before they know that this is a COPY.
            }
            default ->
                throw new SessionException(
                        SqlStates.PROTOCOL_VIOLATION,
                        "unexpected message type 0x%02X during COPY from stdin".formatted(message.kind() & 0xFF));
        }
        return false;
    }
}
