package io.reprise.cluster.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.SortedMap;

/**
 * A node as znode {@code nodes/N} names it, running or not: lines of {@code key=value} in UTF-8.
 *
 * @param node the node's number
 * @param name the node's name
 * @param zone the place whose failure takes the node with it; empty if none is named
 * @param peer the address for other nodes
 * @param clients the address for clients; empty if they can't connect
 * @param http the URL of the HTTP server; empty if there is none
 * @param version the version of Reprise that the node runs, or has run last
 * @param instance a random number in hexadecimal that the data directory keeps, so that two nodes of one number are noticed
 */
public record Registration(
        int node, String name, String zone, String peer, String clients, String http, String version, String instance) {
    byte[] encode() {
        return ("name=" + name + "\nzone=" + zone + "\npeer=" + peer + "\nclients=" + clients + "\nhttp=" + http
                        + "\nversion=" + version
                        + "\ninstance=" + instance + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    static Registration decode(int node, byte[] content) {
        SortedMap<String, String> lines = Lines.read(content);
        return new Registration(
                node,
                lines.getOrDefault("name", ""),
                lines.getOrDefault("zone", ""),
                lines.getOrDefault("peer", ""),
                lines.getOrDefault("clients", ""),
                lines.getOrDefault("http", ""),
                lines.getOrDefault("version", ""),
                lines.getOrDefault("instance", ""));
    }
}
