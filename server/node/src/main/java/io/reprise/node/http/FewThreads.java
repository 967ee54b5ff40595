package io.reprise.node.http;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A few threads that answer requests which have been read, so that not many of them take processors and memory at once. They are there while they
 * are needed. Any thread.
 */
final class FewThreads implements AutoCloseable {
    static final int THREADS = 4;

    private static final int WAITING = 64;

    private final ThreadPoolExecutor threads;

    /** Answers one request. */
    interface Answering {
        void run() throws IOException;
    }

    FewThreads(String namePrefix) {
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(WAITING),
                task -> Thread.ofPlatform()
                        .daemon()
                        .name(namePrefix + number.getAndIncrement())
                        .unstarted(task));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Has a request answered, and waits for that. Returns false if too many wait already. */
    boolean run(Answering answering) throws IOException {
        return run(answering, Long.MAX_VALUE, () -> {});
    }

    /** The same; the waiting thread runs an action at this interval. */
    boolean run(Answering answering, long everyMs, Runnable meanwhile) throws IOException {
        Future<?> answered;
        try {
            answered = threads.submit(() -> {
                answering.run();
                return null;
            });
        } catch (RejectedExecutionException full) {
            return false;
        }
        try {
            await(answered, everyMs, meanwhile);
            return true;
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException gone -> throw gone;
                case RuntimeException bug -> throw bug;
                case Error bug -> throw bug;
                default -> throw new IllegalStateException(e.getCause());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the server has ended", e);
        }
    }

    private static void await(Future<?> answered, long everyMs, Runnable meanwhile)
            throws ExecutionException, InterruptedException {
        while (true) {
            try {
                answered.get(everyMs, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException waiting) {
                meanwhile.run();
            }
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
