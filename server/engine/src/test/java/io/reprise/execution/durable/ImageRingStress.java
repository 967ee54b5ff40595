package io.reprise.execution.durable;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Images arrive whole and in order while the ring wraps around. An image has its transaction's id as content. */
final class ImageRingStress {
    /** Ten images and a rest that none fits into. */
    private static final long BYTES = 512;

    private static final int LONGS = 3;
    private static final long NONE = -1;
    private static final long TORN = -2;

    private ImageRingStress() {}

    private static boolean produce(ImageRing ring, long id) {
        long at = ring.claim(LONGS * Long.BYTES);
        if (at == 0) {
            return false;
        }
        for (int i = 0; i < LONGS; i++) {
            ring.memory().putLong(at + i * Long.BYTES, id);
        }
        ring.publish(id, at + LONGS * Long.BYTES);
        return true;
    }

    private static long consume(ImageRing ring) {
        if (!ring.hasNext()) {
            return NONE;
        }
        long id = ring.transactionId();
        boolean whole = ring.payloadBytes() == LONGS * Long.BYTES;
        for (int i = 0; i < LONGS; i++) {
            whole &= ring.memory().getLong(ring.payload() + i * Long.BYTES) == id;
        }
        ring.release();
        return whole ? id : TORN;
    }

    /** A full ring: the producer has room as soon as the consumer has released the first image. */
    @JCStressTest
    @Outcome(id = "6, 7", expect = ACCEPTABLE, desc = "the two oldest")
    @Outcome(expect = FORBIDDEN, desc = "torn, lost or out of order")
    @State
    public static class FullRing {
        private final ImageRing ring = new ImageRing(BYTES);

        /** Fills it, from its middle on. */
        public FullRing() {
            long id = 1;
            for (; id <= 5; id++) {
                produce(ring, id);
                consume(ring);
            }
            while (produce(ring, id)) {
                id++;
            }
        }

        /** Writes two more, if there is room. */
        @Actor
        public void producer() {
            produce(ring, 101);
            produce(ring, 102);
        }

        /** Takes the two oldest. */
        @Actor
        public void consumer(JJ_Result result) {
            result.r1 = consume(ring);
            result.r2 = consume(ring);
        }

        /** Gives the memory back. */
        @Arbiter
        public void arbiter(JJ_Result result) {
            ring.close();
        }
    }

    /** An empty ring, whose producer leaves the rest before its end unused. */
    @JCStressTest
    @Outcome(
            id = {"-1, -1", "-1, 10", "10, -1", "10, 11"},
            expect = ACCEPTABLE,
            desc = "as much as was there, in order")
    @Outcome(expect = FORBIDDEN, desc = "torn, lost or out of order")
    @State
    public static class EmptyRing {
        private final ImageRing ring = new ImageRing(BYTES);

        /** The next image is the last one before the end. */
        public EmptyRing() {
            for (int i = 1; i <= 9; i++) {
                produce(ring, i);
                consume(ring);
            }
        }

        /** Writes one before the end, and one behind it. */
        @Actor
        public void producer() {
            produce(ring, 10);
            produce(ring, 11);
        }

        /** Takes two, if they are there. */
        @Actor
        public void consumer(JJ_Result result) {
            result.r1 = consume(ring);
            result.r2 = consume(ring);
        }

        /** Gives the memory back. */
        @Arbiter
        public void arbiter(JJ_Result result) {
            ring.close();
        }
    }
}
