package io.reprise.cluster.replica;

/**
 * The positions up to which a leader may tell, vote and confirm: it waits for each in-sync member of the map, and for the joiner that it
 * is adding (P5, P6, P8). Owned by the leadership.
 */
final class WaitSet {
    private final Replica replica;
    private final ReplicaLog log;
    private final ReplicaSettings settings;
    private final Peers peers;
    private long token;
    private long told;

    /** The end of the log when this leadership began: earlier leaders, and this node before a restart, may have told it. */
    private long inherited;

    /** A vote was given for all up to this index. */
    private long voted;

    WaitSet(Replica replica, ReplicaLog log, ReplicaSettings settings, Peers peers) {
        this.replica = replica;
        this.log = log;
        this.settings = settings;
        this.peers = peers;
    }

    /** A leadership begins. Tokens go on, so that an old acknowledgement confirms no new read. */
    void begin() {
        inherited = log.lastIndex();
        told = 0;
        voted = 0;
    }

    /** Whether a joiner has all that was told or voted for, so that it may come into sync. */
    boolean isEnough(Peer joiner) {
        long acknowledged = settings.forced() ? joiner.durable : joiner.received;
        return acknowledged >= Math.max(told, inherited) && joiner.durable >= voted;
    }

    private boolean counts(Peer peer) {
        return peer == peers.adding() || replica.map().has(peer.member);
    }

    private boolean waitsFor(Peer peer, Rule addingRule) {
        if (peer == peers.adding()) {
            return settings.holds(addingRule);
        }
        return replica.map().has(peer.member) && (settings.holds(Rule.WAIT_FOR_ALL) || peer == peers.first());
    }

    private boolean isAlone() {
        return replica.map().sync().size() == 1;
    }

    /** The index up to which everything is stable; it may be told. Nothing is told in an epoch that the log does not name durably. */
    long stable() {
        if (!log.isNoted()) {
            return told;
        }
        boolean forces = settings.forced() || settings.holds(Rule.ALONE_FORCES) && (isAlone() || replica.isCareful());
        long stable = forces ? log.durableIndex() : log.lastIndex();
        for (Peer peer : peers.each()) {
            if (waitsFor(peer, Rule.ADDING_COUNTS_FOR_WRITES)) {
                stable = Math.min(stable, settings.forced() ? peer.durable : peer.received);
            }
        }
        told = Math.max(told, stable);
        return told;
    }

    /** The index up to which this replica and all that it waits for have forced the log: a vote may be given. */
    long forced() {
        long forced = log.durableIndex();
        for (Peer peer : peers.each()) {
            if (waitsFor(peer, Rule.ADDING_COUNTS_FOR_WRITES)) {
                forced = Math.min(forced, peer.durable);
            }
        }
        return forced;
    }

    void voted(long index) {
        voted = Math.max(voted, index);
    }

    long token() {
        return token;
    }

    /** A token for a read that has run. */
    long nextToken() {
        return ++token;
    }

    /** Reads with tokens up to this one are confirmed. */
    long confirmed() {
        long confirmed = token;
        if (settings.holds(Rule.CONFIRM_READS)) {
            for (Peer peer : peers.each()) {
                if (waitsFor(peer, Rule.ADDING_COUNTS_FOR_READS)) {
                    confirmed = Math.min(confirmed, peer.token);
                }
            }
        }
        return confirmed;
    }

    /** The time since the most silent member was heard. */
    long silentNs(long nowNs) {
        long silent = 0;
        for (Peer peer : peers.each()) {
            if (counts(peer)) {
                silent = Math.max(silent, nowNs - peer.heardNs);
            }
        }
        return silent;
    }

    /** The lowest index that a replica which counts may still need. */
    long neededFrom() {
        long needed = log.lastIndex() + 1;
        for (Peer peer : peers.each()) {
            if (counts(peer)) {
                needed = Math.min(needed, peer.has() + 1);
            }
        }
        return needed;
    }
}
