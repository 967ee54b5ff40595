package io.reprise.engine;

import io.reprise.execution.Execution;
import io.reprise.execution.ReplyTarget;
import io.reprise.runtime.agent.Completion;
import java.util.function.BooleanSupplier;

/** The answer to a call for a caller that waits on its own thread. */
final class CallerReply implements ReplyTarget {
    private final Completion completion = new Completion();

    @Override
    public void complete(Execution execution) {
        completion.complete();
    }

    boolean isDone() {
        return completion.isDone();
    }

    /** Waits for the answer. Gives up, with false, when the engine has ended and can't give it. */
    boolean await(BooleanSupplier alive) {
        return completion.await(alive);
    }
}
