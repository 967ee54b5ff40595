package io.reprise.engine;

import io.reprise.runtime.agent.Cancellation;
import io.reprise.runtime.memory.WorkMemory;

/**
 * Limits of one request.
 *
 * @param largestResult the most bytes of a result; a statement that finds more is ended early
 * @param cancellation cancels the request while it waits or runs; null: it can't be canceled
 */
public record RunLimits(long largestResult, Cancellation cancellation) {
    /** No limits. */
    public static final RunLimits NONE = new RunLimits(WorkMemory.UNLIMITED, null);

    /** A limit of the result only. */
    public static RunLimits ofResult(long bytes) {
        return new RunLimits(bytes, null);
    }
}
