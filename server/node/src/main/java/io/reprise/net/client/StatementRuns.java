package io.reprise.net.client;

import io.reprise.access.Right;
import io.reprise.access.Rights;
import io.reprise.execution.Result;
import io.reprise.procedure.ErrorCode;
import io.reprise.wire.StatementReader;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Failure;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * A connection's statements: handed to the threads that plan and run them, and answered each in a frame of its own. They wait while
 * the client has enough to read. The network loop's, but for what a statement's end does first.
 */
final class StatementRuns {
    private static final int MOST = 64;

    private final ClientConnection connection;
    private final ClientListener listener;
    private final ReplyLengths lengths;
    private final ArrayDeque<StatementReader> waiting = new ArrayDeque<>(0);
    private int underWay;

    StatementRuns(ClientConnection connection, ClientListener listener) {
        this.connection = connection;
        this.listener = listener;
        lengths = new ReplyLengths();
    }

    /** A frame with a statement has come. */
    void run(byte[] message) {
        StatementReader statement = StatementReader.read(message);
        if (waiting.size() + underWay >= MOST) {
            underWay++;
            new End(statement.id()).tooMany();
            return;
        }
        waiting.add(statement);
        goOn();
    }

    /** Begins what waits, as far as the client has read on. */
    void goOn() {
        while (!waiting.isEmpty() && connection.isOpen() && connection.unread().room(0, underWay * expected()) >= 0) {
            begin(waiting.poll());
        }
    }

    private long expected() {
        return lengths.expected(0);
    }

    private void begin(StatementReader statement) {
        underWay++;
        End end = new End(statement.id());
        Rights rights = connection.user().rights();
        if (!rights.has(Right.READ)) {
            end.notPermitted();
        } else if (!listener.backend()
                .statement(statement.sql(), statement.arguments().toArray(), rights.has(Right.SQL), end)) {
            end.tooMany();
        }
    }

    private void ended(int bytes) {
        underWay--;
        lengths.saw(0, bytes);
        goOn();
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
            reply(replies -> replies.refused(id, Failure.Code.NOT_PERMITTED_VALUE, message, false));
        }

        void tooMany() {
            failed(ErrorCode.OVERLOADED, "too many statements wait already; try again later");
        }

        /** Whoever waits for it is not to wait in vain, and its place is to be free again, whatever happens. */
        private void reply(Consumer<ResultWriter> written) {
            ResultWriter replies = connection.replies();
            try {
                int frame = replies.bytes().beginFrame(Wire.REPLIES);
                written.accept(replies);
                replies.bytes().endFrame(frame);
                connection.send(replies.bytes());
            } catch (RuntimeException | Error failure) {
                connection.cutOff("the end of a statement could not be sent: " + failure);
                throw failure;
            } finally {
                int bytes = replies.bytes().length();
                connection.onLoop(() -> ended(bytes));
            }
        }
    }
}
