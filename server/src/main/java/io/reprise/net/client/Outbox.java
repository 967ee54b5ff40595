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

    /** Frames in their order; null until there is one, because most connections never have any. */
    private ArrayDeque<CallFrame> heldBack;

    Outbox(ClientConnection connection) {
        this.connection = connection;
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
