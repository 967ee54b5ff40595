package io.reprise.layering.violations.txn;

import io.reprise.layering.violations.storage.KnowsLog;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/** Looks down, which is allowed, and does by hand what only runtime may do. Never run. */
final class TouchesEverything {
    final KnowsLog below = new KnowsLog(null);
    final ReentrantLock lock = new ReentrantLock();
    volatile int shared;

    private TouchesEverything() {}

    synchronized void monitor() {
        shared = 1;
    }

    static long nanoTime() {
        return System.nanoTime();
    }

    static Instant now() {
        return Instant.now();
    }

    static void sleep() throws InterruptedException {
        Thread.sleep(1);
    }

    static Thread thread() {
        return new Thread(() -> {});
    }

    static Thread virtual() {
        return Thread.ofVirtual().unstarted(() -> {});
    }

    static ExecutorService pool() {
        return Executors.newCachedThreadPool();
    }

    static void write(Path path) throws IOException {
        Files.writeString(path, "");
    }

    static String file(File file) {
        return file.getName();
    }

    static int generator(Random random) {
        return random.nextInt();
    }

    static double mathRandom() {
        return Math.random();
    }

    static UUID uuid() {
        return UUID.randomUUID();
    }

    static Map<String, String> hashed() {
        return new HashMap<>();
    }

    static Set<String> setOf() {
        return Set.of("a", "b");
    }
}
