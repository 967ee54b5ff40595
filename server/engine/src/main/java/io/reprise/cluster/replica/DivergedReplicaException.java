package io.reprise.cluster.replica;

/** A record does not fit a replica's state, or has written something else there than at the leader. */
public final class DivergedReplicaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A divergence, with both versions in the message. */
    public DivergedReplicaException(String message, Throwable cause) {
        super(message, cause);
    }
}
