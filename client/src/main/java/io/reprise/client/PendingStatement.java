package io.reprise.client;

import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import java.util.concurrent.CompletableFuture;

/** A statement: waits for a connection as a call does, for its time at most, and is sent once. Owned by whoever makes it, then by the network thread. */
final class PendingStatement extends ParkedCall {
    private final CompletableFuture<Reply> future = new CompletableFuture<>();
    private final String sql;
    private final ArgumentWriter arguments;

    /**
     * A statement.
     *
     * @param timeoutNs 0: it has all the time
     */
    PendingStatement(NodeConnector node, String sql, ArgumentWriter arguments, long timeoutNs) {
        super(node, timeoutNs);
        this.sql = sql;
        this.arguments = arguments;
    }

    CompletableFuture<Reply> future() {
        return future;
    }

    @Override
    int length() {
        return arguments.length() + sql.length();
    }

    @Override
    RemoteProcedure procedure() {
        return null;
    }

    @Override
    boolean write(Connection connection, long timeoutNs) {
        return connection.statement(sql, arguments, timeoutNs, this, 0);
    }

    @Override
    void unwritten(Throwable unexpected) {
        end(unexpected);
    }

    @Override
    public void replied(long cookie, ReplyReader reply) {
        try {
            future.complete(Reply.of(reply));
        } catch (RuntimeException | Error failure) {
            end(failure);
        }
    }

    @Override
    public void failed(long cookie, CallException why) {
        end(why);
    }

    @Override
    String what() {
        return "statement";
    }

    /** It is sent once. */
    @Override
    boolean isBound() {
        return false;
    }

    @Override
    boolean wasRefused() {
        return false;
    }

    @Override
    boolean hasPaused(long nowNs) {
        return true;
    }

    @Override
    void notRun(CallException why) {
        end(why);
    }

    @Override
    void giveUp(FailureCode code, String why) {
        end(CallException.of(code, why + "; the statement was not sent", true));
    }

    @Override
    void refused(CallException why) {
        end(why);
    }

    @Override
    void end(Throwable failure) {
        future.completeExceptionally(failure);
    }
}
