package io.reprise.net.session;

import io.reprise.access.Claim;
import io.reprise.access.LoginOutcome;
import io.reprise.access.LoginStart;
import io.reprise.access.Logins;
import io.reprise.access.RevokedCertificates;
import io.reprise.access.Rights;
import io.reprise.access.User;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A client's session in any protocol: its login, and later whether its user and certificate still count. Owned by the connection's
 * network loop; any thread reads {@link #user}.
 *
 * <pre>
 *  no logins configured ----------------------------------> OPEN
 *  NEW --login--> LOGGING IN --outcome, accept------------> OPEN --problem--> (the connection ends)
 * </pre>
 */
public final class Session {
    private final Optional<Logins> logins;
    private final SessionUser user;
    private boolean loggingIn;

    /** The certificates shown at the login; a later handshake may show none. */
    private List<X509Certificate> certificates = List.of();

    private RevokedCertificates revokedSeen = RevokedCertificates.NONE;

    /** A session of a port with or without logins. */
    public Session(Optional<Logins> logins) {
        this.logins = logins;
        user = new SessionUser(logins.isPresent() ? Rights.NONE : Rights.ALL);
    }

    /** Whether a client has to log in. */
    public boolean needsLogin() {
        return logins.isPresent();
    }

    /** Whether a login is under way. */
    public boolean isLoggingIn() {
        return loggingIn;
    }

    /** Any thread: the user at the other end. */
    public SessionUser user() {
        return user;
    }

    /**
     * Checks credentials.
     *
     * @param told receives the outcome, on any thread; passes it to {@link #loginEnded} on the loop
     */
    public void login(Claim claim, Consumer<LoginOutcome> told) {
        loggingIn = true;
        certificates = claim.certificates();
        logins.orElseThrow().login(claim, told);
    }

    /**
     * Asks for the next step of a login that has shown no password yet.
     *
     * @param told receives the step, on any thread; calls {@link #loginEnded} on the loop
     */
    public void start(Claim claim, Consumer<LoginStart> told) {
        loggingIn = true;
        certificates = claim.certificates();
        logins.orElseThrow().start(claim, told);
    }

    /** The login's outcome has reached the loop. */
    public void loginEnded() {
        loggingIn = false;
    }

    /** Takes over the user; returns a {@link #problem}, because the users may have changed since the password was checked. */
    public Optional<String> accept(User accepted) {
        user.loggedIn(accepted);
        return problem();
    }

    /** Takes over changed rights; returns the reason if the session must end. */
    public Optional<String> problem() {
        if (logins.isEmpty()) {
            return Optional.empty();
        }
        if (!user.check(logins.get().users())) {
            return Optional.of(user.name() + " was removed, or has another password now");
        }
        RevokedCertificates revoked = logins.get().revoked();
        if (revoked != revokedSeen) {
            revokedSeen = revoked;
            if (revoked.hasOneOf(certificates)) {
                return Optional.of("the certificate of " + user.name() + " has been revoked");
            }
        }
        return Optional.empty();
    }

    /** Any thread: counts a request that the user may not make. */
    public void countNotPermitted() {
        logins.ifPresent(asked -> asked.meter().refusedRequest());
    }
}
