package io.reprise.runtime.agent;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A producer that finds a ring full and has itself told must either find the room that the consumer makes meanwhile, or be
 * woken. {@code StressTest} runs this.
 */
final class RoomSignalStress {
    private RoomSignalStress() {}

    /** One producer, which is armed already. */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "found room; the consumer had not seen that it is awaited")
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "found room, and was woken for nothing")
    @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "found no room, and was woken")
    @Outcome(id = "false, true", expect = FORBIDDEN, desc = "found no room and would park: a lost wake-up")
    @State
    public static class OneProducer {
        private final Waker waker = new Waker();
        private final RoomSignal room = new RoomSignal(List.of(waker));
        private final SpscRing<String> ring = new SpscRing<>(2);

        /** A full ring. */
        public OneProducer() {
            ring.offer("one");
            ring.offer("two");
        }

        /** Has itself told, and looks once more. */
        @Actor
        public void producer(ZZ_Result result) {
            waker.arm();
            room.await();
            result.r1 = ring.size() < 2;
        }

        /** Makes room. */
        @Actor
        public void consumer() {
            ring.poll();
            room.made();
        }

        /** Looks when both are done. */
        @Arbiter
        public void arbiter(ZZ_Result result) {
            result.r2 = waker.isArmed();
        }
    }
}
