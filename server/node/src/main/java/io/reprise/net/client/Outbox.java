package io.reprise.net.client;

import java.util.ArrayDeque;

/**
 * What a site has of a connection: replies that are being written, how many calls are under way, and the frames that wait
 * until the client has read its replies. Owned by the site.
 */
final class Outbox {
    final ClientConnection connection;

    /** Has the replies that were not handed over yet; null if there are none. */
    ResultWriter replies;

    int frame;
    int underWay;

    /** About how many bytes the replies of those calls may have that have not ended. */
    long expectedBytes;

    /** How many bytes of replies wait for the log. */
    long heldBytes;

    /** Frames in their order; null until there is one, because most connections never have any. */
    private ArrayDeque<CallFrame> heldBack;

    Outbox(ClientConnection connection) {
        this.connection = connection;
    }

    /** How many bytes of replies there are that were not handed over. */
    long encodedBytes() {
        return heldBytes + (replies == null ? 0 : replies.bytes().length());
    }

    boolean holdsBack() {
        return heldBack != null && !heldBack.isEmpty();
    }

    void holdBack(CallFrame frame) {
        if (heldBack == null) {
            heldBack = new ArrayDeque<>();
        }
        heldBack.add(frame);
    }

    void holdBackFirst(CallFrame frame) {
        heldBack.addFirst(frame);
    }

    CallFrame takeHeldBack() {
        return heldBack.poll();
    }
}
