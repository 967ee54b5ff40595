package io.reprise.node.http;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A few threads that answer requests which have been read, so that not many of them take processors and memory at once. They are there while they
 * are needed. Statements are planned on such threads too. Any thread.
 */
final class FewThreads implements Executor, AutoCloseable {
    static final int THREADS = 4;

    /** The most tasks that wait for a thread. */
    static final int WAITING = 64;

    private final ThreadPoolExecutor threads;

    /** Answers one request. */
    interface Answering {
        void run() throws IOException;
    }

    FewThreads(String namePrefix) {
        this(namePrefix, THREADS);
    }

    /** The same with another number of threads. */
    FewThreads(String namePrefix, int count) {
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                count,
                count,
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
            answered.get();
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

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
