package io.reprise.client;

import java.util.concurrent.ConcurrentLinkedQueue;

/** Calls that wait for a connection, or for the end of their pause. Any thread. */
final class ParkedCalls {
    private final ConcurrentLinkedQueue<ParkedCall> calls = new ConcurrentLinkedQueue<>();
    private final CallAmount amount = new CallAmount();

    void add(ParkedCall call) {
        amount.add(call);
        calls.add(call);
    }

    /** Takes the one that waits for longest; null if none does. */
    ParkedCall poll() {
        ParkedCall call = calls.poll();
        if (call != null) {
            amount.remove(call);
        }
        return call;
    }

    CallAmount amount() {
        return amount;
    }
}
