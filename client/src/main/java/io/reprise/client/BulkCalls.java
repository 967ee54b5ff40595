package io.reprise.client;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls one procedure for many rows, with many calls under way: the way to load tables. A procedure of a single statement does
 * for an INSERT: {@code CREATE PROCEDURE AddItem AS INSERT INTO item VALUES (?, ?)}.
 *
 * <pre>{@code
 * try (BulkCalls rows = client.bulk("AddItem", (number, row, why) -> log(number, why))) {
 *     for (...) {
 *         rows.add(id, name);
 *     }
 * }
 * }</pre>
 *
 * <p>Rows are not one transaction: each that is not rejected is there for good. Each is there once, as with any call by name.
 * {@link #add} waits while as many calls are under way as are allowed; {@link #finish} and {@link #close} wait for the rest.
 * One thread's.
 */
public final class BulkCalls implements AutoCloseable {
    private static final int MOST = 1024;

    private final Client client;
    private final String procedure;
    private final Rejected rejected;
    private final Semaphore room = new Semaphore(MOST);
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private long rows;

    /** Is told of rejected rows, by any thread. */
    @FunctionalInterface
    public interface Rejected {
        /**
         * A row was not accepted.
         *
         * @param number its number, from 1
         * @param row the row as given to {@link #add}
         * @param why the reason
         */
        void rejected(long number, Object[] row, RuntimeException why);
    }

    BulkCalls(Client client, String procedure, Rejected rejected) {
        this.client = client;
        this.procedure = procedure;
        this.rejected = rejected;
    }

    /** Calls the procedure for a row; does not wait for the end of that. */
    public void add(Object... row) {
        acquire(1);
        long number = ++rows;
        try {
            client.callAsync(procedure, row).whenComplete((reply, failure) -> ended(number, row, failure));
        } catch (RuntimeException notSent) {
            ended(number, row, notSent);
        } catch (Error noMemory) {
            // A listener may end the rows next, and would wait for this one.
            room.release();
            throw noMemory;
        }
    }

    private void acquire(int calls) {
        if (!room.tryAcquire(calls)) {
            client.refuseToWait("to wait for rows", "add rows on another thread");
            awaitRoom(calls);
        }
    }

    /** The thread may be one of the pool that is to tell what came of the rows: the pool is told that it waits. */
    private void awaitRoom(int calls) {
        try {
            ForkJoinPool.managedBlock(new ForkJoinPool.ManagedBlocker() {
                private boolean acquired;

                @Override
                public boolean block() {
                    if (!acquired) {
                        room.acquireUninterruptibly(calls);
                        acquired = true;
                    }
                    return true;
                }

                @Override
                public boolean isReleasable() {
                    acquired = acquired || room.tryAcquire(calls);
                    return acquired;
                }
            });
        } catch (InterruptedException e) {
            throw new IllegalStateException("waiting here is never interrupted", e);
        }
    }

    private void ended(long number, Object[] row, Throwable failure) {
        try {
            if (failure == null) {
                accepted.incrementAndGet();
            } else {
                refused.incrementAndGet();
                rejected.rejected(
                        number,
                        row,
                        failure instanceof RuntimeException known ? known : new IllegalStateException(failure));
            }
        } catch (RuntimeException | Error thrown) {
            // The future that told this would keep it to itself.
            GuardedHandlers.uncaught(thrown);
        } finally {
            room.release();
        }
    }

    /** Waits until all rows have been accepted or rejected. Returns how many were accepted. */
    public long finish() {
        acquire(MOST);
        room.release(MOST);
        return accepted.get();
    }

    /** The number of rows rejected so far. */
    public long rejected() {
        return refused.get();
    }

    /** Waits until all rows have been accepted or rejected. */
    @Override
    public void close() {
        finish();
    }
}
