package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.cluster.Replicas;
import java.util.function.Predicate;

/**
 * The volatile state of a leader, or of a collecting one, and the parts that work on it: {@link Collecting} begins it, {@link Sender}
 * streams, {@link WaitSet} says what may be told, {@link Joiners} and {@link Removal} change the in-sync set.
 *
 * <p>Owned by the replica.
 */
final class Leadership {
    private final Replica replica;
    private final ReplicaLog log;
    private final Peers peers = new Peers();
    private final WaitSet waits;
    private final Sender sender;
    private final Removal removal;
    private final Collecting collecting;
    private final Joiners joiners;

    Leadership(Replica replica, ReplicaLog log, ReplicaSettings settings) {
        this.replica = replica;
        this.log = log;
        waits = new WaitSet(replica, log, settings, peers);
        sender = new Sender(replica, log, settings);
        removal = new Removal(replica, settings, peers);
        collecting = new Collecting(replica, log, settings, peers, removal);
        joiners = new Joiners(replica, log, settings, peers, sender, waits);
    }

    WaitSet waits() {
        return waits;
    }

    Removal removal() {
        return removal;
    }

    Joiners joiners() {
        return joiners;
    }

    Collecting collecting() {
        return collecting;
    }

    // ---- Begin and end

    /** The node leads the partition no more. */
    void end() {
        peers.clear();
    }

    /** A new leadership, which knows no follower, begins to collect. */
    void collect(Replicas map, long nowNs) {
        peers.clear();
        joiners.reset();
        collecting.begin(map, nowNs);
    }

    /** One step of a collecting leader. Returns how much was done. */
    int collect(long nowNs) {
        int work = collecting.step(nowNs);
        if (work >= 0) {
            return work;
        }
        waits.begin();
        collecting.lead(nowNs);
        replica.lead();
        return 1;
    }

    /** The leadership goes on in another epoch: joiners that the map does not have begin again. */
    void goOn(Replicas map) {
        for (Peer peer : peers.all()) {
            if (!map.has(peer.member)) {
                peers.forget(peer);
            }
        }
        joiners.reset();
        if (peers.count() != map.sync().size() - 1) {
            throw new IllegalStateException("a leader does not know its in-sync members " + map.sync());
        }
    }

    // ---- Time

    /** Streams to all peers, adds joiners, removes the silent. Returns how much was done. */
    int lead(long nowNs) {
        int work = joiners.joinWaiting(nowNs);
        for (Peer peer : peers.all()) {
            work += sender.send(peer, waits.token(), nowNs);
            if (replica.map().has(peer.member)) {
                work += removal.check(peer, nowNs);
            } else {
                joiners.checkLost(peer);
            }
        }
        return work + joiners.add(nowNs);
    }

    // ---- Messages

    /** Takes the report of an in-sync member. */
    void report(Member from, PeerMessage.Report report, long nowNs) {
        Peer peer = peers.of(from);
        if (peer == null) {
            return;
        }
        if (replica.role() == Replica.Role.COLLECTING) {
            collecting.reported(peer, report, nowNs);
            return;
        }
        replica.requirePrefix(report);
        Peer known = peer;
        if (peer.attempt != report.attempt()) {
            known = new Peer(from, report.attempt(), report.lastIndex() + 1, nowNs);
            peers.put(known);
        }
        known.heardNs = nowNs;
        known.received = Math.max(known.received, report.lastIndex());
        known.durable = Math.max(known.durable, report.durable());
        known.linkReset();
    }

    void acknowledged(Member from, PeerMessage.Ack ack, long nowNs) {
        Peer peer = peers.of(from, ack.attempt());
        if (peer != null) {
            peer.acknowledge(ack, nowNs);
        }
    }

    /** A peer lives. */
    void heard(Member from, long nowNs) {
        Peer peer = peers.of(from);
        if (peer != null) {
            peer.heardNs = nowNs;
        }
    }

    /** Frames to and from a node may have been lost. */
    void linkReset(int node) {
        Peer peer = peers.of(node);
        if (peer != null && peer.next != Long.MAX_VALUE) {
            peer.linkReset();
        }
    }

    // ---- Peers

    /** The in-sync follower with the most records, of those that pass the test; null if there is none. */
    Member successor(Predicate<Member> test) {
        Peer best = null;
        for (Peer peer : peers.each()) {
            if (replica.map().has(peer.member)
                    && test.test(peer.member)
                    && (best == null || peer.received > best.received)) {
                best = peer;
            }
        }
        return best == null ? null : best.member;
    }

    /**
     * The lowest index that has to stay at hand for a peer, in sync or joining: those before it come from the log's files, as those do
     * that a peer needs behind its image.
     */
    long keptFrom() {
        long needed = log.lastIndex() + 1;
        for (Peer peer : peers.each()) {
            if (peer.image != null) {
                continue;
            }
            if (peer.older == null) {
                needed = Math.min(needed, peer.has() + 1);
            } else if (peer.next > log.imageIndex()) {
                needed = Math.min(needed, peer.next);
            }
        }
        return needed;
    }

    /** Shows each peer's progress, in the order of nodes. */
    void eachFollower(FollowerProgress to) {
        for (Peer peer : peers.each()) {
            boolean inSync = replica.map().has(peer.member) && peer != peers.adding();
            to.progress(peer.member.node(), inSync, peer.received, peer.durable);
        }
    }
}
