package io.reprise.benchmark.cluster;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Callers that each add one to a counter of their own by numbered calls, one after the other, and note how long each took. A client
 * repeats a call over a failover, so no call fails, and each counts once.
 */
final class Counting implements AutoCloseable {
    static final String DDL = """
            CREATE TABLE counter (k BIGINT NOT NULL PRIMARY KEY, v BIGINT NOT NULL);
            PARTITION TABLE counter ON COLUMN k;
            CREATE PROCEDURE OpenCounter PARTITION ON TABLE counter COLUMN k AS INSERT INTO counter VALUES (?, 0);
            CREATE PROCEDURE AddOne PARTITION ON TABLE counter COLUMN k AS UPDATE counter SET v = v + 1 WHERE k = ?;
            CREATE PROCEDURE ReadCounter PARTITION ON TABLE counter COLUMN k AS SELECT v FROM counter WHERE k = ?;
            """;

    private final Client client;
    private final List<Caller> callers = new ArrayList<>();

    /** Connects, and opens the counters. */
    Counting(ClientSettings settings, int count) {
        client = Client.connect(settings);
        for (int i = 0; i < count; i++) {
            client.call("OpenCounter", (long) i);
            callers.add(new Caller(i));
        }
    }

    void start() {
        callers.forEach(Thread::start);
    }

    /** Forgets the longest calls of the callers, and those before. */
    void watch() {
        long nowNs = System.nanoTime();
        callers.forEach(caller -> caller.longest.set(new Span(nowNs, 0)));
    }

    /** The milliseconds of the longest call that has ended since {@link #watch}, or is under way. */
    double longestMs() {
        long nowNs = System.nanoTime();
        long longest = 0;
        for (Caller caller : callers) {
            Span span = caller.longest.get();
            longest = Math.max(longest, Math.max(span.longestNs, nowNs - span.beganNs));
        }
        return longest / 1e6;
    }

    /** The calls that were answered. */
    long answered() {
        return callers.stream().mapToLong(caller -> caller.answered).sum();
    }

    /** Stops all callers. Returns the number of calls that have failed. */
    long stop() throws InterruptedException {
        callers.forEach(caller -> caller.stops = true);
        long errors = 0;
        for (Caller caller : callers) {
            caller.join();
            errors += caller.errors;
        }
        return errors;
    }

    /** Throws if a counter is not the number of answered calls. */
    void check() {
        for (Caller caller : callers) {
            var rows = client.call("ReadCounter", caller.key).rows();
            rows.next();
            long counted = rows.longAt(0);
            if (counted < caller.answered || counted > caller.answered + caller.errors) {
                throw new IllegalStateException("counter " + caller.key + " is " + counted + " after " + caller.answered
                        + " answered and " + caller.errors + " failed calls");
            }
        }
    }

    @Override
    public void close() {
        client.close();
    }

    /** The begin of the call under way, and the longest call before it. */
    private record Span(long beganNs, long longestNs) {}

    private final class Caller extends Thread {
        private final long key;
        private final AtomicReference<Span> longest = new AtomicReference<>(new Span(System.nanoTime(), 0));
        private volatile long answered;
        private volatile long errors;
        private volatile boolean stops;

        Caller(long key) {
            super("caller-" + key);
            setDaemon(true);
            this.key = key;
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
        public void run() {
            while (!stops) {
                long beganNs = System.nanoTime();
                longest.updateAndGet(span -> new Span(beganNs, span.longestNs));
                try {
                    client.call("AddOne", key);
                    answered++;
                } catch (CallException e) {
                    System.err.println(getName() + ": " + e);
                    errors++;
                }
                long tookNs = System.nanoTime() - beganNs;
                longest.updateAndGet(span -> new Span(span.beganNs, Math.max(span.longestNs, tookNs)));
            }
        }
    }
}
