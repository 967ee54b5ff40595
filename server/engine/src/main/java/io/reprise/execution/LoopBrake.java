package io.reprise.execution;

import io.reprise.procedure.LoopGuard;
import io.reprise.runtime.agent.RunMonitor;
import java.util.function.BooleanSupplier;

/** Ends what a thread runs at the next backward branch of its procedure or compiled statement. */
public final class LoopBrake implements RunMonitor.Brake {
    /** The only one. */
    public static final LoopBrake INSTANCE = new LoopBrake();

    private LoopBrake() {}

    @Override
    public void pull(Thread thread, BooleanSupplier meant) {
        LoopGuard.mark(thread, meant);
    }

    @Override
    public void release(Thread thread) {
        LoopGuard.clear(thread);
    }
}
