package io.reprise.client;

/**
 * The state of a node without a connection, as its client knows it. Immutable.
 *
 * @param lookingUp whether the node's name is looked up for the first time
 * @param problem why there is no connection, as the end of a sentence
 * @param refusal the failure of calls, because the node does not accept this client; null: it does, or was not asked
 * @param otherProtocol whether the node speaks another protocol
 */
record NodeStatus(boolean lookingUp, String problem, CallException refusal, boolean otherProtocol) {
    /** The state at the beginning. */
    static final NodeStatus FIRST = new NodeStatus(true, "its name is being looked up still", null, false);

    /** The name was looked up. The problem of an earlier attempt says more than that there is no answer yet. */
    NodeStatus lookedUp(long connectTimeoutMs) {
        return lookingUp
                ? new NodeStatus(false, "it did not answer within " + connectTimeoutMs + " ms", refusal, otherProtocol)
                : this;
    }

    /** An attempt to connect failed. */
    NodeStatus failed(String why) {
        return new NodeStatus(false, why, refusal, otherProtocol);
    }

    /** A connection was opened. */
    NodeStatus opened() {
        return new NodeStatus(false, problem, null, false);
    }

    /** A connection has ended. */
    static NodeStatus ended(String why, Connection connection) {
        return new NodeStatus(false, why, connection.refusal(), connection.isOfOtherProtocol());
    }

    /** Whether there is no use in waiting for a first connection. */
    boolean isHopeless() {
        return refusal != null || otherProtocol;
    }
}
