package io.reprise.client;

import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import java.util.concurrent.CompletableFuture;

/**
 * A statement or a change of the schema: waits for a connection as a call does, for its timeout at most. It is sent once, and again only after a node
 * of a cluster has said that it was not run because the partition has another leader, or none. Owned by its caller, then by the network thread.
 */
final class PendingStatement extends ParkedCall {
    private final CompletableFuture<Reply> future = new CompletableFuture<>();
    private final String what;
    private final int length;
    private final Sending sending;
    private final RetryPause pause = new RetryPause();

    /** Sends a request on a connection; returns false if there is no room for it. */
    interface Sending {
        /** Sends it, and has the handler told of the reply. */
        boolean on(Connection connection, long timeoutNs, ReplyHandler handler);
    }

    private PendingStatement(NodeConnector node, String what, int length, Sending sending, long timeoutNs) {
        super(node, timeoutNs);
        this.what = what;
        this.length = length;
        this.sending = sending;
    }

    /**
     * A statement.
     *
     * @param rows the number of rows whose arguments they are; 0: a single run
     * @param timeoutNs 0: none
     */
    static PendingStatement of(NodeConnector node, String sql, ArgumentWriter arguments, int rows, long timeoutNs) {
        return new PendingStatement(
                node,
                "statement",
                arguments.length() + sql.length(),
                (connection, leftNs, handler) -> connection.statement(sql, arguments, rows, leftNs, handler),
                timeoutNs);
    }

    /**
     * A change of the schema, which may take any time once it was sent.
     *
     * @param timeoutNs the time for which it waits for a connection; 0: any
     */
    static PendingStatement change(NodeConnector node, byte[] script, byte[] jar, long timeoutNs) {
        return new PendingStatement(
                node,
                "change of the schema",
                script.length + jar.length,
                (connection, leftNs, handler) -> connection.change(script, jar, 0, handler),
                timeoutNs);
    }

    CompletableFuture<Reply> future() {
        return future;
    }

    @Override
    int length() {
        return length;
    }

    @Override
    RemoteProcedure procedure() {
        return null;
    }

    @Override
    boolean write(Connection connection, long timeoutNs) {
        return sending.on(connection, timeoutNs, this);
    }

    @Override
    void unwritten(Throwable unexpected) {
        end(unexpected);
    }

    @Override
    public void replied(long cookie, ReplyReader reply) {
        try {
            future.complete(Reply.of(reply));
        } catch (CallException failure) {
            if (failure.code().meansNoLeader() && !nodes().isClosed() && !isOver(System.nanoTime())) {
                pause.begin(RetryPause.SHORT_NS);
                park();
            } else {
                end(failure);
            }
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
        return what;
    }

    /** It is sent again only if it was not run. */
    @Override
    boolean isBound() {
        return false;
    }

    @Override
    boolean mustWait() {
        return false;
    }

    /** The client knows no statement's partition. */
    @Override
    int leader(ClusterView view) {
        return ClusterView.NO_LEADER;
    }

    @Override
    boolean wasRefused() {
        return pause.hasBegun();
    }

    @Override
    boolean hasPaused(long nowNs) {
        return pause.isOver(nowNs);
    }

    @Override
    void notRun(CallException why) {
        end(why);
    }

    @Override
    void giveUp(ErrorCode code, String why) {
        end(CallException.of(code, why + "; the " + what + " was not sent", true));
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
