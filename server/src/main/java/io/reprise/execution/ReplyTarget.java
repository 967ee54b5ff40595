package io.reprise.execution;

/** Where a finished invocation goes. */
public interface ReplyTarget {
    /**
     * Called once for each invocation, by the thread that finished it; hands it over and returns at once. From here on
     * the invocation is the target's.
     */
    void complete(Invocation invocation);
}
