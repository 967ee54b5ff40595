package io.reprise.net.postgres;

import io.reprise.session.ClientStatement;
import io.reprise.session.Prepared;
import io.reprise.session.SessionException;
import io.reprise.session.SqlSession;
import java.util.Iterator;
import java.util.List;

/** Runs simple queries, each of which may have several statements. Owned by the thread that runs the connection's messages. */
final class SimpleQueries {
    private final SqlSession session;
    private final Replies replies;
    private final GatheredStatements gathered;
    private final PortalRuns runs;
    private final CopyExchange copy;

    /** The rest of a query whose COPY FROM is under way; null: none is, or it is of the extended protocol. */
    private Iterator<ClientStatement> rest;

    SimpleQueries(
            SqlSession session, Replies replies, GatheredStatements gathered, PortalRuns runs, CopyExchange copy) {
        this.session = session;
        this.replies = replies;
        this.gathered = gathered;
        this.runs = runs;
        this.copy = copy;
    }

    /** Whether a query waits for the end of its COPY FROM. */
    boolean isSuspended() {
        return rest != null;
    }

    /** Drops the rest of a query that has failed. */
    void abandon() {
        rest = null;
    }

    /** Runs a query. Returns whether it has ended, or waits for the data of its COPY FROM. */
    boolean run(String text) {
        List<ClientStatement> parts = ClientStatement.split(text);
        if (parts.isEmpty()) {
            replies.emptyQuery();
        }
        return run(parts.iterator());
    }

    /** Runs the statements behind a COPY FROM that has ended, in the same way. */
    boolean resume() {
        boolean hasEnded = run(rest);
        if (hasEnded) {
            rest = null;
        }
        return hasEnded;
    }

    private boolean run(Iterator<ClientStatement> parts) {
        while (parts.hasNext()) {
            ClientStatement part = parts.next();
            Prepared prepared = session.prepare(part);
            if (!prepared.parameterTypes().isEmpty()) {
                throw new SessionException("42P02", "there is no parameter $1");
            }
            if (prepared.kind() != ClientStatement.Kind.COPY) {
                run(new Portal(session.bind(prepared)));
            } else if (copies(part, !parts.hasNext())) {
                rest = parts;
                return false;
            }
        }
        gathered.run(true);
        return true;
    }

    /** Begins a COPY. Returns whether the client has to send data first. */
    private boolean copies(ClientStatement part, boolean last) {
        gathered.run(false);
        copy.begin(part, last);
        return copy.isReceiving();
    }

    private void run(Portal portal) {
        if (session.isGrouped(portal.bound().prepared())) {
            portal.submit();
            gathered.add(portal.bound(), () -> runs.simpleResult(portal));
        } else {
            gathered.run(false);
            runs.run(portal);
            runs.simpleResult(portal);
        }
    }
}
