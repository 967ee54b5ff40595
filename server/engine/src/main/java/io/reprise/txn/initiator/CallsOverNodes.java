package io.reprise.txn.initiator;

import io.reprise.execution.Execution;

/** Takes the calls that have several partitions, at a node of a cluster. */
@FunctionalInterface
public interface CallsOverNodes {
    /**
     * Takes a routed execution if it has several participants and is no work of the engine. It is answered in any case, on the
     * thread that its reply target allows; it is refused on the caller's thread.
     */
    boolean take(Execution execution);
}
