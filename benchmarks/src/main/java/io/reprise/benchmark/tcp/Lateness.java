package io.reprise.benchmark.tcp;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * The lateness of a thread that only sleeps beside the load: the machine's own part in the time of any call. If this
 * is long, so are the times of calls, and nothing that the server does changes it.
 */
final class Lateness implements AutoCloseable {
    private static final long NAP_NS = 2_000_000;

    private final Recorder recorder = new Recorder(3);
    private final Thread thread = new Thread(this::nap, "lateness");
    private volatile boolean closed;

    Lateness() {
        thread.setDaemon(true);
        thread.start();
    }

    private void nap() {
        while (!closed) {
            long due = System.nanoTime() + NAP_NS;
            LockSupport.parkNanos(NAP_NS);
            long late = System.nanoTime() - due;
            // A park may end early; and a thread that slept through several naps missed as many chances to be late.
            recorder.recordValueWithExpectedInterval(Math.max(0, late), NAP_NS);
        }
    }

    /** Since the last time this was asked for. */
    Histogram take() {
        return recorder.getIntervalHistogram();
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join(TimeUnit.SECONDS.toMillis(10));
    }
}
