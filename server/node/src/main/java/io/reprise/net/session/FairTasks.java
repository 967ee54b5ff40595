package io.reprise.net.session;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Tasks of clients for a few threads, a bounded queue for each client. A thread takes the first task of the client that
 * has waited longest for a turn, so that a client that sends many does not keep the others waiting. Any thread submits.
 */
public final class FairTasks {
    private final Executor threads;
    private final int most;

    /** The clients with tasks, in the order of their turns. */
    private final Map<Object, ArrayDeque<Runnable>> waiting = new LinkedHashMap<>();

    private int count;

    /** Runs tasks on these threads; at most so many wait. */
    public FairTasks(Executor threads, int most) {
        this.threads = threads;
        this.most = most;
    }

    /** Adds a task; false if too many wait. */
    public boolean submit(Object client, Runnable task) {
        synchronized (this) {
            if (count == most) {
                return false;
            }
            count++;
            waiting.computeIfAbsent(client, key -> new ArrayDeque<>()).add(task);
        }
        try {
            threads.execute(this::runNext);
            return true;
        } catch (RejectedExecutionException closed) {
            return !withdrawn(client, task);
        }
    }

    private synchronized boolean withdrawn(Object client, Runnable task) {
        ArrayDeque<Runnable> tasks = waiting.get(client);
        if (tasks == null || !tasks.removeLastOccurrence(task)) {
            return false;
        }
        count--;
        if (tasks.isEmpty()) {
            waiting.remove(client);
        }
        return true;
    }

    private void runNext() {
        Runnable task;
        synchronized (this) {
            Map.Entry<Object, ArrayDeque<Runnable>> turn =
                    waiting.entrySet().stream().findFirst().orElse(null);
            if (turn == null) {
                return;
            }
            Object client = turn.getKey();
            ArrayDeque<Runnable> tasks = turn.getValue();
            task = tasks.poll();
            count--;
            waiting.remove(client);
            if (!tasks.isEmpty()) {
                waiting.put(client, tasks);
            }
        }
        task.run();
    }
}
