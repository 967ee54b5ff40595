package io.reprise.net.client;

/**
 * A frame of calls on its way from the network to a site, with those behind it that came in the same read. Nobody changes the
 * bytes: strings among the arguments stay where they are until their transactions have ended.
 */
final class CallFrame {
    final ClientConnection connection;
    final byte[] bytes;
    final long arrivedNs;

    /** What came behind it for the same site, or null. The network's until the first of them is handed over. */
    CallFrame following;

    /** Where the first call begins that was not taken. Owned by the site. */
    int next;

    CallFrame(ClientConnection connection, byte[] bytes, long arrivedNs) {
        this.connection = connection;
        this.bytes = bytes;
        this.arrivedNs = arrivedNs;
    }
}
