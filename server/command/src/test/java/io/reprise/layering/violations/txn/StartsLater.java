package io.reprise.layering.violations.txn;

import java.util.function.Supplier;

/** Starts its thread when its owner says so, which is allowed. Never run. */
final class StartsLater {
    final Thread thread = new Thread(() -> {});
    final Supplier<Thread> starter = () -> {
        thread.start();
        return thread;
    };

    void start() {
        thread.start();
    }
}
