package io.reprise.net.reprise;

/**
 * A frame of calls on its way from the network to a site, with the frames that came behind it in the same read. Its bytes never
 * change: strings among the arguments stay there until their transactions have ended.
 */
final class CallFrame {
    /**
     * The weight of a frame besides its bytes. A client that sends calls one by one, faster than they run, is not read for a while;
     * later calls are then read together.
     */
    private static final int FRAME_WEIGHT_BYTES = 1 << 10;

    /** The connection's state at the frame's site. */
    final Outbox outbox;

    final byte[] bytes;
    final long arrivedNs;

    /** The next frame of the same read and site, or null. Owned by the network until the first frame is handed over. */
    CallFrame following;

    /** The position of the first call that was not taken. Owned by the site. */
    int next;

    CallFrame(Outbox outbox, byte[] bytes, long arrivedNs) {
        this.outbox = outbox;
        this.bytes = bytes;
        this.arrivedNs = arrivedNs;
    }

    CallSource source() {
        return outbox.source;
    }

    /** The part of the frame in the bytes that may wait for sites. */
    int weight() {
        return bytes.length + FRAME_WEIGHT_BYTES;
    }
}
