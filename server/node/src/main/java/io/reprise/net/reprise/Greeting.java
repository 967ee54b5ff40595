package io.reprise.net.reprise;

import com.google.protobuf.InvalidProtocolBufferException;
import io.reprise.access.Claim;
import io.reprise.access.LoginOutcome;
import io.reprise.net.listen.ClientChannel;
import io.reprise.net.session.Session;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import io.reprise.wire.message.Hello;

/**
 * The beginning of a connection: the protocol's version, and the login.
 *
 * <pre>
 *  NEW --Hello, no logins configured--> OVER
 *   |                                    ^
 *   +---Hello--> LOGGING IN --accepted---+
 * </pre>
 *
 * <p>Owned by the connection's loop; sites read {@link #clientId}.
 */
final class Greeting {
    /** The connection that is greeted. */
    interface Client {
        /** Whether the client can still receive something. */
        boolean isOpen();

        /** The channel, for the login. */
        ClientChannel client();

        /** Sends the Welcome. */
        void welcome();

        /** Says why and ends the connection. */
        void reject(Goodbye.Reason reason, String message);
    }

    private final Client client;
    private final Session session;
    private volatile long clientId;
    private volatile boolean over;

    Greeting(Client client, Session session) {
        this.client = client;
        this.session = session;
    }

    /** Any thread: whether the client may send requests. */
    boolean isOver() {
        return over;
    }

    /** Any thread: the client's random id; 0 if it has none. */
    long clientId() {
        return clientId;
    }

    /** Takes a frame that came before the greeting was over. */
    void frame(byte kind, byte[] message) throws InvalidProtocolBufferException {
        if (session.isLoggingIn()) {
            client.reject(Goodbye.Reason.MALFORMED, "a frame came before the Welcome");
        } else if (kind != Wire.HELLO) {
            client.reject(Goodbye.Reason.MALFORMED, "the first frame is not a Hello");
        } else {
            hello(Hello.parseFrom(message));
        }
    }

    private void hello(Hello hello) {
        int least = hello.getLeastVersion();
        int greatest = hello.getGreatestVersion();
        if (least > Wire.VERSION || greatest < Wire.VERSION) {
            client.reject(
                    Goodbye.Reason.UNSUPPORTED_VERSION,
                    "the client speaks the versions " + Integer.toUnsignedString(least) + " to "
                            + Integer.toUnsignedString(greatest) + " of the protocol, and the server only "
                            + Wire.VERSION);
            return;
        }
        clientId = hello.getClientId();
        if (!session.needsLogin()) {
            welcome();
            return;
        }
        ClientChannel channel = client.client();
        Claim claim = new Claim(
                hello.getUser(), hello.getPassword(), channel.remoteAddress().getAddress(), channel.certificates());
        session.login(claim, outcome -> channel.onLoop(() -> loginEnded(outcome)));
    }

    private void welcome() {
        over = true;
        client.welcome();
    }

    private void loginEnded(LoginOutcome outcome) {
        session.loginEnded();
        if (!client.isOpen()) {
            return;
        }
        switch (outcome.kind()) {
            case ACCEPTED ->
                session.accept(outcome.user().orElseThrow())
                        .ifPresentOrElse(
                                problem -> client.reject(Goodbye.Reason.NOT_AUTHENTICATED, problem), this::welcome);
            case REFUSED -> client.reject(Goodbye.Reason.NOT_AUTHENTICATED, outcome.message());
            case TURNED_AWAY -> client.reject(Goodbye.Reason.TOO_MANY_LOGINS, outcome.message());
        }
    }
}
