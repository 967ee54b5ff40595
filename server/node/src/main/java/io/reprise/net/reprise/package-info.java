/**
 * The native protocol. A {@link io.reprise.net.reprise.NativeConnection} has frames made of bytes and hands calls to a site. There a
 * {@link io.reprise.net.reprise.CallAgent} makes transactions of calls and replies of outcomes. Read {@link
 * io.reprise.net.reprise.NativeProtocol}, then these two.
 *
 * <p>Threads: a connection's input belongs to its network loop; calls under way and replies being written belong to the site's
 * thread. The two meet at a bounded ring of frames for each site, and at Netty's write queue. Neither waits for the other. A
 * full ring is answered with OVERLOADED. A client that sends too fast or reads too slowly is throttled: its socket is not read.
 */
package io.reprise.net.reprise;
