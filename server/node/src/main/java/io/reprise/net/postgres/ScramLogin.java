package io.reprise.net.postgres;

import io.reprise.access.LoginOutcome;
import io.reprise.access.ScramExchange;
import io.reprise.session.SessionException;
import io.reprise.session.SqlStates;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The messages of a login by SCRAM. Owned by the connection's network loop. */
final class ScramLogin {
    private final ScramExchange exchange;
    private final Replies replies;
    private boolean begun;

    ScramLogin(ScramExchange exchange, Replies replies) {
        this.exchange = exchange;
        this.replies = replies;
    }

    /** Takes a message and writes the answer. Returns the outcome behind the last one. */
    Optional<LoginOutcome> message(byte[] body) {
        try {
            if (begun) {
                ScramExchange.End end = exchange.last(new String(body, StandardCharsets.UTF_8));
                if (end.outcome().kind() == LoginOutcome.Kind.ACCEPTED) {
                    replies.sasl(true, end.message());
                }
                return Optional.of(end.outcome());
            }
            BodyReader in = new BodyReader(body);
            if (!in.string().equals(ScramExchange.MECHANISM)) {
                throw new SessionException(
                        SqlStates.PROTOCOL_VIOLATION, "the server offers " + ScramExchange.MECHANISM + " only");
            }
            byte[] first = in.bytes(in.int32());
            in.end();
            replies.sasl(false, exchange.first(new String(first, StandardCharsets.UTF_8)));
            begun = true;
            return Optional.empty();
        } catch (IllegalArgumentException malformed) {
            throw new SessionException(SqlStates.PROTOCOL_VIOLATION, malformed.getMessage());
        }
    }
}
