package io.reprise.net.listen;

import java.util.List;

/** The clients that are connected to a node, for its operators. Any thread. */
public interface ClientSessions {
    /** No client can connect. */
    ClientSessions NONE = new ClientSessions() {
        @Override
        public List<ClientSession> list() {
            return List.of();
        }

        @Override
        public long passedOn() {
            return 0;
        }

        @Override
        public Outcome cancel(String id) {
            return Outcome.UNKNOWN;
        }

        @Override
        public Outcome end(String id) {
            return Outcome.UNKNOWN;
        }
    };

    /** The outcomes of a request to cancel or to end. */
    enum Outcome {
        /** The request has reached the session. */
        DONE,
        /** There is no session with this id any more. */
        UNKNOWN,
        /** The session's protocol can't cancel. */
        UNSUPPORTED
    }

    /** The sessions, the oldest first. */
    List<ClientSession> list();

    /** The number of requests that this node has passed on to other nodes for its clients. */
    long passedOn();

    /** Cancels the statement under way of a session, which stays connected. */
    Outcome cancel(String id);

    /** Ends a session; a call that has begun runs on. */
    Outcome end(String id);
}
