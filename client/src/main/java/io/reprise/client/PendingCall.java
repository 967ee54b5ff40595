package io.reprise.client;

import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import io.reprise.wire.WireFailure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A call that is repeated, under the same number, until its outcome is known or its timeout passes. When the connection breaks before
 * the reply, it is repeated at the same node, which knows whether it has run; in a cluster at the leader of its partition, whichever
 * node that is by then. When a closing server or a node that does not lead rejects it, it is repeated at any node, after a pause.
 *
 * <pre>
 *  new -> sent -> replied
 *   |      |
 *   +------+--> parked, until there is a connection -> sent
 * </pre>
 *
 * <p>When a connection breaks, the call is in doubt: it may have committed. Then a rejection of a later attempt is no outcome, because
 * it tells nothing of the first one. The call is repeated after a pause, and ends as unknown when its timeout passes.
 *
 * <p>Owned by its sender, then by the network thread.
 */
final class PendingCall extends ParkedCall {
    /**
     * The longest time between attempts of one call. Servers remember a bounded number of clients, so a repetition after a very
     * long time might run twice.
     */
    private static final long REPEATABLE_MINUTES = 55;

    private static final long REPEATABLE_NS = TimeUnit.MINUTES.toNanos(REPEATABLE_MINUTES);
    private static final long REPEATABLE_MS = TimeUnit.MINUTES.toMillis(REPEATABLE_MINUTES);
    private static final String LONG_AGO = "the call was first made " + REPEATABLE_MINUTES
            + " minutes ago and is not repeated, because servers may have dropped its outcome";

    private final CompletableFuture<Reply> future = new CompletableFuture<>();
    private final Sequences sequences;
    private final RemoteProcedure procedure;
    private final ArgumentWriter arguments;
    private final long sequence;

    /** It must not be made again any more before its time is over. */
    private boolean endsBeforeItsTime;

    /** It was written, and may have been refused since. */
    private boolean sent;

    /** When the last attempt was written, or the first one that is in doubt. */
    private long sentNs;

    /** The same by the time of day. */
    private long sentMs;

    /** It was under way on a connection that ended: the outcome of that attempt is not known. */
    private boolean inDoubt;

    /** Why the last attempt that was refused while the call was in doubt was not run; null if none was. */
    private CallException refusal;

