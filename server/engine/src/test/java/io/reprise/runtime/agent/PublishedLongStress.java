package io.reprise.runtime.agent;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.reprise.runtime.memory.Memory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A reader of the number sees all writes before it, outside the heap too. */
final class PublishedLongStress {
    private static final Memory MEMORY = Memory.reserve(4L << 20);

    private PublishedLongStress() {}

    /** Bytes in a ring, then the position behind them. */
    @JCStressTest
    @Outcome(id = "0, -1", expect = ACCEPTABLE, desc = "nothing published yet")
    @Outcome(id = "8, 42", expect = ACCEPTABLE, desc = "position and bytes")
    @Outcome(expect = FORBIDDEN, desc = "the position without the bytes")
    @State
    public static class OneRing {
        private static long next = 64;

        private final PublishedLong position = new PublishedLong();
        private final long address = place();

        private static synchronized long place() {
            next = 64 + (next + 64) % (1L << 20);
            MEMORY.putLong(next, 0);
            return next;
        }

        /** Writes and publishes. */
        @Actor
        public void producer() {
            MEMORY.putLong(address, 42);
            position.set(8);
        }

        /** Looks. */
        @Actor
        public void consumer(JJ_Result result) {
            result.r1 = position.get();
            result.r2 = result.r1 == 0 ? -1 : MEMORY.getLong(address);
        }
    }
}
