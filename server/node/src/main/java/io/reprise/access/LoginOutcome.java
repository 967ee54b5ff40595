package io.reprise.access;

import java.util.Optional;

/**
 * The outcome of a login.
 *
 * @param kind its kind
 * @param user the user; empty unless it was accepted
 * @param message for the client, unless it was accepted
 */
public record LoginOutcome(Kind kind, Optional<User> user, String message) {
    /** The kind of an outcome. */
    public enum Kind {
        /** The password is right. */
        ACCEPTED,
        /** It is not, or there is no such user. */
        REFUSED,
        /** It was not looked at: there are too many, or there were too many wrong ones. */
        TURNED_AWAY
    }

    static LoginOutcome accepted(User user) {
        return new LoginOutcome(Kind.ACCEPTED, Optional.of(user), "");
    }

    static LoginOutcome refused(String message) {
        return new LoginOutcome(Kind.REFUSED, Optional.empty(), message);
    }

    static LoginOutcome turnedAway(String message) {
        return new LoginOutcome(Kind.TURNED_AWAY, Optional.empty(), message);
    }
}
