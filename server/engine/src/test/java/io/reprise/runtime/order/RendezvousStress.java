package io.reprise.runtime.order;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Exactly one participant is the last; it sees what the other wrote before it arrived, and the other sees what the last
 * wrote before it ended the transaction.
 */
final class RendezvousStress {
    private static final int NOT_OVER = -1;

    private RendezvousStress() {}

    /** Two participants, each of which writes 1 before it arrives; the last writes 7 before the end. */
    @JCStressTest
    @Outcome(
            id = {"1, 7", "7, 1"},
            expect = ACCEPTABLE,
            desc = "the last saw the other's write, the other the last's")
    @Outcome(
            id = {"1, -1", "-1, 1"},
            expect = ACCEPTABLE,
            desc = "the other looked before it was over")
    @Outcome(expect = FORBIDDEN, desc = "no last one, two of them, or a write that was not seen")
    @State
    public static class TwoParticipants {
        private final Rendezvous rendezvous = new Rendezvous();
        private int first;
        private int second;
        private int outcome;

        /** Prepares for both. */
        public TwoParticipants() {
            rendezvous.expect(2);
        }

        /** Takes part. */
        @Actor
        public void first(II_Result result) {
            first = 1;
            result.r1 = rendezvous.arrive() ? end(second) : look();
        }

        /** Takes part. */
        @Actor
        public void second(II_Result result) {
            second = 1;
            result.r2 = rendezvous.arrive() ? end(first) : look();
        }

        private int end(int seen) {
            outcome = 7;
            rendezvous.end(5);
            return seen;
        }

        private int look() {
            return rendezvous.isOver(5) ? outcome : NOT_OVER;
        }
    }

    /** One of two is the transaction's home: it goes on when it sees that the other is there, or comes last itself. */
    @JCStressTest
    @Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "both saw what the other wrote")
    @Outcome(id = "1, -1", expect = ACCEPTABLE, desc = "the guest looked before it was over")
    @Outcome(
            id = {"-1, -1"},
            expect = ACCEPTABLE,
            desc = "the home looked before the guest was there")
    @Outcome(expect = FORBIDDEN, desc = "a write that was not seen, or an end that nobody made")
    @State
    public static class HomeWaits {
        private final Rendezvous rendezvous = new Rendezvous();
        private int guest;
        private int outcome;

        /** Prepares for both. */
        public HomeWaits() {
            rendezvous.expect(2);
        }

        /** Runs the transaction, if the other is there. */
        @Actor
        public void home(II_Result result) {
            if (rendezvous.arrive() || rendezvous.isComplete()) {
                result.r1 = guest;
                outcome = 7;
                rendezvous.end(5);
            } else {
                result.r1 = NOT_OVER;
            }
        }

        /** Arrives with its partition, and leaves it. */
        @Actor
        public void guest(II_Result result) {
            guest = 1;
            rendezvous.arrive();
            result.r2 = rendezvous.isOver(5) ? outcome : NOT_OVER;
        }
    }

    /** A guest has arrived, and changes its partition again unless the home may have begun. */
    @JCStressTest
    @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "the guest left, and the home saw its second write")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the home was there first")
    @Outcome(
            id = {"-1, 1", "-1, 2"},
            expect = ACCEPTABLE,
            desc = "the home looked before the guest was there for good")
    @Outcome(expect = FORBIDDEN, desc = "the guest changed its partition while the home ran")
    @State
    public static class GuestWithdraws {
        private final Rendezvous rendezvous = new Rendezvous();
        private int guest = 1;

        /** Prepares for both; the guest has arrived. */
        public GuestWithdraws() {
            rendezvous.expect(2);
            rendezvous.arrive();
        }

        /** Runs the transaction, if the other is there. */
        @Actor
        public void home(II_Result result) {
            result.r1 = rendezvous.arrive() || rendezvous.isComplete() ? guest : NOT_OVER;
        }

        /** Leaves, changes its partition, and arrives again. */
        @Actor
        public void guest(II_Result result) {
            if (rendezvous.withdraw()) {
                guest = 2;
                rendezvous.arrive();
                result.r2 = 2;
            } else {
                result.r2 = 1;
            }
        }
    }
}
