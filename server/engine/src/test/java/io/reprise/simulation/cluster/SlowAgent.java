package io.reprise.simulation.cluster;

import io.reprise.runtime.agent.Agent;

/** An agent that does something in each n-th duty cycle only. */
final class SlowAgent implements Agent {
    private final Agent agent;
    private final int cycles;
    private int passed;

    SlowAgent(Agent agent, int cycles) {
        this.agent = agent;
        this.cycles = cycles;
    }

    @Override
    public String roleName() {
        return agent.roleName();
    }

    @Override
    public void onStart() {
        agent.onStart();
    }

    @Override
    public int doWork(long nowNs) {
        passed = (passed + 1) % cycles;
        return passed == 0 ? agent.doWork(nowNs) : 0;
    }

    @Override
    public void onClose() {
        agent.onClose();
    }
}
