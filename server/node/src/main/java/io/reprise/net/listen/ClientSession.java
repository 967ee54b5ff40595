package io.reprise.net.listen;

import java.util.Optional;

/**
 * A client's connection as an operator sees it. Immutable.
 *
 * @param id names the session for {@link ClientSessions#cancel} and {@link ClientSessions#end}, such as {@code postgres-3}
 * @param protocol {@code native} or {@code postgres}
 * @param user the name of its user; empty without a login
 * @param address the client's address and port
 * @param connectedSeconds the time since it was accepted
 * @param state its {@link State}
 * @param statement the statement under way, or the last one; empty if none is known
 * @param unreadBytes bytes of replies that the client has not read
 */
public record ClientSession(
        String id,
        String protocol,
        String user,
        String address,
        double connectedSeconds,
        State state,
        String statement,
        long unreadBytes) {
    /** The states of a session. */
    public enum State {
        /** It has not logged in yet. */
        CONNECTING,
        /** Nothing of it is under way. */
        IDLE,
        /** Nothing of it is under way, and it has an open transaction. */
        IN_TRANSACTION,
        /** Nothing of it is under way, and its open transaction has failed. */
        IN_FAILED_TRANSACTION,
        /** A statement is under way. */
        ACTIVE
    }

    /**
     * The part of a session that its protocol knows. Immutable.
     *
     * @param number unique among the sessions of the protocol
     * @param user the name of its user; empty without a login
     */
    public record Details(
            String protocol, int number, Optional<String> user, State state, String statement, long unreadBytes) {
        /** The session's id. */
        public String id() {
            return protocol + "-" + number;
        }
    }
}