    private final RetryPause pause = new RetryPause();

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
        super(node, timeoutNs);
        this.sequences = sequences;
        this.procedure = procedure;
        this.arguments = arguments;
        sequence = sequences.begin();
    }

    CompletableFuture<Reply> future() {
        return future;
    }

    @Override
    int length() {
        return arguments.length();
    }

    @Override
    RemoteProcedure procedure() {
        return procedure;
    }

    @Override
    boolean write(Connection connection, long timeoutNs) {
        return connection.call(procedure, arguments, sequence, timeoutNs, this, 0);
    }

    /** Its number has to be free again, or no call would have one any more. */
    @Override
    void unwritten(Throwable unexpected) {
        if (inDoubt) {
            giveUp(ErrorCode.OUTCOME_UNKNOWN, unexpected.toString());
        } else {
            end(unexpected);
        }
    }

    /** Just before it is written: from here on it may run. */
    @Override
    public void sending() {
        sent = true;
        if (!inDoubt) {
            sentNs = System.nanoTime();
            sentMs = nodes().wallClock().millis();
        }
    }

    @Override
    public void replied(long cookie, ReplyReader reply) {
        try {
            Reply received = Reply.of(reply);
            sequences.end(sequence);
            future.complete(received);
        } catch (CallException failure) {
            if (isLostOnTheWay(reply)) {
                lostOnTheWay(failure);
            } else if (inDoubt && saysNothingOfEarlier(reply)) {
                notRun(failure);
            } else if (failure.code().meansNoLeader() && canWait()) {
                pause.begin(RetryPause.SHORT_NS);
                park();
            } else if (failure.code() == ErrorCode.SHUTTING_DOWN && canWait()) {
                // The server may take its last snapshot before it ends the connection, which takes a while.
                pause.begin(RetryPause.LONG_NS);
                park();
            } else {
                end(failure);
            }
        } catch (RuntimeException | Error unreadable) {
            end(unreadable);
        }
    }

    @Override
    public void failed(long cookie, CallException why) {
        boolean mayComeAgain = why.code() == ErrorCode.OUTCOME_UNKNOWN && sequence != 0;
        if (mayComeAgain) {
            doubt();
        }
        if (mayComeAgain && canWait()) {
            park();
        } else if (endsBeforeItsTime && !nodes().isClosed()) {
            giveUp(ErrorCode.OUTCOME_UNKNOWN, LONG_AGO);
        } else {
            end(refusal == null ? why : new UnknownOutcomeException(why.getMessage() + lastRefusal()));
        }
    }

    /** Whether the node that passed the call on has lost the leader: under its number the call may be made again. */
    private boolean isLostOnTheWay(ReplyReader reply) {
        WireFailure failure = reply.failure();
        return sequence != 0 && failure.retryIsSafe() && ErrorCode.of(failure.code()) == ErrorCode.OUTCOME_UNKNOWN;
    }

    /** The same as the end of a connection: the outcome of this attempt is not known. */
    private void lostOnTheWay(CallException why) {
        doubt();
        if (canWait()) {
            pause.begin(RetryPause.SHORT_NS);
            park();
        } else {
            end(why);
        }
    }

    /** From the first attempt whose end is not known the time runs in which the call can be made again. */
    private void doubt() {
        inDoubt = true;
        endsBeforeItsTime |= endsAt(sentNs + REPEATABLE_NS);
    }

    /** Whether a failure only tells that this attempt had no effect, and nothing of an earlier one. */
    private static boolean saysNothingOfEarlier(ReplyReader reply) {
        WireFailure failure = reply.failure();
        return failure.notRun() || failure.retryIsSafe();
    }

    /** This attempt was not run. The call ends with it, unless an earlier one may have been. */
    @Override
    void notRun(CallException why) {
        if (!inDoubt) {
            end(why);
            return;
        }
        refusal = why;
        if (canWait()) {
            pause.begin(why.code().meansNoLeader() ? RetryPause.SHORT_NS : RetryPause.LONG_NS);
            park();
        } else if (nodes().isClosed()) {
            giveUp(ErrorCode.NOT_CONNECTED, "the client was closed");
        } else {
            overdue(ErrorCode.DEADLINE_PASSED, "the call's timeout is over");
        }
    }

    @Override
    boolean hasPaused(long nowNs) {
        return pause.isOver(nowNs);
    }

    /** By the time of day, too: the other clock may stand still while the machine sleeps, and servers forget meanwhile. */
    @Override
    boolean isOver(long nowNs) {
        boolean forgotten = inDoubt && nodes().wallClock().millis() - sentMs >= REPEATABLE_MS;
        endsBeforeItsTime |= forgotten;
        return forgotten || super.isOver(nowNs);
    }

    private boolean canWait() {
        return !nodes().isClosed() && !isOver(System.nanoTime());
    }

    @Override
    String what() {
        return "call";
    }

    @Override
    boolean isBound() {
        return inDoubt && !nodes().isCluster();
    }

    @Override
    boolean mustWait() {
        return inDoubt;
    }

    @Override
    int leader(ClusterView view) {
        return procedure.leader(view, arguments);
    }

    @Override
    boolean wasRefused() {
        return pause.hasBegun();
    }

    @Override
    void overdue(ErrorCode code, String why) {
        giveUp(code, endsBeforeItsTime ? LONG_AGO : why);
    }

    @Override
    void giveUp(ErrorCode code, String why) {
        end(
                inDoubt
                        ? unknown(why)
                        : CallException.of(
                                code, why + (sent ? "; the call was not run" : "; the call was not sent"), true));
    }

    @Override
    void refused(CallException why) {
        end(inDoubt ? unknown(why.getMessage()) : why);
    }

    private UnknownOutcomeException unknown(String why) {
        return new UnknownOutcomeException(why + "; whether the call was run is not known" + lastRefusal());
    }

    private String lastRefusal() {
        return refusal == null
                ? ""
                : "; when it was made again it was refused, last with " + refusal.code() + ": " + refusal.getMessage();
    }

    @Override
    void end(Throwable failure) {
        sequences.end(sequence);
        future.completeExceptionally(failure);
    }
}
