package io.reprise.net.client;

import com.google.protobuf.InvalidProtocolBufferException;
import io.reprise.access.Claim;
import io.reprise.access.LoginOutcome;
import io.reprise.access.Logins;
import io.reprise.access.RevokedCertificates;
import io.reprise.access.Rights;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import io.reprise.wire.message.Hello;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * How a connection begins: which version is spoken, and who the client is. Later, whether he still is.
 *
 * <pre>
 *  HELLO is awaited --+-- nobody is asked who he is --------------> OVER
 *                     |                                               ^
 *                     +--> LOGGING IN --he is who he says-------------+
 * </pre>
 *
 * <p>Owned by the connection's loop; sites look at {@link #clientId} and {@link #user}.
 */
final class Greeting {
    private final ClientConnection connection;
    private final ClientListener listener;
    private final Optional<Logins> logins;
    private final ConnectedUser user;
    private volatile long clientId;
    private boolean loggingIn;
    private boolean over;

    /** What was shown for the login. Not what the last handshake had: where a client may ask for another it need not show anything. */
    private List<X509Certificate> certificates = List.of();

    private RevokedCertificates revokedSeen = RevokedCertificates.NONE;

    Greeting(ClientConnection connection, ClientListener listener) {
        this.connection = connection;
        this.listener = listener;
        logins = listener.settings().protection().logins();
        user = new ConnectedUser(logins.isPresent() ? Rights.NONE : Rights.ALL);
    }

    /** Whether calls may be made. */
    boolean isOver() {
        return over;
    }

    /** Any thread: who is at the other end. */
    ConnectedUser user() {
        return user;
    }

    /** Any thread: the client's own random number; 0 if it has none. */
    long clientId() {
        return clientId;
    }

    /** A frame came before it was over. */
    void frame(byte kind, byte[] message) throws InvalidProtocolBufferException {
        if (loggingIn) {
            connection.closeMalformed("a frame came before the Welcome");
            return;
        }
        if (kind != Wire.HELLO) {
            connection.closeMalformed("the first frame is not a Hello");
            return;
        }
        Hello hello = Hello.parseFrom(message);
        int least = hello.getLeastVersion();
        int greatest = hello.getGreatestVersion();
        if (least > Wire.VERSION || greatest < Wire.VERSION) {
            connection.close(
                    Goodbye.Reason.UNSUPPORTED_VERSION,
                    "the client speaks the versions " + Integer.toUnsignedString(least) + " to "
                            + Integer.toUnsignedString(greatest) + " of the protocol, and the server only "
                            + Wire.VERSION);
            return;
        }
        clientId = hello.getClientId();
        if (logins.isEmpty()) {
            welcome();
        } else {
            loggingIn = true;
            certificates = connection.certificates();
            logins.get()
                    .login(
                            new Claim(
                                    hello.getUser(),
                                    hello.getPassword(),
                                    connection.remoteAddress().getAddress(),
                                    certificates),
                            outcome -> connection.onLoop(() -> loggedIn(outcome)));
        }
    }

    private void welcome() {
        over = true;
        connection.write(Wire.WELCOME, listener.welcome());
    }

    /** What came of the login. The users may have changed since the password was looked at. */
    private void loggedIn(LoginOutcome outcome) {
        loggingIn = false;
        if (!connection.isOpen()) {
            return;
        }
        switch (outcome.kind()) {
            case ACCEPTED -> {
                user.loggedIn(outcome.user().orElseThrow());
                if (checkUser()) {
                    welcome();
                }
            }
            case REFUSED -> connection.close(Goodbye.Reason.NOT_AUTHENTICATED, outcome.message());
            case TURNED_AWAY -> connection.close(Goodbye.Reason.TOO_MANY_LOGINS, outcome.message());
        }
    }

    /** Takes over new rights; false if the connection has to end. */
    boolean checkUser() {
        if (logins.isEmpty()) {
            return true;
        }
        if (!user.check(logins.get().users())) {
            connection.close(
                    Goodbye.Reason.NOT_AUTHENTICATED, user.name() + " was removed, or has another password now");
            return false;
        }
        return checkCertificates(logins.get().revoked());
    }

    private boolean checkCertificates(RevokedCertificates revoked) {
        if (revoked == revokedSeen) {
            return true;
        }
        revokedSeen = revoked;
        if (revoked.hasOneOf(certificates)) {
            connection.close(
                    Goodbye.Reason.NOT_AUTHENTICATED, "the certificate of " + user.name() + " has been revoked");
            return false;
        }
        return true;
    }
}
