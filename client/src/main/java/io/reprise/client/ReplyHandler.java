package io.reprise.client;

import io.reprise.wire.ReplyReader;

/**
 * Is told what came of calls, without an object for each of them: for programs that make hundreds of thousands of calls a
 * second. Called on the client's network thread, once for each call; must return at once and not throw.
 */
public interface ReplyHandler {
    /**
     * The server has replied.
     *
     * @param cookie what the caller gave, to tell its calls apart
     * @param reply what came of the call, perhaps a failure; valid until this returns
     */
    void replied(long cookie, ReplyReader reply);

    /** The call is about to be written, by the thread that makes it: from here on the server may run it. */
    default void sending() {}

    /** There is no reply, and there will be none. */
    void failed(long cookie, CallException why);
}
