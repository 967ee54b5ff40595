package io.reprise.net.client;

import io.reprise.access.Right;
import io.reprise.access.Rights;
import io.reprise.execution.Result;
import io.reprise.procedure.ErrorCode;
import io.reprise.wire.StatementReader;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Failure;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A connection's statements: handed to the threads that plan and run them, and answered each in a frame of its own. */
final class StatementRuns {
    private static final int MOST = 64;

    private final ClientConnection connection;
    private final ClientListener listener;
    private final AtomicInteger underWay = new AtomicInteger();

    StatementRuns(ClientConnection connection, ClientListener listener) {
        this.connection = connection;
        this.listener = listener;
    }

    /** The loop: a frame with a statement has come. */
    void run(byte[] message) {
        StatementReader statement = StatementReader.read(message);
        End end = new End(statement.id());
        int waiting = underWay.incrementAndGet();
        Rights rights = connection.user().rights();
        if (!rights.has(Right.READ)) {
            end.notPermitted();
            return;
        }
        boolean taken = waiting <= MOST
                && listener.backend()
                        .statement(statement.sql(), statement.arguments().toArray(), rights.has(Right.SQL), end);
        if (!taken) {
            end.failed(ErrorCode.OVERLOADED, "too many statements wait already; try again later");
        }
    }

    /** Sends what came of a statement, from the thread that ran it. */
    private final class End implements StatementReply {
        private final long id;

        End(long id) {
            this.id = id;
        }

        @Override
        public void committed(Result result) {
            reply(replies -> replies.committed(id, result));
        }

        @Override
        public void failed(ErrorCode code, String message) {
            reply(replies -> replies.failed(id, code, message));
        }

        @Override
        public void notPermitted() {
            listener.refusedRequest();
            ConnectedUser user = connection.user();
            String message = user.rights().has(Right.READ)
                    ? user.name() + " may only run statements that read; it needs the role sql"
                    : user.name() + " may not run statements; it needs the role sql, or read";
            reply(replies -> replies.failure(id, Failure.Code.NOT_PERMITTED_VALUE, message, false));
        }

        private void reply(Consumer<ResultWriter> written) {
            ResultWriter replies = connection.replies();
            int frame = replies.bytes().beginFrame(Wire.REPLIES);
            written.accept(replies);
            underWay.decrementAndGet();
            replies.bytes().endFrame(frame);
            connection.send(replies.bytes());
        }
    }
}
