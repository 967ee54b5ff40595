package io.reprise.net.reprise;

import io.reprise.net.session.SessionUser;
import io.reprise.net.session.UnreadReplies;
import io.reprise.wire.MessageWriter;
import java.net.InetSocketAddress;

/** The origin of calls and the way of their replies: a connection, as sites see it. Any thread. */
interface CallSource {
    /** Whether the client can still receive replies. */
    boolean isOpen();

    /** The client's random id; 0 if it has none. */
    long clientId();

    /** The user at the other end. */
    SessionUser user();

    /** Counts a request that the user may not make. */
    void countNotPermitted();

    /** The replies on their way to the client. */
    UnreadReplies unread();

    /** Sends whole frames, which are copied. */
    void send(MessageWriter frames);

    /** Whether requests whose partition another node leads are passed on to that node. */
    boolean passesOn();

    /** Passes a request on. The client gets a reply in any case. */
    void pass(PassedCall call);

    /** A frame of this weight was taken by its site, or rejected. */
    void taken(int weight);

    /** Says why and ends the connection: the client violates the protocol. */
    void closeMalformed(String what);

    /** Ends the connection at once, without a word. */
    void cutOff(String why);

    /** The client's address. */
    InetSocketAddress remoteAddress();
}
