package io.reprise.execution;

/**
 * Takes a finished invocation.
 *
 * <p>While thousands of transactions wait for the log, thousands of invocations would go round, and none of them
 * would be in the processor's cache when it is used again. So a target may take a transaction's outcome as soon as it
 * has ended, and {@link #hold} it: then the invocation is free, and only the outcome waits.
 */
public interface ReplyTarget {
    /**
     * Called once for each invocation that was not held, by the thread that finished it; hands it over and returns at once.
     * From here on the invocation is the target's.
     */
    void complete(Invocation invocation);

    /**
     * A transaction has ended, but what it came to must not be told before the log is durable so far. Called by the thread
     * that ran it, which is the only one that will call {@link #firstHeldAreDurable} for it.
     *
     * @return true: the invocation is the target's from here on; false: it comes back by {@link #complete} when it is time
     */
    default boolean hold(Invocation invocation) {
        return false;
    }

    /** The oldest held outcomes, so many, may be told now. */
    default void firstHeldAreDurable(int count) {
        throw new IllegalStateException("nothing is held");
    }
}
