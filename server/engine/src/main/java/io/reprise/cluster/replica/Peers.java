package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The other replicas that a leader knows: those in sync and joiners, one of each node. Owned by the leadership. */
final class Peers {
    private final SortedMap<Integer, Peer> byNode = new TreeMap<>();

    /** The joiner that counts for writes and reads before the map has it (P13), or null. */
    private Peer adding;

    /** A copy, in the order of nodes. */
    List<Peer> all() {
        return List.copyOf(byNode.values());
    }

    /** In the order of nodes. */
    Iterable<Peer> each() {
        return byNode.values();
    }

    int count() {
        return byNode.size();
    }

    /** The peer of the lowest node. */
    Peer first() {
        return byNode.get(byNode.firstKey());
    }

    /** The peer of a node, or null. */
    Peer of(int node) {
        return byNode.get(node);
    }

    /** The peer that is this run of its node, or null. */
    Peer of(Member member) {
        Peer peer = byNode.get(member.node());
        return peer != null && peer.member.equals(member) ? peer : null;
    }

    /** The peer that is this run of its node in this attempt, or null. */
    Peer of(Member member, long attempt) {
        Peer peer = of(member);
        return peer != null && peer.attempt == attempt ? peer : null;
    }

    /** Takes the place of the peer of the same node. */
    void put(Peer peer) {
        Peer before = byNode.put(peer.member.node(), peer);
        if (before != null) {
            before.close();
        }
    }

    void forget(Peer peer) {
        byNode.remove(peer.member.node());
        peer.close();
        if (adding == peer) {
            adding = null;
        }
    }

    void clear() {
        byNode.values().forEach(Peer::close);
        byNode.clear();
        adding = null;
    }

    Peer adding() {
        return adding;
    }

    void adding(Peer joiner) {
        adding = joiner;
    }
}
