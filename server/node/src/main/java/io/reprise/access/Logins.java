package io.reprise.access;

import java.util.function.Consumer;

/** Checks logins for the network. Any thread. */
public interface Logins {
    /** Checks a login without waiting. The outcome is passed on at once, or later on another thread. */
    void login(Claim claim, Consumer<LoginOutcome> told);

    /** The next step of a login without a password; {@link #login} follows where the server needs the password. Doesn't wait. */
    void start(Claim claim, Consumer<LoginStart> told);

    /** All users of the file as it is now; another object when the file has changed. */
    Users users();

    /** The certificates of clients that don't count any more. Another object when they have changed. */
    RevokedCertificates revoked();

    /** The counters of logins. */
    AccessMeter meter();
}
