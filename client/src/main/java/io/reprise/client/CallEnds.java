package io.reprise.client;

import io.reprise.wire.MalformedMessageException;
import io.reprise.wire.ReplyReader;

/**
 * Ends the calls of a connection: with a reply, when their time is over, or with the connection. The network
 * thread's; callers are told without the monitor, because they may make other calls.
 */
final class CallEnds {
    private final Object monitor;
    private final CallTable calls;
    private final Counters counters;
    private final ReplyReader replies = new ReplyReader();

    /**
     * Ends calls of this table.
     *
     * @param monitor guards it
     */
    CallEnds(Object monitor, CallTable calls, Counters counters) {
        this.monitor = monitor;
        this.calls = calls;
        this.counters = counters;
    }

    /** A frame of replies has come. Returns the number of replies. */
    int replied(byte[] message) {
        int count = 0;
        replies.over(message, 0, message.length);
        while (replies.next()) {
            ReplyHandler handler;
            long cookie;
            synchronized (monitor) {
                int index = calls.find(replies.id());
                if (index < 0) {
                    throw new MalformedMessageException("a reply is to no call that is under way");
                }
                handler = calls.handler(index);
                cookie = calls.cookie(index);
                calls.end(index);
                calls.window().keepPlace();
            }
            count++;
            if (handler != null) {
                counters.replies.increment();
                GuardedHandlers.replied(handler, cookie, replies);
            }
        }
        synchronized (monitor) {
            calls.window().told(replies.load());
        }
        return count;
    }

    /** From time to time: calls whose time is over fail, and what comes of them is dropped. */
    void expire(long nowNs) {
        while (true) {
            ReplyHandler handler;
            long cookie;
            synchronized (monitor) {
                int index = calls.overdue(nowNs);
                if (index < 0) {
                    return;
                }
                handler = calls.handler(index);
                cookie = calls.cookie(index);
                calls.abandon(index);
            }
            counters.unanswered.increment();
            GuardedHandlers.failed(
                    handler,
                    cookie,
                    new UnknownOutcomeException(
                            "there was no reply within the call's timeout; whether it was run is not known"));
        }
    }

    /** Fails all calls of a connection that has ended. No other thread uses the table any more. */
    void failAll(CallException why) {
        counters.unanswered.add(calls.failAll(why));
    }
}
