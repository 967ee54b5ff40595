package io.reprise.runtime;

/**
 * Where failures go that the part that met them can't survive: a broken invariant, a failed force, an exception out of
 * a duty cycle. Injected, because what follows differs: an engine refuses further calls, a recovery is given up, a
 * simulation ends the node.
 *
 * <p>Called on the thread that failed, at most once by each agent; it must not throw and must not wait for that thread.
 */
@FunctionalInterface
public interface FailureHandler {
    /**
     * Takes note that a part of the node is lost.
     *
     * @param where what failed: a role name such as {@code executor-3}
     * @param cause why
     */
    void onFatal(String where, Throwable cause);
}
