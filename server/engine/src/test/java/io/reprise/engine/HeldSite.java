package io.reprise.engine;

import io.reprise.runtime.agent.Agent;
import java.util.concurrent.CountDownLatch;

/** Keeps the thread of a site from doing anything for as long as a test says, so that it is certain what happens meanwhile. */
public final class HeldSite implements Agent {
    private volatile CountDownLatch held = new CountDownLatch(0);
    private volatile CountDownLatch released = new CountDownLatch(0);

    /** When this returns the site is held; a call is what wakes it, and is run when it is released. */
    public void hold(Runnable call) throws InterruptedException {
        held = new CountDownLatch(1);
        released = new CountDownLatch(1);
        call.run();
        held.await();
    }

    public void release() {
        released.countDown();
    }

    @Override
    public String roleName() {
        return "held";
    }

    @Override
    public int doWork(long nowNs) {
        CountDownLatch until = released;
        if (until.getCount() > 0) {
            held.countDown();
            try {
                until.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return 0;
    }
}
