package io.reprise.client;

import io.reprise.wire.ReplyReader;

/**
 * A receiver of the outcomes of calls, without an object for each call, for programs that make hundreds of thousands of calls a
 * second. It is called on the client's network thread, once for each call. It must return at once and can't wait for other calls.
 *
 * <p>It should not throw. Its exception goes to the uncaught-exception handler of the network thread and affects no other call.
 */
public interface ReplyHandler {
    /**
     * The server has replied.
     *
     * @param cookie the caller's own number, to tell its calls apart
     * @param reply the outcome of the call, perhaps a failure; valid until this returns
     */
    void replied(long cookie, ReplyReader reply);

    /**
     * The call is about to be written, by the thread that makes it: from here on the server may run it. If this throws, so does {@link
     * Client#call}, and the call is not sent.
     */
    default void sending() {}

    /**
     * There will be no reply. A connection that has ended is not used any more before this is called. So a call made here goes to another
     * connected node, or fails with NOT_CONNECTED.
     */
    void failed(long cookie, CallException why);
}
