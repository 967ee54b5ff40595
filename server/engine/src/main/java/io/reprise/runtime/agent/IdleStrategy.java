package io.reprise.runtime.agent;

/** A thread's behaviour after a duty cycle without work. Owned by that thread. */
public interface IdleStrategy {
    /**
     * Called after each duty cycle. Returns at once after work; otherwise uses up some time, the more the longer the
     * idleness lasts.
     *
     * @param workCount the result of the duty cycle
     */
    void idle(int workCount);
}
