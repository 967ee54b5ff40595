package io.reprise.runtime.agent;

import java.util.List;

/** Writes down what it is asked to do, and throws where it is told to. */
final class ScriptedAgent implements Agent {
    private final String roleName;
    private final List<String> journal;
    RuntimeException onStartFailure;
    RuntimeException doWorkFailure;
    RuntimeException onCloseFailure;
    int workCount;
    long lastNowNs;

    ScriptedAgent(String roleName, List<String> journal) {
        this.roleName = roleName;
        this.journal = journal;
    }

    @Override
    public String roleName() {
        return roleName;
    }

    @Override
    public void onStart() {
        act("start", onStartFailure);
    }

    @Override
    public int doWork(long nowNs) {
        lastNowNs = nowNs;
        act("work", doWorkFailure);
        return workCount;
    }

    @Override
    public void onClose() {
        act("close", onCloseFailure);
    }

    private void act(String what, RuntimeException failure) {
        journal.add(roleName + " " + what);
        if (failure != null) {
            throw failure;
        }
    }
}
