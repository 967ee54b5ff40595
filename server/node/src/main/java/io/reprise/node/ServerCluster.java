package io.reprise.node;

import io.reprise.net.peer.PeerPort;

/**
 * A server's place in its cluster.
 *
 * @param node this node's number
 * @param peers the port to the other nodes, open; requests that another node has to run are passed on through it
 */
public record ServerCluster(int node, PeerPort peers) {}
