package io.reprise.cluster;

/**
 * A connection between two nodes that carries frames in order, each at most once. Frames are lost only by the end of the
 * link: the receiver then has a prefix of the frames sent, and the sender does not know which.
 *
 * <pre>
 *  CONNECTING -> OPEN -> CLOSED
 *  CONNECTING -> CLOSED           the peer refused, or did not answer
 * </pre>
 *
 * <p>Owned by one agent; any thread sends. A closed link still delivers the frames that arrived before it closed.
 */
public interface Link {
    /** The life of a link. */
    enum State {
        /** No answer of the peer yet. */
        CONNECTING,
        /** Frames may be sent. */
        OPEN,
        /** Closed by either side, or broken. Final. */
        CLOSED
    }

    /** The state as this side knows it; a peer that is silent leaves the link open. */
    State state();

    /**
     * Whether the link is closed because the peer's machine rejected the connection: no process listens at the address. A machine
     * that does not answer rejects nothing.
     */
    default boolean isRefused() {
        return false;
    }

    /** The greatest {@linkplain Levels level} that both ends speak, once the link is open. */
    default int level() {
        return Levels.OWN.greatest();
    }

    /**
     * Sends a copy of a frame.
     *
     * @return false if the link is not open or its send buffer is full; the frame was not taken
     */
    boolean send(byte[] frame, int offset, int length);

    /** The next frame received, or null. The caller owns it. */
    byte[] receive();

    /** Ends the link. Frames under way may or may not arrive. */
    void close();
}
