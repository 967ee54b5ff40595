package io.reprise.client;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The number of waiting calls, and their bytes. Any thread. */
final class CallAmount {
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    void add(ParkedCall call) {
        calls.incrementAndGet();
        bytes.addAndGet(call.length());
    }

    void remove(ParkedCall call) {
        calls.decrementAndGet();
        bytes.addAndGet(-call.length());
    }

    int calls() {
        return calls.get();
    }

    /** Whether there are so many, or as many bytes of them, as may be under way on so many connections. */
    boolean isFull(int connections, int maxCalls) {
        return calls.get() >= (long) connections * maxCalls || bytes.get() >= connections * CallWindow.MOST_BYTES;
    }
}
