package io.reprise.client;

/**
 * A call that waits for a connection, for room on one, or for a question to the server, and for its time at most. Any
 * node may run it. A call that may have run is bound to its node, unless that is in a cluster: there the leader of its
 * partition knows the outcome, and any node passes the call on. Owned by its maker, then by the network thread.
 */
abstract class ParkedCall implements ReplyHandler {
    private static final long NEVER = Long.MAX_VALUE;

    private NodeConnector node;
    private long deadlineNs;

    /**
     * One that was not sent yet.
     *
     * @param node whose turn it is
     * @param timeoutNs 0: it has all the time
     */
    ParkedCall(NodeConnector node, long timeoutNs) {
        this.node = node;
        deadlineNs = timeoutNs == 0 ? NEVER : System.nanoTime() + timeoutNs;
    }

    /** The number of its bytes. */
    abstract int length();

    /** The procedure that has to be known before it can be sent; null: none. */
    abstract RemoteProcedure procedure();

    /** It is about to be sent to this node. */
    final void at(NodeConnector next) {
        node = next;
    }

    final Nodes nodes() {
        return node.nodes();
    }

    /** Whether it must not be sent to another node than the last one: it may have run there, and would run again. */
    abstract boolean isBound();

    /** Whether it has to wait although too many wait already: it may have run, so it can't be rejected. */
    abstract boolean mustWait();

    /** The node that leads the call's partition, or {@link ClusterView#NO_LEADER} if that is not known. */
    abstract int leader(ClusterView view);

    /** Lets it wait for the node that it is bound to, or for any. */
    final void park() {
        if (isBound()) {
            node.parkHere(this);
        } else {
            nodes().park(this);
        }
    }

    /** Sends it on this connection, which knows the procedure, or parks it if that has ended. */
    final void send(Connection connection) {
        if (isBound() && isOver(System.nanoTime())) {
            // The machine may have slept while the server was being asked.
            overdueAsking();
            return;
        }
        try {
            long timeoutNs = deadlineNs == NEVER ? 0 : Math.max(1, deadlineNs - System.nanoTime());
            if (write(connection, timeoutNs)) {
                return;
            }
            if (isBound() || connection.parksWithoutRoom()) {
                park();
            } else {
                end(connection.overloaded());
            }
        } catch (CallException notSent) {
            if (notSent.code() == ErrorCode.NOT_CONNECTED) {
                park();
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

    boolean isOver(long nowNs) {
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

    /** Whether the time is over of one that is parked. Then it has ended. */
    final boolean expired(long nowNs) {
        boolean over = isOver(nowNs);
        if (over) {
            boolean connected = isBound() ? node.connection() != null : nodes().isConnected();
            if (!connected) {
                overdue(ErrorCode.NOT_CONNECTED, withoutConnection());
            } else if (wasRefused()) {
                overdue(ErrorCode.DEADLINE_PASSED, "the " + what() + "'s timeout is over");
            } else {
                overdue(ErrorCode.OVERLOADED, nodes().noRoom());
            }
        }
        return over;
    }

    /** Its time is over while the server is being asked for what has to be known of its procedure. */
    final void overdueAsking() {
        overdue(
                ErrorCode.NOT_CONNECTED,
                "the server did not say within the call's timeout how " + procedure() + " is called");
    }

    /** Its time is over. */
    void overdue(ErrorCode code, String why) {
        giveUp(code, why);
    }

    private String withoutConnection() {
        String within = " within the " + what() + "'s timeout";
        return isBound() ? node.withoutConnection(within) : nodes().withoutConnection(within);
    }

    /** Its name. */
    abstract String what();

    /** Whether an attempt was refused, after which it pauses. */
    abstract boolean wasRefused();

    /** Whether it has paused for as long as it has to since it was refused. */
    abstract boolean hasPaused(long nowNs);

    /** This attempt was not run. */
    abstract void notRun(CallException why);

    /** It is not made any more. */
    abstract void giveUp(ErrorCode code, String why);

    /** No server takes this client, or it can't wait for one. */
    abstract void refused(CallException why);

    /** It has failed for good. */
    abstract void end(Throwable failure);
}
