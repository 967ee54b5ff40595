package io.reprise.net.postgres;

import io.reprise.session.Prepared;
import io.reprise.session.PreparedStatements;
import io.reprise.session.SessionException;
import java.util.ArrayList;
import java.util.List;

/**
 * The form of a request that needs no thread to wait for it: Bind, perhaps Describe, and Execute, once or several times, and Sync, with
 * statements that the client has prepared. Drivers run statements and batches so that they run often.
 */
final class StartableRequest {
    /** More statements are run by a thread of their own. */
    private static final int MOST = 32;

    private StartableRequest() {}

    /** The statements of messages of this form; none: they have another form. */
    static List<Prepared> statements(Iterable<FrontendMessage> messages, PreparedStatements statements) {
        List<Prepared> found = new ArrayList<>();
        byte before = 0;
        for (FrontendMessage message : messages) {
            byte kind = message.kind();
            boolean follows = switch (kind) {
                case FrontendMessage.BIND -> before == 0 || before == FrontendMessage.EXECUTE;
                case FrontendMessage.DESCRIBE -> before == FrontendMessage.BIND;
                case FrontendMessage.EXECUTE -> before == FrontendMessage.BIND || before == FrontendMessage.DESCRIBE;
                case FrontendMessage.SYNC -> before == FrontendMessage.EXECUTE;
                default -> false;
            };
            if (!follows || found.size() > MOST) {
                return List.of();
            }
            if (kind == FrontendMessage.BIND) {
                Prepared prepared = bound(message, statements);
                if (prepared == null) {
                    return List.of();
                }
                found.add(prepared);
            }
            before = kind;
        }
        return before == FrontendMessage.SYNC ? found : List.of();
    }

    private static Prepared bound(FrontendMessage bind, PreparedStatements statements) {
        BodyReader in = new BodyReader(bind.body());
        try {
            in.string();
            return statements.peek(in.string());
        } catch (SessionException malformed) {
            return null;
        }
    }
}
