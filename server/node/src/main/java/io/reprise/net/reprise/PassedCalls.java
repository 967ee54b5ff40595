package io.reprise.net.reprise;

import io.netty.channel.EventLoop;
import io.reprise.cluster.Topology;
import io.reprise.procedure.ErrorCode;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The requests of one client that this node passes on, over a connection to each leader. A request is passed on once: the
 * leader's own answer, MOVED too, goes to the client. Owned by the client's network loop.
 */
final class PassedCalls implements PassedConnection.Owner {
    private final ClusterSide cluster;
    private final Client client;
    private final Map<Integer, PassedConnection> connections = new TreeMap<>();

    /** The client's connection. */
    interface Client {
        /** The client's random id; 0 if it has none. */
        long clientId();

        /** The most requests of it under way. */
        int mostCalls();

        /** The time. */
        long nowNs();

        /** Its network loop. */
        EventLoop loop();

        /** Sends whole frames, which are copied. */
        void send(MessageWriter frames);
    }

    PassedCalls(ClusterSide cluster, Client client) {
        this.cluster = cluster;
        this.client = client;
    }

    /** Passes a request on to the leader of its partition. */
    void pass(PassedCall call) {
        Topology topology = cluster.topology();
        int leader = leader(topology, call.partition());
        String address =
                leader == Topology.NO_LEADER ? null : topology.peerAddresses().get(leader);
        if (leader == cluster.node()) {
            // It has become the leader since it rejected the call.
            notRun(call, ErrorCode.MOVED, "partition " + call.partition() + " changes its leader");
        } else if (address == null) {
            notRun(
                    call,
                    ErrorCode.PARTITION_UNAVAILABLE,
                    leader == Topology.NO_LEADER
                            ? "no node leads partition " + call.partition() + " at present"
                            : "node " + leader + ", which leads partition " + call.partition() + ", is not running");
        } else {
            connection(leader, address).pass(call);
        }
    }

    private static int leader(Topology topology, int partition) {
        return topology == null
                        || partition < 0
                        || partition >= topology.leaders().size()
                ? Topology.NO_LEADER
                : topology.leader(partition);
    }

    private PassedConnection connection(int node, String address) {
        PassedConnection known = connections.get(node);
        if (known != null) {
            return known;
        }
        PassedConnection made = new PassedConnection(this, node);
        connections.put(node, made);
        cluster.connect(address, client.loop(), made);
        return made;
    }

    /** The topology has changed: replaced leaders may have stopped. */
    void changed(Topology before, Topology now) {
        for (PassedConnection connection : List.copyOf(connections.values())) {
            if (hasLost(connection.node(), before, now)) {
                connection.suspect();
            }
        }
    }

    private static boolean hasLost(int node, Topology before, Topology now) {
        for (int partition = 0; partition < before.leaders().size(); partition++) {
            if (before.leader(partition) == node && leader(now, partition) != node) {
                return true;
            }
        }
        return false;
    }

    /** The client has gone. */
    void close() {
        new ArrayList<>(connections.values()).forEach(connection -> connection.end("the client has gone"));
    }

    private void notRun(PassedCall call, ErrorCode code, String message) {
        fail(call, FailureCodes.of(code), message + "; the call was not run", true, true);
    }

    @Override
    public long clientId() {
        return client.clientId();
    }

    @Override
    public long nowNs() {
        return client.nowNs();
    }

    @Override
    public int mostCalls() {
        return client.mostCalls();
    }

    @Override
    public void passBack(byte kind, byte[] message) {
        MessageWriter bytes = new MessageWriter(message.length + Wire.HEADER_BYTES);
        int frame = bytes.beginFrame(kind);
        bytes.raw(message);
        bytes.endFrame(frame);
        client.send(bytes);
    }

    @Override
    public void fail(PassedCall call, int code, String message, boolean retryIsSafe, boolean notRun) {
        ResultWriter replies = ResultWriter.ofOneReply(0);
        int frame = replies.bytes().beginFrame(Wire.REPLIES);
        replies.failure(call.id(), code, message, retryIsSafe, notRun);
        replies.bytes().endFrame(frame);
        client.send(replies.bytes());
    }

    @Override
    public void ended(PassedConnection connection) {
        connections.remove(connection.node(), connection);
    }
}
