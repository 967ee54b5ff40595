package io.reprise.runtime.agent;

import io.reprise.runtime.FailureHandler;
import io.reprise.runtime.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs one agent (which may be a {@link CompositeAgent}) on a thread of its own, named {@code reprise-<node>-<role>}.
 *
 * <pre>
 *  NEW --start--> RUNNING --requestClose--> CLOSING --last cycle--> ENDED
 *                    |                                                ^
 *                    +--the agent throws: FailureHandler--------------+
 * </pre>
 *
 * <p>An agent that throws is not run again, not even its {@code onClose}: its state is not to be trusted, and closing
 * might write it somewhere. The owner frees the agent's resources once {@link #close} has returned.
 *
 * <p>The thread is never interrupted: an interrupt would close the file channel in use.
 */
public final class AgentRunner implements AutoCloseable {
    private static final long DEFAULT_CLOSE_TIMEOUT_MS = 10_000;

    private final Agent agent;
    private final IdleStrategy idleStrategy;
    private final Clock clock;
    private final FailureHandler failureHandler;
    private final String threadName;

    private volatile boolean closing;
    private Thread thread;

    /** A runner that has not started yet. */
    public AgentRunner(
            String node, Agent agent, IdleStrategy idleStrategy, Clock clock, FailureHandler failureHandler) {
        this.agent = agent;
        this.idleStrategy = idleStrategy;
        this.clock = clock;
        this.failureHandler = failureHandler;
        this.threadName = "reprise-" + node + "-" + agent.roleName();
    }

    /** Starts the thread; it is a daemon, so that an engine which an application forgot doesn't keep it alive. */
    public void start() {
        start(task -> Thread.ofPlatform().daemon().unstarted(task));
    }

    /** Starts a thread made by the factory, which decides on its stack size, priority and affinity. */
    public synchronized void start(ThreadFactory threadFactory) {
        if (thread != null || closing) {
            throw new IllegalStateException(threadName + " was started or closed before");
        }
        thread = threadFactory.newThread(this::run);
        thread.setName(threadName);
        thread.start();
    }

    /** Lets the agent end after its current duty cycle; doesn't wait for that. */
    public synchronized void requestClose() {
        closing = true;
        LockSupport.unpark(thread);
    }

    /** Closes as {@link #close(long)} does, with a timeout of ten seconds. */
    @Override
    public void close() {
        close(DEFAULT_CLOSE_TIMEOUT_MS);
    }

    /**
     * Lets the agent end after its current duty cycle and waits until it has. Called from the agent's own thread it
     * only asks.
     *
     * @throws AgentHangsException if it still runs when the time is over; its cause shows where
     */
    public void close(long timeoutMs) {
        requestClose();
        Thread running = thread();
        if (running == null || running == Thread.currentThread()) {
            return;
        }
        if (!joined(running, timeoutMs)) {
            throw new AgentHangsException(threadName, timeoutMs, running.getStackTrace());
        }
    }

    /**
     * Lets all of these end and waits until they have, no longer than one of them may take. Returns why those are not
     * through that still run then.
     */
    public static List<AgentHangsException> closeAll(List<AgentRunner> runners, long timeoutMs) {
        runners.forEach(AgentRunner::requestClose);
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        List<AgentHangsException> hanging = new ArrayList<>();
        for (AgentRunner runner : runners) {
            try {
                runner.close(Math.max(0, TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime())));
            } catch (AgentHangsException e) {
                hanging.add(e);
            }
        }
        return hanging;
    }

    /** Whether the agent has a thread that has not ended. */
    public boolean isRunning() {
        Thread running = thread();
        return running != null && running.isAlive();
    }

    /** The thread's name. */
    public String threadName() {
        return threadName;
    }

    private synchronized Thread thread() {
        return thread;
    }

    /** Waits on even if the caller is interrupted, because half-closed is worse; the interrupt is kept for later. */
    private static boolean joined(Thread running, long timeoutMs) {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        boolean interrupted = false;
        while (running.isAlive()) {
            long leftNs = deadlineNs - System.nanoTime();
            if (leftNs <= 0) {
                break;
            }
            try {
                TimeUnit.NANOSECONDS.timedJoin(running, leftNs);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !running.isAlive();
    }

    private void run() {
        try {
            agent.onStart();
            while (!closing) {
                idleStrategy.idle(agent.doWork(clock.nanoTime()));
            }
            agent.onClose();
        } catch (Throwable failure) {
            failureHandler.onFatal(CompositeAgent.currentRole(agent), failure);
        }
    }
}
