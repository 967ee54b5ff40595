package io.reprise.runtime.agent;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * A call on a thread that is made for it, with a stack of a given size. Recursion over a user's text needs as much
 * stack as the text is deep, which the caller's thread may not have left. The address space of a stack costs nothing;
 * its used part is freed with the thread.
 */
public final class StackCall {
    private StackCall() {}

    /** Runs the task and waits for it, also when interrupted; its exception is thrown here. */
    public static <T> T run(String threadName, long stackBytes, Supplier<T> task) {
        FutureTask<T> future = new FutureTask<>(task::get);
        Thread.ofPlatform().daemon().name(threadName).stackSize(stackBytes).start(future);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                default -> throw new IllegalStateException("a supplier throws nothing checked", e);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
