package io.reprise.runtime.agent;

import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * Wakes producers that found the rings to one consumer full, and would sleep though there is room again.
 *
 * <p>Nothing is lost, because each side writes before it reads, with a full fence between:
 *
 * <pre>
 *  producer                          consumer
 *  finds no room                     takes from its rings
 *  await():  awaited = true          made():  fence
 *            fence                            if (awaited) wake all producers
 *  looks for room once more
 * </pre>
 *
 * If the look came before the taking, the consumer sees that room is awaited. The wake-up itself is not lost either,
 * see {@link Waker}.
 *
 * <p>One consumer thread, any number of producers. All are woken, because several seldom wait.
 */
public final class RoomSignal {
    private final Waker[] producers;
    private volatile boolean awaited;

    /** For producers that these wake. */
    public RoomSignal(List<Waker> producers) {
        this.producers = producers.toArray(Waker[]::new);
    }

    /** Called by a producer that found no room; it has to look once more. */
    public void await() {
        awaited = true;
        VarHandle.fullFence();
    }

    /** Called by the consumer when it has taken something. */
    public void made() {
        VarHandle.fullFence();
        if (awaited) {
            awaited = false;
            for (Waker producer : producers) {
                producer.wake();
            }
        }
    }
}
