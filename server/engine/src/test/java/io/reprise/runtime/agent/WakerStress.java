package io.reprise.runtime.agent;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A consumer that arms, looks into its ring and finds nothing must be woken by the producer that offers meanwhile: the
 * producer sees it armed and disarms it. If the consumer found nothing and is still armed in the end, it would park for
 * ever. {@code StressTest} runs this.
 */
final class WakerStress {
    private WakerStress() {}

    /** One producer, by the ring that has one. */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "found it; the producer had not seen the consumer armed")
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "found it, and was woken for nothing")
    @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "found nothing, and was woken")
    @Outcome(id = "false, true", expect = FORBIDDEN, desc = "found nothing and would park: a lost wake-up")
    @State
    public static class OneProducer {
        private final Waker waker = new Waker();
        private final SpscRing<String> ring = new SpscRing<>(4, waker);

        /** Offers, which wakes. */
        @Actor
        public void producer() {
            ring.offer("work");
        }

        /** Does what the idle strategy and the duty cycle do between arming and parking. */
        @Actor
        public void consumer(ZZ_Result result) {
            waker.arm();
            result.r1 = ring.poll() != null;
        }

        /** Looks when both are done. */
        @Arbiter
        public void arbiter(ZZ_Result result) {
            result.r2 = waker.isArmed();
        }
    }

    /** Two producers, of which one may disarm for both. */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "found something; nobody had seen the consumer armed")
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "found something, and was woken")
    @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "found nothing, and was woken")
    @Outcome(id = "false, true", expect = FORBIDDEN, desc = "found nothing and would park: a lost wake-up")
    @State
    public static class TwoProducers {
        private final Waker waker = new Waker();
        private final MpscRing<String> ring = new MpscRing<>(4, waker);

        /** Offers, which wakes. */
        @Actor
        public void producerA() {
            ring.offer("a");
        }

        /** Offers, which wakes. */
        @Actor
        public void producerB() {
            ring.offer("b");
        }

        /** Does what the idle strategy and the duty cycle do between arming and parking. */
        @Actor
        public void consumer(ZZ_Result result) {
            waker.arm();
            result.r1 = ring.poll() != null;
        }

        /** Looks when all are done. */
        @Arbiter
        public void arbiter(ZZ_Result result) {
            result.r2 = waker.isArmed();
        }
    }

    /** The same without the fences: shows that this machine and this harness would find the mistake. */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "found it; the producer had not seen the consumer armed")
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "found it, and was woken for nothing")
    @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "found nothing, and was woken")
    @Outcome(id = "false, true", expect = ACCEPTABLE_INTERESTING, desc = "the lost wake-up that the fences prevent")
    @State
    public static class WithoutFences {
        private final SpscRing<String> ring = new SpscRing<>(4);
        private final AtomicBoolean armed = new AtomicBoolean();

        /** Offers, and reads the flag without a fence. */
        @Actor
        public void producer() {
            ring.offer("work");
            if (armed.getAcquire()) {
                armed.setRelease(false);
            }
        }

        /** Arms without a fence. */
        @Actor
        public void consumer(ZZ_Result result) {
            armed.setRelease(true);
            result.r1 = ring.poll() != null;
        }

        /** Looks when both are done. */
        @Arbiter
        public void arbiter(ZZ_Result result) {
            result.r2 = armed.getAcquire();
        }
    }
}
