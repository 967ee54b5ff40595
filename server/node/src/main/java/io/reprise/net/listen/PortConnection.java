package io.reprise.net.listen;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;

/** A connection of any protocol, as its listener sees it. All methods run on the connection's network loop, except as noted. */
public interface PortConnection {
    /** The handler of its bytes, the last one in the channel's pipeline. */
    ChannelHandler handler();

    /** Ends the connection, because the listener has as many as it serves. */
    void rejectTooMany(int maxConnections);

    /** The kinds of first bytes of a connection at a port with TLS that are not TLS. */
    enum Opening {
        /** A request of the protocol to begin TLS. It was answered, and its bytes are consumed. */
        ANSWERED,
        /** The beginning of such a request. */
        INCOMPLETE,
        /** Something else. */
        OTHER
    }

    /** Answers a request of the protocol to begin TLS. */
    default Opening beforeTls(ByteBuf firstBytes) {
        return Opening.OTHER;
    }

    /** Ends the connection, because its first bytes are not TLS and the port requires it. Consumes the bytes. */
    void rejectPlaintext(ByteBuf firstBytes);

    /** Ends the connection if its client is too slow or its user is gone; called a few times a second. */
    void check(long nowNs);

    /** Any thread: ends the connection after its pending replies, because the server has closed. */
    void shutDown();

    /** Any thread: the connection's session, for operators. */
    ClientSession.Details details();

    /** Any thread: cancels the statement under way; false if the protocol has no such request. */
    boolean cancelStatement();

    /** Any thread: ends the connection after its pending replies, because an operator asked for it. */
    void endSession();
}
