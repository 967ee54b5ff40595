package io.reprise.net.session;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Tasks of clients for a few threads, a bounded queue for each client. A thread takes the first task of the client that
 * has waited longest for a turn, so that a client that sends many does not keep the others waiting. A client may have as
 * many tasks waiting as there are places left, so that it leaves some to the others. Any thread submits.
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

    /** Adds a task; false if too many wait, or too many of this client. */
    public boolean submit(Object client, Runnable task) {
        synchronized (this) {
            ArrayDeque<Runnable> tasks = waiting.get(client);
            if ((tasks == null ? 0 : tasks.size()) >= most - count) {
                return false;
            }
            count++;
            if (tasks == null) {
                tasks = new ArrayDeque<>();
                waiting.put(client, tasks);
            }
            tasks.add(task);
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
