package io.reprise.net.listen;

/** A protocol that a {@link Listener} serves. */
public interface Protocol {
    /** The listener is about to accept connections; the engine is open. */
    void begin();

    /** The network loop: makes the connection of a channel that was just accepted. */
    PortConnection connect(ClientChannel channel);

    /** Any thread: rejects new requests from now on, because the server closes. */
    void refuseNew();
}
