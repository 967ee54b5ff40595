package io.reprise.layering.violations.txn;

import java.util.concurrent.Executor;

/** Starts threads before it is finished: itself, by a pool, by a method, and when its class is loaded. Never run. */
final class StartsEarly {
    static {
        Thread.startVirtualThread(() -> {});
    }

    final Thread thread;

    StartsEarly(Runnable work) {
        thread = new Thread(work);
        thread.start();
    }

    StartsEarly(Executor pool) {
        thread = null;
        pool.execute(() -> {});
    }

    StartsEarly(int priority) {
        thread = new Thread(() -> {});
        thread.setPriority(priority);
        begin();
    }

    private void begin() {
        thread.start();
    }
}
