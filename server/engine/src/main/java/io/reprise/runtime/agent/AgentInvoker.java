package io.reprise.runtime.agent;

import io.reprise.runtime.FailureHandler;
import io.reprise.runtime.time.Clock;

/**
 * Runs an agent on the caller's thread, one duty cycle a call: an engine without threads of its own, and tests.
 * Failures go the same way as with {@link AgentRunner}, and an agent that failed is not run again.
 */
public final class AgentInvoker implements AutoCloseable {
    private final Agent agent;
    private final Clock clock;
    private final FailureHandler failureHandler;
    private boolean running;
    private boolean ended;
    private boolean inCycle;

    /** An invoker that has not started yet. */
    public AgentInvoker(Agent agent, Clock clock, FailureHandler failureHandler) {
        this.agent = agent;
        this.clock = clock;
        this.failureHandler = failureHandler;
    }

    /** Starts the agent. */
    public void start() {
        if (running || ended) {
            throw new IllegalStateException(agent.roleName() + " was started or closed before");
        }
        try {
            agent.onStart();
            running = true;
        } catch (Throwable failure) {
            fail(failure);
        }
    }

    /** Runs one duty cycle and returns how much it did; 0 if the agent does not run, or is in a duty cycle already. */
    public int invoke() {
        if (!running || inCycle) {
            return 0;
        }
        inCycle = true;
        try {
            return agent.doWork(clock.nanoTime());
        } catch (Throwable failure) {
            fail(failure);
            return 0;
        } finally {
            inCycle = false;
        }
    }

    /** The agent's role. */
    public String roleName() {
        return agent.roleName();
    }

    /** Whether the agent has started, and neither closed nor failed. */
    public boolean isRunning() {
        return running;
    }

    /** Ends the agent. */
    @Override
    public void close() {
        if (running) {
            running = false;
            try {
                agent.onClose();
            } catch (Throwable failure) {
                fail(failure);
            }
        }
        ended = true;
    }

    private void fail(Throwable failure) {
        running = false;
        ended = true;
        failureHandler.onFatal(CompositeAgent.currentRole(agent), failure);
    }
}
