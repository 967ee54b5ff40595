package io.reprise.client;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/** Calls that wait for a connection, for room on one, or for the end of their pause. Any thread. */
final class ParkedCalls {
    private final ConcurrentLinkedQueue<ParkedCall> calls = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final CallAmount total;

    /**
     * None yet.
     *
     * @param total counts them, and others
     */
    ParkedCalls(CallAmount total) {
        this.total = total;
    }

    void add(ParkedCall call) {
        total.add(call);
        count.incrementAndGet();
        calls.add(call);
    }

    /** Takes the one that waits for longest; null if none does. */
    private ParkedCall poll() {
        ParkedCall call = calls.poll();
        if (call != null) {
            count.decrementAndGet();
            total.remove(call);
        }
        return call;
    }

    /** The network thread: makes those that have paused where there is a node for them, and ends those whose time is over. */
    void sendDue(long nowNs, Function<ParkedCall, NodeConnector> free) {
        for (int i = count.get(); i > 0; i--) {
            ParkedCall call = poll();
            if (call == null) {
                return;
            }
            if (call.expired(nowNs)) {
                continue;
            }
            NodeConnector node = call.hasPaused(nowNs) ? free.apply(call) : null;
            if (node == null) {
                add(call);
            } else {
                node.send(call);
            }
        }
    }

    /** Takes all that wait. */
    void takeAll(Consumer<ParkedCall> end) {
        for (ParkedCall call = poll(); call != null; call = poll()) {
            end.accept(call);
        }
    }
}
