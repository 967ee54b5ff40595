package io.reprise.cluster.replica;

import io.reprise.cluster.Member;

/** The removal of followers by their leader (P9): the silent, the leaving, and those whose rows differ. Owned by the leadership. */
final class Removal {
    private final Replica replica;
    private final ReplicaSettings settings;
    private final Peers peers;
    private long divergences;

    Removal(Replica replica, ReplicaSettings settings, Peers peers) {
        this.replica = replica;
        this.settings = settings;
        this.peers = peers;
    }

    /** A peer says that it differs. */
    void diverged(Member from) {
        Peer peer = peers.of(from);
        if (peer != null && replica.map().has(from)) {
            divergences++;
            remove(peer);
        }
    }

    /** The number of followers that were taken out because their rows differed. */
    long divergences() {
        return divergences;
    }

    /** An in-sync member is about to stop. */
    void leaves(Member from) {
        Peer peer = peers.of(from);
        if (peer != null) {
            peer.leaving = true;
        }
    }

    /** Removes an in-sync peer that is silent, leaving, or can't be brought up. Returns how much was done. */
    int check(Peer peer, long nowNs) {
        return peer.leaving || peer.isLost ? remove(peer) : suspect(peer, nowNs);
    }

    /** Removes a peer that is silent, or whose process has ended. Returns how much was done. */
    int suspect(Peer peer, long nowNs) {
        long patienceNs = replica.yieldsTo(peer.member) ? 2 * settings.failureNs() : settings.failureNs();
        return nowNs - peer.heardNs > patienceNs || replica.hasEnded(peer.member) ? remove(peer) : 0;
    }

    private int remove(Peer peer) {
        boolean alone = replica.map().sync().size() == 2;
        if (alone && settings.holds(Rule.CAREFUL_BEFORE_REMOVAL) && !replica.isCarefulAndForced()) {
            return 0;
        }
        return replica.request(replica.map().without(peer.member)) ? 1 : 0;
    }
}
