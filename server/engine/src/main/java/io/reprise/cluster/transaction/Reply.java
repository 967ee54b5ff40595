package io.reprise.cluster.transaction;

/** Takes the outcome of a call. A call ends without one only if its node ends. */
@FunctionalInterface
public interface Reply {
    /** The call has ended. */
    void told(Outcome outcome);
}
