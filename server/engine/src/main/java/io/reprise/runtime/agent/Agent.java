package io.reprise.runtime.agent;

/** A moving part of the engine with a duty cycle. All its methods are called by one thread at a time. */
public interface Agent {
    /** The role, for thread names and error messages: {@code executor-3}. */
    String roleName();

    /** Called once, before the first duty cycle, by the thread that will run it. */
    default void onStart() {}

    /**
     * One duty cycle: does the work at hand, never waits.
     *
     * @param nowNs the monotonic time, read once for the cycle
     * @return the amount of work done; 0 lets the caller idle
     */
    int doWork(long nowNs);

    /** Called once, after the last duty cycle. */
    default void onClose() {}
}
