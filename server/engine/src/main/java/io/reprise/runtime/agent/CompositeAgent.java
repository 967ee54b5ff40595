package io.reprise.runtime.agent;

import java.util.List;

/**
 * Several agents that share a thread: each duty cycle runs all of them in the order given, with the same time. They end
 * in the opposite order. If one throws, all of them are lost, because they share its fate with its thread.
 */
public final class CompositeAgent implements Agent {
    private final String roleName;
    private final Agent[] agents;
    private Agent current;

    /** Agents that run under one name. */
    public CompositeAgent(String roleName, List<? extends Agent> agents) {
        if (agents.isEmpty()) {
            throw new IllegalArgumentException("a composite agent needs at least one agent");
        }
        this.roleName = roleName;
        this.agents = agents.toArray(Agent[]::new);
    }

    @Override
    public String roleName() {
        return roleName;
    }

    /** Starts all; if one fails, those that had started are ended before the failure goes on. */
    @Override
    public void onStart() {
        for (int started = 0; started < agents.length; started++) {
            current = agents[started];
            try {
                current.onStart();
            } catch (Throwable failure) {
                Agent failed = current;
                closeBackwards(started - 1, failure);
                current = failed;
                throw failure;
            }
        }
        current = null;
    }

    @Override
    public int doWork(long nowNs) {
        int workCount = 0;
        for (Agent agent : agents) {
            current = agent;
            workCount += agent.doWork(nowNs);
        }
        current = null;
        return workCount;
    }

    /** Ends all, even if some fail; the first failure goes on with the others attached. */
    @Override
    public void onClose() {
        closeBackwards(agents.length - 1, null);
    }

    /** Whose method runs now, or failed last: for saying who of several it was. */
    static String currentRole(Agent agent) {
        return agent instanceof CompositeAgent composite && composite.current != null
                ? currentRole(composite.current)
                : agent.roleName();
    }

    private void closeBackwards(int from, Throwable earlier) {
        Throwable first = earlier;
        Agent failed = null;
        for (int i = from; i >= 0; i--) {
            try {
                agents[i].onClose();
            } catch (Throwable failure) {
                if (first == null) {
                    first = failure;
                    failed = agents[i];
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        current = failed;
        if (earlier == null) {
            rethrow(first);
        }
    }

    private static void rethrow(Throwable failure) {
        switch (failure) {
            case null -> {}
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            default -> throw new IllegalStateException(failure);
        }
    }
}
