package io.reprise.runtime.agent;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Offered elements arrive whole, once and in their producer's order, and a ring takes no more than it holds. Elements
 * are arrays, so that one which arrived before its content would show a 0.
 */
final class RingStress {
    private static final int NONE = -1;

    private RingStress() {}

    private static int[] element(int number) {
        return new int[] {number};
    }

    private static int number(int[] element) {
        return element == null ? NONE : element[0];
    }

    /** One producer, one consumer. */
    @JCStressTest
    @Outcome(
            id = {"-1, -1", "-1, 1", "1, -1", "1, 2"},
            expect = ACCEPTABLE,
            desc = "as much as was there, in order")
    @Outcome(expect = FORBIDDEN, desc = "out of order, twice, or without its content")
    @State
    public static class OneProducer {
        private final SpscRing<int[]> ring = new SpscRing<>(4);

        /** Offers two. */
        @Actor
        public void producer() {
            ring.offer(element(1));
            ring.offer(element(2));
        }

        /** Takes two, if they are there. */
        @Actor
        public void consumer(II_Result result) {
            result.r1 = number(ring.poll());
            result.r2 = number(ring.poll());
        }
    }

    /** A full ring, from which one is taken while another is offered. */
    @JCStressTest
    @Outcome(id = "true, 1, 4", expect = ACCEPTABLE, desc = "there was room already")
    @Outcome(id = "false, 1, 3", expect = ACCEPTABLE, desc = "it was refused")
    @Outcome(expect = FORBIDDEN, desc = "one was lost, or one too many was taken")
    @State
    public static class FullRing {
        private final SpscRing<int[]> ring = new SpscRing<>(4);

        /** Fills it. */
        public FullRing() {
            for (int i = 1; i <= 4; i++) {
                ring.offer(element(i));
            }
        }

        /** Offers a fifth. */
        @Actor
        public void producer(ZII_Result result) {
            result.r1 = ring.offer(element(5));
        }

        /** Takes the first. */
        @Actor
        public void consumer(ZII_Result result) {
            result.r2 = number(ring.poll());
        }

        /** Counts what is left. */
        @Arbiter
        public void arbiter(ZII_Result result) {
            result.r3 = ring.drain(element -> {}, 10);
        }
    }

    /** Two producers offer more than there is room for. */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "full, with the first ones of each in order")
    @Outcome(expect = FORBIDDEN, desc = "too many or too few were accepted, or they came out of order")
    @State
    public static class TwoProducers {
        private final MpscRing<int[]> ring = new MpscRing<>(4);
        private int acceptedOfA;
        private int acceptedOfB;

        /** Offers three. */
        @Actor
        public void producerA() {
            acceptedOfA = offerThree(10);
        }

        /** Offers three. */
        @Actor
        public void producerB() {
            acceptedOfB = offerThree(20);
        }

        private int offerThree(int from) {
            int accepted = 0;
            for (int i = 0; i < 3; i++) {
                accepted += ring.offer(element(from + i)) ? 1 : 0;
            }
            return accepted;
        }

        /** Takes all. */
        @Arbiter
        public void arbiter(ZZ_Result result) {
            int[] next = {10, 20};
            boolean[] ordered = {true};
            int taken = ring.drain(
                    element -> {
                        int producer = number(element) / 10 - 1;
                        ordered[0] &= producer >= 0 && number(element) == next[producer]++;
                    },
                    10);
            result.r1 = taken == 4 && acceptedOfA + acceptedOfB == 4;
            result.r2 = ordered[0] && next[0] == 10 + acceptedOfA && next[1] == 20 + acceptedOfB;
        }
    }

    /** A consumer that takes while two producers offer; needs three processors. */
    @JCStressTest
    @Outcome(
            id = {"-1, -1", "-1, 1", "1, -1", "-1, 2", "2, -1", "1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "as much as was there, in any order")
    @Outcome(expect = FORBIDDEN, desc = "twice, or without its content")
    @State
    public static class TwoProducersAndConsumer {
        private final MpscRing<int[]> ring = new MpscRing<>(4);

        /** Offers one. */
        @Actor
        public void producerA() {
            ring.offer(element(1));
        }

        /** Offers one. */
        @Actor
        public void producerB() {
            ring.offer(element(2));
        }

        /** Takes two, if they are there. */
        @Actor
        public void consumer(II_Result result) {
            result.r1 = number(ring.poll());
            result.r2 = number(ring.poll());
        }
    }
}
