package io.reprise.client;

import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import java.util.concurrent.CompletableFuture;

/**
 * A call that is made again, under the same number and at the same node, until its outcome is known or its time is over: when
 * the connection breaks before the reply, and when the server ends before it has begun.
 *
 * <pre>
 *  new -> sent -> replied
 *   |      |
 *   +------+--> parked, until there is a connection -> sent
 * </pre>
 *
 * <p>Owned by whoever sends it, then by the network thread.
 */
final class PendingCall implements ReplyHandler {
    private final CompletableFuture<Reply> future = new CompletableFuture<>();
    private final Sequences sequences;
    private final NodeConnector node;
    private final RemoteProcedure procedure;
    private final ArgumentWriter arguments;
    private final long sequence;
    private final long deadlineNs;
    private boolean sent;

    /**
     * A call.
     *
     * @param timeoutNs 0: it has all the time
     */
    PendingCall(
            Sequences sequences,
            NodeConnector node,
            RemoteProcedure procedure,
            ArgumentWriter arguments,
            long timeoutNs) {
        this.sequences = sequences;
        this.node = node;
        this.procedure = procedure;
        this.arguments = arguments;
        sequence = sequences.begin();
        deadlineNs = timeoutNs == 0 ? Long.MAX_VALUE : System.nanoTime() + timeoutNs;
    }

    CompletableFuture<Reply> future() {
        return future;
    }

    RemoteProcedure procedure() {
        return procedure;
    }

    /** Sends it on this connection, which knows the procedure, or parks it if that has ended. */
    void send(Connection connection) {
        try {
            long timeoutNs = deadlineNs == Long.MAX_VALUE ? 0 : Math.max(1, deadlineNs - System.nanoTime());
            if (connection.call(procedure, arguments, sequence, timeoutNs, this, 0)) {
                return;
            }
            if (!sent && !connection.onNetworkThread()) {
                end(new OverloadedException(
                        "as many calls are under way as this client allows; the call was not sent"));
            } else {
                node.park(this);
            }
        } catch (CallException notSent) {
            if (notSent.code() == FailureCode.NOT_CONNECTED) {
                node.park(this);
            } else {
                end(notSent);
            }
        }
    }

    /** Just before it is written: from here on it may run. */
    @Override
    public void sending() {
        sent = true;
    }

    @Override
    public void replied(long cookie, ReplyReader reply) {
        try {
            Reply received = Reply.of(reply);
            sequences.end(sequence);
            future.complete(received);
        } catch (CallException failure) {
            if (failure.code() == FailureCode.SHUTTING_DOWN && canWait()) {
                node.park(this);
            } else {
                end(failure);
            }
        } catch (RuntimeException malformed) {
            end(malformed);
        }
    }

    @Override
    public void failed(long cookie, CallException why) {
        if (why.code() == FailureCode.OUTCOME_UNKNOWN && sequence != 0 && canWait()) {
            node.park(this);
        } else {
            end(why);
        }
    }

    private boolean canWait() {
        return !node.isClosed() && System.nanoTime() - deadlineNs < 0;
    }

    /** While it is parked: whether its time is over. Then it has ended. */
    boolean expired(long nowNs) {
        if (deadlineNs == Long.MAX_VALUE || nowNs - deadlineNs < 0) {
            return false;
        }
        giveUp("there was no connection to " + Unreachable.name(node.address()) + " within the call's timeout: "
                + node.problem());
        return true;
    }

    /** There will be no connection any more. */
    void giveUp(String why) {
        end(
                sent
                        ? new UnknownOutcomeException(why + "; whether the call was run is not known")
                        : new CallException(FailureCode.NOT_CONNECTED, why + "; the call was not sent", true));
    }

    /** The server does not take this client. */
    void refused(CallException why) {
        end(sent ? new UnknownOutcomeException(why.getMessage() + "; whether the call was run is not known") : why);
    }

    /** It has failed for good. */
    void end(RuntimeException failure) {
        sequences.end(sequence);
        future.completeExceptionally(failure);
    }
}
