package io.reprise.runtime.agent;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Wakes one consumer that may have parked; a producer that finds it running pays a fence and a read.
 *
 * <p>Nothing is lost, because each side writes before it reads, with a full fence between:
 *
 * <pre>
 *  consumer                          producer
 *  arm():  armed = true              queue.offer(element)
 *          fence                     wake():  fence
 *  queue.poll() finds nothing                 if (armed) unpark(consumer)
 *  park()
 * </pre>
 *
 * If the poll came before the offer, the flag was set before the producer read it, and the unpark ends the park even if
 * it comes first. So the consumer must look into all its queues between {@link #arm} and {@link #park}; {@link
 * ParkingIdleStrategy} sees to that by letting a whole duty cycle pass.
 *
 * <p>One consumer thread, any number of producers.
 */
public final class Waker {
    private volatile boolean armed;
    private volatile Thread consumer;

    /** Called by a producer after it has left something for the consumer to find. */
    public void wake() {
        VarHandle.fullFence();
        if (armed) {
            armed = false;
            LockSupport.unpark(consumer);
        }
    }

    /** Called by the consumer: from here on producers wake it. It must look for work once more before it parks. */
    void arm() {
        Thread current = Thread.currentThread();
        if (consumer != current) {
            consumer = current;
        }
        armed = true;
        VarHandle.fullFence();
    }

    /** Called by the consumer when it found something after all. */
    void disarm() {
        armed = false;
    }

    /** Whether the consumer may be about to park, or parked. */
    boolean isArmed() {
        return armed;
    }

    /**
     * Parks the consumer, which has armed this and found nothing since, unless it was woken already.
     *
     * @return whether a producer woke it; otherwise the time is over, or the park ended for no reason
     */
    boolean park(long timeoutNs) {
        if (armed) {
            LockSupport.parkNanos(this, timeoutNs);
        }
        boolean woken = !armed;
        armed = false;
        return woken;
    }
}
