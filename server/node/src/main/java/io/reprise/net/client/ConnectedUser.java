package io.reprise.net.client;

import io.reprise.access.Rights;
import io.reprise.access.User;
import io.reprise.access.Users;
import java.util.Optional;

/**
 * Who is at the other end of a connection, and may do what. Set by the network loop; any thread looks.
 *
 * <p>A change of the users is noticed when {@link #check} is called with them, which the loop does four times a second.
 */
final class ConnectedUser {
    private volatile User user;
    private volatile Rights rights;
    private Users seen;

    /** Somebody who may do this until he has logged in. */
    ConnectedUser(Rights rights) {
        this.rights = rights;
    }

    Rights rights() {
        return rights;
    }

    /** For messages. */
    String name() {
        User now = user;
        return now == null ? "whoever this is" : "user " + now.name();
    }

    /** The loop: it is this one. */
    void loggedIn(User is) {
        user = is;
        rights = is.rights();
    }

    /** The loop: takes over what has changed; false if the user is gone, or has another password. */
    boolean check(Users users) {
        if (user == null || users == seen) {
            return true;
        }
        seen = users;
        Optional<User> now = users.now(user);
        now.ifPresent(this::loggedIn);
        return now.isPresent();
    }
}
