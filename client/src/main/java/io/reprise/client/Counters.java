package io.reprise.client;

import java.util.concurrent.atomic.LongAdder;

/** The counters of all connections of a client. */
final class Counters {
    final LongAdder calls = new LongAdder();
    final LongAdder replies = new LongAdder();
    final LongAdder unanswered = new LongAdder();
    final LongAdder parked = new LongAdder();
    final LongAdder connects = new LongAdder();
    final LongAdder bytesSent = new LongAdder();
    final LongAdder bytesReceived = new LongAdder();

    /** Replies are read before calls, so that there are never more of them. */
    ClientMetrics read() {
        long ended = replies.sum();
        long failed = unanswered.sum();
        return new ClientMetrics(
                calls.sum(), ended, failed, parked.sum(), connects.sum(), bytesSent.sum(), bytesReceived.sum());
    }
}
