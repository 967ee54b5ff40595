package io.reprise.execution;

/**
 * The destination of a finished execution.
 *
 * <p>While thousands of transactions wait for the log, thousands of executions would go round, and none of them would be in
 * the processor's cache when it is used again. So a target may copy the outcome as soon as the transaction has ended and
 * {@link #hold} it: then the execution is free, and only the outcome waits.
 */
public interface ReplyTarget {
    /** The answer of a target that does not hold an outcome. */
    int NOT_HELD = -1;

    /**
     * Called once for each execution that was not held, by the thread that finished it; hands it over and returns at once.
     * From here on the execution is the target's.
     */
    void complete(Execution execution);

    /**
     * Called when a transaction has ended whose outcome must not be told before {@link #release}, by the thread that ran it,
     * which alone releases it.
     *
     * @return a ticket, 0 or more, that names the held outcome; the execution is the target's from here on. Or {@link
     *     #NOT_HELD}: then the execution comes back by {@link #complete} when it may be told
     */
    default int hold(Execution execution) {
        return NOT_HELD;
    }

    /** The outcome that the target has given this ticket to may be told now. */
    default void release(int ticket) {
        throw new IllegalStateException("no outcome is held by ticket " + ticket);
    }
}
