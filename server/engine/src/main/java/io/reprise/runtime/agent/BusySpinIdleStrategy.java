package io.reprise.runtime.agent;

/** Never gives the core away: the lowest latency, for a thread with a core to itself. */
public final class BusySpinIdleStrategy implements IdleStrategy {
    @Override
    public void idle(int workCount) {
        if (workCount <= 0) {
            Thread.onSpinWait();
        }
    }
}
