package io.reprise.net.session;

import io.reprise.access.Rights;
import io.reprise.access.User;
import io.reprise.access.Users;
import io.reprise.execution.Work;
import java.util.Optional;

/**
 * The user of a session, with current rights. Set by the network loop, read by any thread.
 *
 * <p>The loop calls {@link #check} four times a second, so a change of the users takes effect within that time.
 */
public final class SessionUser {
    private volatile User user;
    private volatile Rights rights;
    private Users seen;

    /** A user that is not known yet and has these rights. */
    SessionUser(Rights rights) {
        this.rights = rights;
    }

    /** The current rights. */
    public Rights rights() {
        return rights;
    }

    /** Any thread: the user's name as it logged in; empty without a login. */
    public Optional<String> login() {
        return Optional.ofNullable(user).map(User::name);
    }

    /** The user's name, for messages. */
    public String name() {
        User now = user;
        return now == null ? "a client without a login" : "user " + now.name();
    }

    /** Whether the user may call a procedure. */
    public boolean mayCall(Work procedure) {
        return rights.calls(procedure.name(), procedure.readOnly());
    }

    /** The message for a user who may not call a procedure. */
    public String mayNotCall(Work procedure) {
        return name() + " may not call " + procedure.name() + "; it needs the role call, or call:" + procedure.name()
                + (procedure.readOnly() ? ", or read" : "");
    }

    /** The loop: the user has logged in, or has other rights now. */
    void loggedIn(User is) {
        user = is;
        rights = is.rights();
    }

    /** The loop: takes over changed rights; false if the user was removed or has another password. */
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
