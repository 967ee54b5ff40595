package io.reprise.net.postgres;

import io.reprise.session.Prepared;
import io.reprise.session.PreparedStatements;

/**
 * The form of a request that needs no thread to wait for it: Bind, perhaps Describe, Execute and Sync, with a statement that the client
 * has prepared. Drivers run statements so that they run often.
 */
final class StartableRequest {
    private StartableRequest() {}

    /** The statement of messages of this form; null: they have another form. */
    static Prepared statement(Iterable<FrontendMessage> messages, PreparedStatements statements) {
        Prepared prepared = null;
        byte before = 0;
        for (FrontendMessage message : messages) {
            byte kind = message.kind();
            boolean follows = switch (kind) {
                case FrontendMessage.BIND -> before == 0;
                case FrontendMessage.DESCRIBE -> before == FrontendMessage.BIND;
                case FrontendMessage.EXECUTE -> before == FrontendMessage.BIND || before == FrontendMessage.DESCRIBE;
                case FrontendMessage.SYNC -> before == FrontendMessage.EXECUTE;
                default -> false;
            };
            if (!follows) {
                return null;
            }
            if (kind == FrontendMessage.BIND) {
                prepared = bound(message, statements);
                if (prepared == null) {
                    return null;
                }
            }
            before = kind;
        }
        return before == FrontendMessage.SYNC ? prepared : null;
    }

    private static Prepared bound(FrontendMessage bind, PreparedStatements statements) {
        BodyReader in = new BodyReader(bind.body());
        try {
            in.string();
            return statements.peek(in.string());
        } catch (io.reprise.session.SessionException malformed) {
            return null;
        }
    }
}
