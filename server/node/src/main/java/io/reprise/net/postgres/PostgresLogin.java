package io.reprise.net.postgres;

import io.reprise.access.AuditLog;
import io.reprise.access.Claim;
import io.reprise.access.LoginOutcome;
import io.reprise.access.LoginStart;
import io.reprise.access.ScramExchange;
import io.reprise.net.listen.ClientChannel;
import io.reprise.net.session.Session;
import io.reprise.session.SessionException;
import io.reprise.session.SessionSettings;
import io.reprise.session.SqlSession;
import io.reprise.session.SqlStates;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The startup and the login of a connection, up to the session that its messages run in. Owned by the connection's network loop.
 */
final class PostgresLogin {
    private static final int AUTHENTICATION_OK = 0;
    private static final int CLEARTEXT_PASSWORD = 3;

    private final PostgresProtocol protocol;
    private final ClientChannel client;
    private final PostgresConnection connection;
    private final Session session;
    private final Replies replies;
    private SortedMap<String, String> parameters;
    private boolean started;

    /** The login by SCRAM; null: none. */
    private ScramLogin scram;

    PostgresLogin(
            PostgresProtocol protocol,
            ClientChannel client,
            PostgresConnection connection,
            Session session,
            Replies replies) {
        this.protocol = protocol;
        this.client = client;
        this.connection = connection;
        this.session = session;
        this.replies = replies;
    }

    /** Whether the client has named its user. */
    boolean isStarted() {
        return started;
    }

    /** The startup message has come. */
    void begin(Startup message) {
        if (!message.isSupported()) {
            connection.reject("0A000", "unsupported frontend protocol: the server supports 3.0");
            return;
        }
        try {
            parameters = message.parameters();
        } catch (SessionException malformed) {
            connection.reject(malformed.state(), malformed.getMessage());
            return;
        }
        started = true;
        var unknown = Startup.unknownOptions(parameters);
        if (message.minor() > 0 || !unknown.isEmpty()) {
            replies.negotiateVersion(0, unknown);
        }
        if (protocol.refusesNew()) {
            connection.reject("57P03", "the database system is shutting down");
        } else if (!session.needsLogin()) {
            welcome();
        } else {
            session.start(claim(""), step -> client.onLoop(() -> loginStarted(step)));
        }
    }

    private Claim claim(String password) {
        return new Claim(
                parameters.get("user"), password, client.remoteAddress().getAddress(), client.certificates());
    }

    private void loginStarted(LoginStart step) {
        session.loginEnded();
        if (!connection.isOpen()) {
            return;
        }
        switch (step) {
            case LoginStart.Decided(LoginOutcome outcome) -> loginEnded(outcome);
            case LoginStart.Scram(ScramExchange exchange) -> {
                scram = new ScramLogin(exchange, replies);
                replies.saslMechanisms(ScramExchange.MECHANISM);
                connection.send();
            }
            case LoginStart.Password() -> {
                if (protocol.hasTls() || client.remoteAddress().getAddress().isLoopbackAddress()) {
                    replies.authentication(CLEARTEXT_PASSWORD);
                    connection.send();
                } else {
                    connection.reject("28000", "a password is taken over TLS only; use sslmode=require");
                }
            }
        }
    }

    private void scramMessage(byte[] body) {
        try {
            Optional<LoginOutcome> outcome = scram.message(body);
            if (outcome.isPresent()) {
                loginEnded(outcome.get());
            } else {
                connection.send();
            }
        } catch (SessionException malformed) {
            connection.reject(malformed.state(), malformed.getMessage());
        }
    }

    /** A message of the login has come. */
    void password(FrontendMessage message) {
        if (message.kind() != FrontendMessage.PASSWORD || session.isLoggingIn()) {
            connection.reject(SqlStates.PROTOCOL_VIOLATION, "expected a password");
            return;
        }
        byte[] body = message.body();
        if (scram != null) {
            scramMessage(body);
            return;
        }
        int length = body.length > 0 && body[body.length - 1] == 0 ? body.length - 1 : body.length;
        session.login(
                claim(new String(body, 0, length, StandardCharsets.UTF_8)),
                outcome -> client.onLoop(() -> loginEnded(outcome)));
    }

    private void loginEnded(LoginOutcome outcome) {
        session.loginEnded();
        if (!connection.isOpen()) {
            return;
        }
        switch (outcome.kind()) {
            case ACCEPTED ->
                session.accept(outcome.user().orElseThrow())
                        .ifPresentOrElse(problem -> connection.reject("28000", problem), this::welcome);
            case REFUSED -> connection.reject(SqlStates.INVALID_PASSWORD, outcome.message());
            case TURNED_AWAY -> connection.reject("53300", outcome.message());
        }
    }

    private void welcome() {
        String user = parameters.get("user");
        String database = parameters.getOrDefault("database", user);
        SqlSession sql = new SqlSession(
                protocol.engine(),
                () -> session.user().rights(),
                user,
                database,
                connection.number(),
                protocol.hashKey(),
                () -> !connection.isOpen());
        SessionSettings settings = sql.settings();
        settings.atLogin("session_authorization", user);
        settings.atLogin("is_superuser", "on");
        try {
            Startup.settings(parameters.getOrDefault("options", "")).forEach(settings::startup);
            parameters.forEach(settings::startup);
        } catch (SessionException refused) {
            connection.reject(refused.state(), refused.getMessage());
            return;
        }
        replies.authentication(AUTHENTICATION_OK);
        for (String name : SessionSettings.reported()) {
            replies.parameterStatus(name, settings.value(name));
        }
        replies.backendKey(connection.number(), connection.secret());
        replies.ready('I');
        connection.send();
        connection.loggedIn(new MessageRunner(
                sql,
                replies,
                new StatementTimer(client.netty().eventLoop()),
                protocol.span(),
                (act, end) -> AuditLog.act(session.user().login().orElse(""), client.remoteAddress(), act, end)));
    }
}
