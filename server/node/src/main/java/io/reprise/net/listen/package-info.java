/**
 * Ports and connections for any protocol: binding, TLS, handshakes, the connection limit and the end of connections. A {@link
 * io.reprise.net.listen.Listener} makes a {@link io.reprise.net.listen.PortConnection} of its {@link
 * io.reprise.net.listen.Protocol} for each accepted channel. Read {@code Listener} first.
 *
 * <p>Threads: each connection belongs to its network loop; a listener is opened and closed by the node's thread.
 */
package io.reprise.net.listen;
