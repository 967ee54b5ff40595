package io.reprise.recovery.rebuild;

import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.Waker;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/** The tasks of a rebuild that are on their way to partitions, or run there. Owned by the rebuild's thread. */
final class Tasks {
    private static final int MOST = 1024;

    private final MpscRing<Task> done;
    private int generation;
    private int underWay;
    private long completed;
    private Throwable failure;

    Tasks(Waker waker) {
        done = new MpscRing<>(MOST, waker);
    }

    /** A task. The thread that runs it sets its failure. */
    private final class Task implements Runnable, LongConsumer {
        private final int of;
        private final LongConsumer action;
        private Throwable problem;

        Task(int of, LongConsumer action) {
            this.of = of;
            this.action = action;
        }

        @Override
        public void run() {
            accept(0);
        }

        @Override
        public void accept(long transactionId) {
            try {
                action.accept(transactionId);
            } catch (RuntimeException | StackOverflowError e) {
                problem = e;
            }
            done.offer(this);
        }
    }

    /** Sends a task; false if the way has no room. */
    boolean send(Predicate<Runnable> way, Runnable action) {
        Task task = new Task(generation, id -> action.run());
        return sent(underWay < MOST && way.test(task));
    }

    /** Sends a task for the time while all partitions are held; false if the way has no room. */
    boolean sendHolding(Predicate<LongConsumer> way, LongConsumer action) {
        Task task = new Task(generation, action);
        return sent(underWay < MOST && way.test(task));
    }

    private boolean sent(boolean accepted) {
        underWay += accepted ? 1 : 0;
        return accepted;
    }

    /** Takes back tasks that have run. Returns their number. */
    int takeBack() {
        int count = 0;
        for (Task task = done.poll(); task != null; task = done.poll()) {
            if (task.of == generation) {
                underWay--;
                completed++;
                failure = failure == null ? task.problem : failure;
            }
            count++;
        }
        return count;
    }

    /** Throws the first failure of a task. */
    void rethrow() {
        switch (failure) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(failure);
        }
    }

    int underWay() {
        return underWay;
    }

    long completed() {
        return completed;
    }

    /** Nothing that is under way counts any more. */
    void forget() {
        generation++;
        underWay = 0;
        failure = null;
    }
}
