package io.reprise.cluster.replica;

/** A record does not fit a replica's state, or has written something else there than at the leader. */
public final class DivergedReplicaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean lacksMemory;

    /** A divergence, with both versions in the message. */
    public DivergedReplicaException(String message, Throwable cause) {
        this(message, cause, false);
    }

    /**
     * The same.
     *
     * @param lacksMemory whether the record has no room here, so that it may find none the next time either
     */
    public DivergedReplicaException(String message, Throwable cause, boolean lacksMemory) {
        super(message, cause);
        this.lacksMemory = lacksMemory;
    }

    /** Whether the record has no room here. */
    public boolean lacksMemory() {
        return lacksMemory;
    }
}
