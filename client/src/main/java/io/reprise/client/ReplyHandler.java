package io.reprise.client;

import io.reprise.wire.ReplyReader;

/**
 * Is told the outcomes of calls, without an object for each of them: for programs that make hundreds of thousands of
 * calls a second. Called on the client's network thread, once for each call; must return at once, and can't wait for
 * other calls there.
 *
 * <p>It should not throw. Its exception goes to the uncaught-exception handler of the network thread; the call has
 * ended all the same, and other calls and the connection don't suffer from it.
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
     * There is no reply, and there will be none. When a connection ends, it is not used any more before this is called: to make the call
     * again here takes another node that is connected, or fails with NOT_CONNECTED.
     */
    void failed(long cookie, CallException why);
}
