package io.reprise.cluster.replica;

import io.reprise.cluster.Member;

/**
 * The replicas that a leader brings into sync: by its records, or by an image if their log is no prefix (P12), and one at a time into
 * the map (P13). Owned by the leadership.
 */
final class Joiners {
    private final Replica replica;
    private final ReplicaLog log;
    private final ReplicaSettings settings;
    private final Peers peers;
    private final Sender sender;
    private final WaitSet waits;

    /** Whether the map was asked for the joiner that counts. */
    private boolean asked;

    /** A replica whose request to join waits until the machine has an image, or null; and the request. */
    private Member waitsForImage;

    private PeerMessage.Join waitingJoin;

    /** The number of images that this leader has begun to send. */
    private int images;

    Joiners(Replica replica, ReplicaLog log, ReplicaSettings settings, Peers peers, Sender sender, WaitSet waits) {
        this.replica = replica;
        this.log = log;
        this.settings = settings;
        this.peers = peers;
        this.sender = sender;
        this.waits = waits;
    }

    /** Joiners begin again: another epoch begins. */
    void reset() {
        peers.adding(null);
        asked = false;
    }

    // ---- P12

    /** A replica that is not in sync wants to be. */
    void join(Member from, PeerMessage.Join join, long nowNs) {
        Peer known = peers.of(from, join.attempt());
        if (known != null) {
            joinAgain(known, nowNs);
            return;
        }
        if (peers.adding() != null && peers.adding().member.node() == from.node()) {
            if (asked) {
                // The member that was asked for may be in sync any moment, with the log that it has.
                return;
            }
            peers.adding(null);
            replica.noteMembers();
        }
        boolean prefix = isPrefix(join);
        if (!prefix && !replica.machine().hasImage()) {
            waitsForImage = from;
            waitingJoin = join;
            return;
        }
        long last = prefix ? join.lastIndex() : log.lastIndex();
        Peer joiner = new Peer(from, join.attempt(), last + 1, nowNs);
        if (prefix) {
            joiner.isTold = false;
        } else {
            joiner.image = new ImageTransfer(
                    replica.entered(),
                    join.attempt(),
                    ++images,
                    last,
                    log.epochAt(last),
                    replica.machine().image(settings.sliceBytes()));
        }
        peers.put(joiner);
        sender.tell(joiner);
    }

    private boolean isPrefix(PeerMessage.Join join) {
        if (!join.usable() || join.lastIndex() < log.oldestIndex()) {
            return false;
        }
        return settings.holds(Rule.JOIN_BY_PREFIX)
                ? log.lastOf(join.lastEpoch()) >= join.lastIndex()
                : join.lastIndex() <= log.lastIndex();
    }

    /** The joiner has not seen the answer yet: it was lost, or is under way. */
    private void joinAgain(Peer joiner, long nowNs) {
        joiner.heardNs = nowNs;
        if (joiner.image == null) {
            joiner.isTold = false;
            sender.tell(joiner);
        } else {
            joiner.image.sendAgainIfStalled(settings.failureNs(), nowNs);
        }
    }

    /** A joiner has pieces of its image. */
    void acknowledged(Member from, PeerMessage.ImageAck ack, long nowNs) {
        Peer peer = peers.of(from, ack.attempt());
        if (peer != null && peer.image != null && peer.image.acknowledge(ack, nowNs)) {
            peer.heardNs = nowNs;
            peer.image.sendAgainIfStalled(settings.failureNs(), nowNs);
        }
    }

    /** The machine had no image when a replica asked to join. Returns how much was done. */
    int joinWaiting(long nowNs) {
        if (waitingJoin == null) {
            return 0;
        }
        Member from = waitsForImage;
        PeerMessage.Join join = waitingJoin;
        waitsForImage = null;
        waitingJoin = null;
        if (join.epoch() != replica.entered()
                || replica.map().member(from.node()).isPresent()) {
            return 0;
        }
        join(from, join, nowNs);
        return waitingJoin == null ? 1 : 0;
    }

    /** Forgets a joiner whose records are in no log, unless the map may have it any moment. */
    void checkLost(Peer joiner) {
        if (joiner.isLost && !(asked && joiner == peers.adding())) {
            giveUp(joiner);
        }
    }

    /** Forgets a joiner for which the map is not asked. */
    private void giveUp(Peer joiner) {
        boolean wasNoted = joiner == peers.adding();
        peers.forget(joiner);
        if (wasNoted) {
            replica.noteMembers();
        }
    }

    /** Whether the leader is so far ahead of a joiner that it has to wait. */
    boolean isOutrun(long nowNs) {
        boolean outrun = false;
        for (Peer peer : peers.each()) {
            if (peer.image == null && peer.isTold && !replica.map().has(peer.member)) {
                outrun |= peer.lags(log.lastIndex(), settings.batchRecords() / 2, settings.heartbeatNs(), nowNs);
            }
        }
        return outrun;
    }

    // ---- P13

    /** Adds a joiner that has come near. Returns how much was done. */
    int add(long nowNs) {
        if (peers.adding() != null) {
            return goOnAdding(peers.adding(), nowNs);
        }
        for (Peer peer : peers.all()) {
            if (replica.map().has(peer.member)) {
                continue;
            }
            if (isGone(peer, nowNs) || !replica.map().mayHold(peer.member.node())) {
                peers.forget(peer);
            } else if (peer.received > 0 && log.lastIndex() - peer.received <= settings.batchRecords()) {
                peers.adding(peer);
                replica.noteAdding(peer.member);
                asked = false;
                return 1;
            }
        }
        return 0;
    }

    /** Whether a joiner counts before the map has it. */
    boolean isAdding() {
        return peers.adding() != null;
    }

    private boolean isGone(Peer joiner, long nowNs) {
        return nowNs - joiner.heardNs > settings.failureNs() || replica.hasEnded(joiner.member);
    }

    private int goOnAdding(Peer adding, long nowNs) {
        if (asked) {
            if (replica.isRequestOpen()) {
                if (!settings.holds(Rule.ADDING_UNTIL_KNOWN) && nowNs - adding.heardNs > settings.failureNs()) {
                    peers.adding(null);
                }
                return 0;
            }
            asked = false;
        }
        if (isGone(adding, nowNs) || !replica.map().mayHold(adding.member.node())) {
            giveUp(adding);
            return 1;
        }
        if (waits.isEnough(adding)
                && log.isNoted()
                && replica.request(replica.map().with(adding.member))) {
            asked = true;
            return 1;
        }
        return 0;
    }
}
