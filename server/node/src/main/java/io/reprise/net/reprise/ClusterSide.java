package io.reprise.net.reprise;

import io.netty.channel.EventLoop;
import io.reprise.cluster.Topology;
import io.reprise.net.peer.PeerCalls;
import io.reprise.net.peer.PeerPort;
import io.reprise.wire.message.Node;
import java.util.Optional;

/**
 * The cluster as the native protocol sees it: the newest topology, and the way to other nodes. Any thread.
 */
final class ClusterSide {
    private final int node;
    private final Optional<PeerPort> peers;
    private volatile Topology topology;

    /**
     * The side of one node.
     *
     * @param peers the port to other nodes; empty: requests are not passed on
     */
    ClusterSide(int node, Optional<PeerPort> peers) {
        this.node = node;
        this.peers = peers;
    }

    int node() {
        return node;
    }

    /** The newest topology; null until the first. */
    Topology topology() {
        return topology;
    }

    /** Whether requests can be passed on to other nodes. */
    boolean passesOn() {
        return peers.isPresent();
    }

    void replace(Topology next) {
        topology = next;
    }

    /** From now on other nodes may pass requests on to this one. */
    void takeCalls(PeerCalls protocol) {
        peers.ifPresent(port -> port.passCallsTo(protocol));
    }

    /** Begins a connection to a node, for requests of one client. */
    void connect(String address, EventLoop loop, PeerPort.CallsConnection connection) {
        peers.orElseThrow().connectForCalls(address, loop, connection);
    }

    /** The topology as clients are told it. */
    static io.reprise.wire.message.Topology told(Topology topology) {
        io.reprise.wire.message.Topology.Builder told =
                io.reprise.wire.message.Topology.newBuilder().setVersion(topology.version());
        for (int bucket = 0; bucket < topology.buckets().count(); bucket++) {
            told.addPartitionOfBucket(topology.buckets().partition(bucket));
        }
        for (int partition = 0; partition < topology.leaders().size(); partition++) {
            told.addLeader(topology.leader(partition) + 1);
        }
        topology.clientAddresses()
                .forEach((number, address) ->
                        told.addNode(Node.newBuilder().setNumber(number).setAddress(address)));
        return told.build();
    }
}
