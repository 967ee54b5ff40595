package io.reprise.client;

/**
 * What waits at a node until there is a connection, or until the server has said what has to be known to send it, and for its time
 * at most. Owned by whoever makes it, then by the network thread.
 */
abstract class ParkedCall implements ReplyHandler {
    private static final long NEVER = Long.MAX_VALUE;

    final NodeConnector node;
    private long deadlineNs;

    /**
     * One that was not sent yet.
     *
     * @param timeoutNs 0: it has all the time
     */
    ParkedCall(NodeConnector node, long timeoutNs) {
        this.node = node;
        deadlineNs = timeoutNs == 0 ? NEVER : System.nanoTime() + timeoutNs;
    }

    /** How many bytes it has. */
    abstract int length();

    /** What has to be known before it can be sent; null: nothing. */
    abstract RemoteProcedure procedure();

    /** Sends it on this connection, which knows the procedure, or parks it if that has ended. */
    final void send(Connection connection) {
        try {
            long timeoutNs = deadlineNs == NEVER ? 0 : Math.max(1, deadlineNs - System.nanoTime());
            if (write(connection, timeoutNs)) {
                return;
            }
            if (connection.onNetworkThread()) {
                node.park(this);
            } else {
                end(connection.overloaded());
            }
        } catch (CallException notSent) {
            if (notSent.code() == FailureCode.NOT_CONNECTED) {
                node.park(this);
            } else {
                notRun(notSent);
            }
        } catch (RuntimeException | Error unexpected) {
            unwritten(unexpected);
        }
    }

    /** Returns whether there was room for it. */
    abstract boolean write(Connection connection, long timeoutNs);

    /** It could not be written, as when there is no memory left. */
    abstract void unwritten(Throwable unexpected);

    final boolean isOver(long nowNs) {
        return deadlineNs != NEVER && nowNs - deadlineNs >= 0;
    }

    /** Shortens its time; returns whether it was longer. */
    final boolean endsAt(long lastNs) {
        boolean longer = deadlineNs == NEVER || lastNs - deadlineNs < 0;
        if (longer) {
            deadlineNs = lastNs;
        }
        return longer;
    }

    /** Whether its time is over. Then it has ended. */
    final boolean expired(long nowNs) {
        if (!isOver(nowNs)) {
            return false;
        }
        giveUp(whyOver());
        return true;
    }

    /** What is to be said when its time is over. */
    abstract String whyOver();

    /** The same where it waited for a connection. */
    final String withoutConnection(String what) {
        return "there was no connection to " + Unreachable.name(node.address()) + " within the " + what + "'s timeout: "
                + node.problem();
    }

    /** Whether it has paused for as long as it has to since it was refused. */
    abstract boolean hasPaused(long nowNs);

    /** This attempt was not run. */
    abstract void notRun(CallException why);

    /** It is not made any more. */
    abstract void giveUp(String why);

    /** The server does not take this client. */
    abstract void refused(CallException why);

    /** It has failed for good. */
    abstract void end(Throwable failure);
}
