package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Threads that count counters of {@link CounterServers} by numbered calls, until they are told to stop. */
final class CounterCallers {
    static final int COUNTERS = 30;
    private static final int CALLERS = 16;
    private static final long PATIENCE_NS = 60_000_000_000L;

    private final AtomicLong[] counted = new AtomicLong[COUNTERS];
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Thread> callers = new ArrayList<>();
    private final Client client;

    private CounterCallers(Client client) {
        this.client = client;
    }

    /** Makes the counters, and begins to count them. */
    static CounterCallers begin(Client client) {
        CounterCallers begun = new CounterCallers(client);
        for (int id = 0; id < COUNTERS; id++) {
            begun.counted[id] = new AtomicLong();
            client.call("StartCounter", (long) id);
        }
        for (int i = 0; i < CALLERS; i++) {
            int first = i;
            begun.callers.add(Thread.ofPlatform().start(() -> begun.count(first)));
        }
        return begun;
    }

    private void count(int first) {
        try {
            for (int id = first; !stop.get(); id = (id + CALLERS) % COUNTERS) {
                client.call("CountOne", (long) id);
                counted[id].incrementAndGet();
            }
        } catch (RuntimeException | Error wrong) {
            failure.set(wrong);
        }
    }

    static void await(BooleanSupplier condition) {
        long beganNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - beganNs).isLessThan(PATIENCE_NS);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private long all() {
        long sum = 0;
        for (AtomicLong each : counted) {
            sum += each.get();
        }
        return sum;
    }

    /** Waits for so many more calls, none of which has failed. */
    void awaitCalls(int more) {
        long begin = all();
        await(() -> all() >= begin + more || failure.get() != null);
        requireNoFailure();
    }

    void requireNoFailure() {
        assertThat(failure.get()).isNull();
    }

    /** Ends the callers: no call has failed. */
    void stop() throws InterruptedException {
        stop.set(true);
        for (Thread caller : callers) {
            caller.join();
        }
        requireNoFailure();
    }

    /** Each call was counted once, as a client reads it. */
    void requireEachCountedOnce(Client reader) {
        for (int id = 0; id < COUNTERS; id++) {
            var rows = reader.call("GetCounter", (long) id).rows();
            assertThat(rows.next()).isTrue();
            assertThat(rows.longAt(0)).as("counter " + id).isEqualTo(counted[id].get());
        }
    }

    void stopAndRequireEachCountedOnce() throws InterruptedException {
        stop();
        requireEachCountedOnce(client);
    }
}
