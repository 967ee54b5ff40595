package io.reprise.client;

import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import java.util.concurrent.CompletableFuture;

/** A statement: waits for a connection as a call does, for its time at most, and is sent once. Owned by whoever makes it, then by the network thread. */
final class PendingStatement implements ReplyHandler, ParkedCall {
    private final CompletableFuture<Reply> future = new CompletableFuture<>();
    private final NodeConnector node;
    private final String sql;
    private final ArgumentWriter arguments;
    private final long deadlineNs;

    /**
     * A statement.
     *
     * @param timeoutNs 0: it has all the time
     */
    PendingStatement(NodeConnector node, String sql, ArgumentWriter arguments, long timeoutNs) {
        this.node = node;
        this.sql = sql;
        this.arguments = arguments;
        deadlineNs = timeoutNs == 0 ? Long.MAX_VALUE : System.nanoTime() + timeoutNs;
    }

    CompletableFuture<Reply> future() {
        return future;
    }

    @Override
    public int length() {
        return arguments.length() + sql.length();
    }

    @Override
    public RemoteProcedure procedure() {
        return null;
    }

    @Override
    public void send(Connection connection) {
        try {
            long timeoutNs = deadlineNs == Long.MAX_VALUE ? 0 : Math.max(1, deadlineNs - System.nanoTime());
            if (connection.statement(sql, arguments, timeoutNs, this, 0)) {
                return;
            }
            if (connection.onNetworkThread()) {
                node.park(this);
            } else {
                notRun(connection.overloaded());
            }
        } catch (CallException notSent) {
            if (notSent.code() == FailureCode.NOT_CONNECTED) {
                node.park(this);
            } else {
                notRun(notSent);
            }
        } catch (RuntimeException | Error unexpected) {
            future.completeExceptionally(unexpected);
        }
    }

    @Override
    public void replied(long cookie, ReplyReader reply) {
        try {
            future.complete(Reply.of(reply));
        } catch (RuntimeException | Error failure) {
            future.completeExceptionally(failure);
        }
    }

    @Override
    public void failed(long cookie, CallException why) {
        future.completeExceptionally(why);
    }

    @Override
    public boolean expired(long nowNs) {
        if (deadlineNs == Long.MAX_VALUE || nowNs - deadlineNs < 0) {
            return false;
        }
        giveUp("there was no connection to " + Unreachable.name(node.address()) + " within the statement's timeout: "
                + node.problem());
        return true;
    }

    @Override
    public boolean hasPaused(long nowNs) {
        return true;
    }

    @Override
    public void notRun(CallException why) {
        future.completeExceptionally(why);
    }

    @Override
    public void giveUp(String why) {
        notRun(new CallException(FailureCode.NOT_CONNECTED, why + "; the statement was not sent", true));
    }

    @Override
    public void refused(CallException why) {
        notRun(why);
    }
}
