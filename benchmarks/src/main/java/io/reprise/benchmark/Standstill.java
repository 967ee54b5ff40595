package io.reprise.benchmark;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/**
 * The length and frequency of this machine's standstills: two threads that do nothing but look at the clock both see
 * it jump. A virtual machine or a container that has used up its share of the host's processors is stopped for the
 * rest of a period, often of 100 ms; the host's work for it, as for its disk, may count as well. No call that is
 * under way then is answered before it goes on, whatever the server does.
 */
final class Standstill {
    private static final long LEAST_JUMP_NS = 1_000_000;

    private Standstill() {}

    /** An action repeated meanwhile. */
    interface Beside {
        void run() throws IOException;
    }

    /** Milliseconds of standing still in a second. */
    static double msPerSecond(double seconds, Beside beside) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + (long) (seconds * 1e9);
        CountDownLatch started = new CountDownLatch(2);
        Watcher[] watchers = {new Watcher(started, endNs), new Watcher(started, endNs)};
        for (Watcher watcher : watchers) {
            watcher.start();
        }
        started.await();
        while (System.nanoTime() - endNs < 0) {
            beside.run();
        }
        for (Watcher watcher : watchers) {
            watcher.join();
        }
        return common(watchers[0], watchers[1]) / 1e6 / seconds;
    }

    /** The time in jumps of both, in nanoseconds. */
    private static long common(Watcher a, Watcher b) {
        long sum = 0;
        int i = 0;
        int j = 0;
        while (i < a.count && j < b.count) {
            long from = Math.max(a.from[i], b.from[j]);
            long to = Math.min(a.to[i], b.to[j]);
            sum += Math.max(0, to - from);
            if (a.to[i] < b.to[j]) {
                i++;
            } else {
                j++;
            }
        }
        return sum;
    }

    /** Looks at the clock. */
    private static final class Watcher extends Thread {
        private static final int MOST_JUMPS = 100_000;

        private final CountDownLatch started;
        private final long endNs;
        private final long[] from = new long[MOST_JUMPS];
        private final long[] to = new long[MOST_JUMPS];
        private int count;

        Watcher(CountDownLatch started, long endNs) {
            super("watcher");
            this.started = started;
            this.endNs = endNs;
        }

        @Override
        public void run() {
            started.countDown();
            long last = System.nanoTime();
            while (last - endNs < 0 && count < MOST_JUMPS) {
                long now = System.nanoTime();
                if (now - last >= LEAST_JUMP_NS) {
                    from[count] = last;
                    to[count] = now;
                    count++;
                }
                last = now;
            }
        }
    }
}
