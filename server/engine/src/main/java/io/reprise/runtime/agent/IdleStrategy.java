package io.reprise.runtime.agent;

/** What a thread does after a duty cycle that found nothing to do. Owned by that thread. */
public interface IdleStrategy {
    /**
     * Called after each duty cycle: returns at once when something was done, otherwise uses up some time, the more the
     * longer there was nothing.
     *
     * @param workCount what the duty cycle returned
     */
    void idle(int workCount);
}
