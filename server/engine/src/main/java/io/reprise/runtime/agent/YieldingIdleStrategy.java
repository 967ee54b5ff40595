package io.reprise.runtime.agent;

/** Lets other threads run in between; the core stays busy. */
public final class YieldingIdleStrategy implements IdleStrategy {
    @Override
    public void idle(int workCount) {
        if (workCount <= 0) {
            Thread.yield();
        }
    }
}
