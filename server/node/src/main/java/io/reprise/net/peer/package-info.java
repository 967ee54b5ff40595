/**
 * The port between nodes: frames in order, each at most once, over TCP and mutual TLS. A {@link
 * io.reprise.net.peer.PeerPort} is the {@link io.reprise.cluster.Links} of an engine, and hands connections that carry
 * passed-on calls to the native protocol. docs/reference/formats/peer.md has the frames. Read {@code PeerPort} first.
 *
 * <p>Threads: one network loop owns all channels of the port; the engine's agent owns the links and polls them. The two
 * meet in the bounded buffers of {@code PeerLink}.
 */
package io.reprise.net.peer;
