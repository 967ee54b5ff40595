package io.reprise.net.reprise;

import com.google.protobuf.InvalidProtocolBufferException;
import io.reprise.access.AuditLog;
import io.reprise.access.Right;
import io.reprise.access.Rights;
import io.reprise.execution.Result;
import io.reprise.net.session.Backend;
import io.reprise.net.session.RejectedRow;
import io.reprise.net.session.ReplyLengths;
import io.reprise.net.session.Session;
import io.reprise.net.session.SessionUser;
import io.reprise.net.session.StatementReply;
import io.reprise.procedure.ErrorCode;
import io.reprise.wire.StatementReader;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Failure;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The statements and changes of the schema of a connection. Other threads plan and run them, and each is answered in a frame of its own.
 * They wait while the client has enough to read. Owned by the network loop, except the replies of ended statements.
 */
final class StatementRuns {
    private static final int MOST = 64;

    private final CallSource source;
    private final Session session;
    private final Backend backend;
    private final Executor loop;
    private final int maxResultBytes;
    private final ReplyLengths lengths = new ReplyLengths();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(0);
    private final SchemaParts parts = new SchemaParts();
    private int underWay;

    StatementRuns(CallSource source, Session session, Backend backend, Executor loop, int maxResultBytes) {
        this.source = source;
        this.session = session;
        this.backend = backend;
        this.loop = loop;
        this.maxResultBytes = maxResultBytes;
    }

    /** Takes a frame with a statement. */
    void run(byte[] message) {
        StatementReader statement = StatementReader.read(message);
        if (waiting.size() + underWay >= MOST) {
            underWay++;
            new End(statement.id()).tooMany();
            return;
        }
        waiting.add(new Waiting(statement, source.passesOn() ? message : null));
        goOn();
    }

    /** A statement, and its message if it may have to be passed on to another node. */
    private record Waiting(StatementReader statement, byte[] message) {}

    /** Takes a frame with a part of a change of the schema, which begins when it is whole. */
    void change(byte[] message) throws InvalidProtocolBufferException {
        boolean permitted = session.user().rights().has(Right.ADMINISTER);
        Optional<SchemaParts.Change> whole = parts.add(message, permitted);
        if (whole.isEmpty()) {
            return;
        }
        underWay++;
        SchemaParts.Change change = whole.get();
        End end = new End(change.id());
        end.act = act(change);
        if (change.rejected()) {
            end.notPermitted(session.user().name() + " may not do this; it needs the role administer");
        } else if (underWay > MOST || !backend.change(change.script(), change.jar(), end)) {
            end.tooMany();
        }
    }

    private static String act(SchemaParts.Change change) {
        return change.script().isBlank() && change.jar().length > 0 ? "deploy a jar" : change.script();
    }

    /** Begins waiting statements, as far as the client has read on. */
    void goOn() {
        while (!waiting.isEmpty() && source.isOpen() && source.unread().room(0, underWay * expectedBytes()) >= 0) {
            begin(waiting.poll());
        }
    }

    private long expectedBytes() {
        return lengths.expected(0);
    }

    private void begin(Waiting next) {
        underWay++;
        StatementReader statement = next.statement();
        End end = new End(statement.id(), next.message());
        Rights rights = session.user().rights();
        if (!rights.has(Right.READ)) {
            end.notPermitted();
        } else if (statement.rows() > 0 && !rights.has(Right.SQL)) {
            end.notPermitted();
        } else if (!begin(statement, rights.has(Right.SQL), end)) {
            end.tooMany();
        }
    }

    private boolean begin(StatementReader statement, boolean mayWrite, End end) {
        Object[] arguments = statement.arguments().toArray();
        return statement.rows() > 0
                ? backend.statementForRows(statement.sql(), arguments, statement.rows(), end)
                : backend.statement(statement.sql(), arguments, mayWrite, end);
    }

    private void ended(int bytes) {
        underWay--;
        lengths.saw(0, bytes);
        goOn();
    }

    /** The end of a statement; sends the reply from the thread that ran it. */
    private final class End implements StatementReply {
        private final long id;
        private final byte[] message;

        /** The administrative act; null: it is none. */
        private String act;

        End(long id) {
            this(id, null);
        }

        /** The end of a statement with this message; null: it is not passed on. */
        End(long id, byte[] message) {
            this.id = id;
            this.message = message;
        }

        @Override
        public Object client() {
            return source;
        }

        @Override
        public boolean isWanted() {
            return source.isOpen();
        }

        @Override
        public void committed(Result result) {
            audit("done");
            reply(replies -> replies.committed(id, result));
        }

        @Override
        public void rowsEnded(List<RejectedRow> rejected) {
            reply(replies -> replies.rejected(id, rejected));
        }

        @Override
        public void failed(ErrorCode code, String message) {
            audit(message);
            reply(replies -> replies.failed(id, code, message));
        }

        @Override
        public void moved(int partition, String why) {
            if (message == null) {
                failed(ErrorCode.MOVED, why);
                return;
            }
            source.pass(new PassedCall(Wire.STATEMENT, message, id, null, 0, 0, 0, 0, partition));
            loop.execute(() -> ended(0));
        }

        @Override
        public void notPermitted() {
            SessionUser user = session.user();
            notPermitted(
                    user.rights().has(Right.READ)
                            ? user.name() + " may only run statements that read; it needs the role sql"
                            : user.name() + " may not run statements; it needs the role sql, or read");
        }

        private void audit(String how) {
            if (act != null) {
                AuditLog.act(session.user().login().orElse(""), source.remoteAddress(), act, how);
            }
        }

        void notPermitted(String message) {
            audit("not permitted");
            session.countNotPermitted();
            reply(replies -> replies.refused(id, Failure.Code.NOT_PERMITTED_VALUE, message, false));
        }

        void tooMany() {
            failed(ErrorCode.OVERLOADED, "too many statements wait already; try again later");
        }

        /** Sends the reply or ends the connection, and frees the statement's place in any case. */
        private void reply(Consumer<ResultWriter> written) {
            ResultWriter replies = ResultWriter.ofOneReply(maxResultBytes);
            try {
                int frame = replies.bytes().beginFrame(Wire.REPLIES);
                written.accept(replies);
                replies.bytes().endFrame(frame);
                source.send(replies.bytes());
            } catch (RuntimeException | Error failure) {
                source.cutOff("the end of a statement could not be sent: " + failure);
                throw failure;
            } finally {
                int bytes = replies.bytes().length();
                loop.execute(() -> ended(bytes));
            }
        }
    }
}
