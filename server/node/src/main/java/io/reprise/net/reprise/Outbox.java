package io.reprise.net.reprise;

import java.util.ArrayDeque;

/**
 * A connection's state at one site: replies being written, calls under way, and frames held back until the client has read its
 * replies. Owned by the site.
 */
final class Outbox {
    final CallSource source;

    /** The writer of the replies not handed over yet, or null. */
    ResultWriter replies;

    int frame;
    int underWay;

    /** The estimated bytes of the replies of calls under way. */
    long expectedBytes;

    /** The bytes of replies that wait for the log. */
    long heldBytes;

    /** Frames in their order; null until the first one, because most connections never have any. */
    private ArrayDeque<CallFrame> heldBack;

    Outbox(CallSource source) {
        this.source = source;
    }

    /** The bytes of replies not handed over yet. */
    long encodedBytes() {
        return heldBytes + (replies == null ? 0 : replies.bytes().length());
    }

    /** The bytes of replies that the client may still be given; below zero: no more calls should be run. */
    long room() {
        return source.unread().room(encodedBytes(), expectedBytes);
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
