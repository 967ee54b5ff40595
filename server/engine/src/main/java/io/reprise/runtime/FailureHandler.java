package io.reprise.runtime;

/**
 * Takes failures that their part of the node cannot survive: a broken invariant, a failed force, an exception out of
 * a duty cycle. Injected, because the reaction differs: an engine rejects further calls, a recovery is given up, a
 * simulation ends the node.
 *
 * <p>Called on the thread that failed, at most once by each agent. It must not throw and must not wait for that
 * thread.
 */
@FunctionalInterface
public interface FailureHandler {
    /**
     * Takes note that a part of the node is lost.
     *
     * @param where the failed part: a role name such as {@code executor-3}
     * @param cause the failure
     */
    void onFatal(String where, Throwable cause);
}
