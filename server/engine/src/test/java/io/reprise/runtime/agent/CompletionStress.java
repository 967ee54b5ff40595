package io.reprise.runtime.agent;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A thread that waited for a completion sees all writes before it. */
final class CompletionStress {
    private CompletionStress() {}

    /** One waits, the other completes. */
    @JCStressTest
    @Outcome(id = "7", expect = ACCEPTABLE, desc = "finished, with what was written before")
    @Outcome(expect = FORBIDDEN, desc = "ended too early, or a write was not seen")
    @State
    public static class OneWaits {
        private volatile Completion shared;
        private int written;

        /** Waits for the answer. */
        @Actor
        public void waiting(I_Result result) {
            Completion completion = new Completion();
            shared = completion;
            result.r1 = completion.await(() -> true) ? written : -1;
        }

        /** Answers as soon as it is asked. */
        @Actor
        public void answering() {
            Completion completion = shared;
            while (completion == null) {
                Thread.onSpinWait();
                completion = shared;
            }
            written = 7;
            completion.complete();
        }
    }
}
