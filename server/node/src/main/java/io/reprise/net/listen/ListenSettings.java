package io.reprise.net.listen;

import io.reprise.access.Protection;
import java.net.InetSocketAddress;

/**
 * Settings of a listener.
 *
 * @param address the address to bind; port 0: any free port
 * @param networkThreads the number of network loops
 * @param maxConnections the most connections; further ones are rejected
 * @param unreadBytes a channel with more unwritten bytes than this is not writable
 * @param patienceMs the time that a client has to complete a handshake or a message, and to read what it was sent
 * @param protection TLS and logins, and whether an address that other machines reach may do without
 */
public record ListenSettings(
        InetSocketAddress address,
        int networkThreads,
        int maxConnections,
        int unreadBytes,
        long patienceMs,
        Protection protection) {}
