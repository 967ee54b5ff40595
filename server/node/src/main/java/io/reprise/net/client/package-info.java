/**
 * Serves clients: {@link io.reprise.net.client.ClientListener} accepts connections, {@link
 * io.reprise.net.client.ClientConnection} makes frames of bytes and hands those with calls to a site, where {@link
 * io.reprise.net.client.CallAgent} makes transactions of calls and replies of transactions. Read these three in this order.
 *
 * <p>Threads: a connection's input belongs to its network loop, calls under way and the replies that are being written to
 * the site's thread. They meet at a bounded ring of frames for each site, and at Netty's queue of writes. Neither ever waits
 * for the other: a full ring is answered with OVERLOADED, a client that sends or reads too slowly is not read from.
 */
package io.reprise.net.client;
