package io.reprise.cluster.replica;

import io.reprise.cluster.replica.PeerMessage.Diverged;
import io.reprise.cluster.replica.PeerMessage.Image;
import io.reprise.cluster.replica.PeerMessage.ImageAck;
import io.reprise.cluster.replica.PeerMessage.Join;
import io.reprise.cluster.replica.PeerMessage.Joined;

/**
 * The way of a replica that is not in sync (P12): it asks its leader, and loads an image if its log is no prefix. Owned by the replica.
 *
 * <p>Within an attempt the log only grows, so that acknowledgements of one attempt never promise too much.
 */
final class Joining {
    private final Replica replica;
    private final ReplicaLog log;
    private final ReplicaSettings settings;
    private long attempt;

    /** The next request begins a new attempt. */
    private boolean renews = true;

    /**
     * This replica differs from its leader until an image has come. A map may have it in sync meanwhile, also one that the
     * leader asked for when it was a joiner.
     */
    private boolean diverged;

    private long askedNs = Long.MIN_VALUE / 2;

    /** The image that is arriving, or null, and the bytes of it that are here. */
    private byte[] arriving;

    private int arrived;
    private long heardNs;
    private long acknowledgedNs;

    Joining(Replica replica, ReplicaLog log, ReplicaSettings settings) {
        this.replica = replica;
        this.log = log;
        this.settings = settings;
    }

    long attempt() {
        return attempt;
    }

    boolean isDiverged() {
        return diverged;
    }

    /** The replica goes out; to come back takes a new attempt. */
    void left() {
        renews = true;
        arriving = null;
    }

    /** The next step asks at once. */
    void hurry() {
        askedNs = Long.MIN_VALUE / 2;
    }

    /** The replica differs from its leader. */
    void diverge() {
        diverged = true;
        hurry();
    }

    /** Whether a replica that holds no complete image may count all the same, because the rule is broken. */
    boolean isUsable() {
        return !log.isLoading() || !settings.holds(Rule.IMAGE_COMPLETE);
    }

    /** Asks the leader, once in a heartbeat. Returns how much was done. */
    int ask(long nowNs) {
        if (nowNs - askedNs < settings.heartbeatNs()) {
            return 0;
        }
        askedNs = nowNs;
        if (replica.map().leader() == replica.self().node()) {
            return 0;
        }
        if (diverged && replica.map().has(replica.self())) {
            replica.sendToLeader(new Diverged(replica.entered()));
            return 1;
        }
        if (renews) {
            renews = false;
            attempt++;
        }
        // A log without records may belong to a node with another schema, which an image brings.
        boolean isUsable = isUsable() && (log.lastIndex() > 0 || !settings.holds(Rule.IMAGE_COMPLETE));
        replica.sendToLeader(
                new Join(replica.entered(), attempt, isUsable, log.epochAt(log.lastIndex()), log.lastIndex()));
        return 1;
    }

    /** Whether the leader streams behind the log of this attempt. */
    boolean isAnswer(Joined joined) {
        return !renews && joined.epoch() == replica.entered() && joined.attempt() == attempt;
    }

    // ---- Images

    /** One step while an image comes or is stored. Returns how much was done. */
    int load(long nowNs) {
        if (arriving != null) {
            if (nowNs - heardNs > settings.failureNs()) {
                replica.leave();
                return 1;
            }
            return 0;
        }
        if (log.isLoading()) {
            if (nowNs - acknowledgedNs >= settings.heartbeatNs()) {
                acknowledge(false, nowNs);
            }
            return 0;
        }
        diverged = false;
        replica.loaded(nowNs);
        return 1;
    }

    /** Takes a slice of an image; the whole image replaces a log that is no prefix. */
    void arrive(Image slice, long nowNs) {
        boolean begins = replica.role() == Replica.Role.OUT && slice.offset() == 0;
        boolean goesOn = replica.role() == Replica.Role.LOADING && arriving != null;
        if (slice.epoch() != replica.entered() || slice.attempt() != attempt || renews || !begins && !goesOn) {
            return;
        }
        heardNs = nowNs;
        if (begins) {
            replica.beginToLoad();
            arriving = new byte[slice.total()];
            arrived = 0;
        }
        if (slice.offset() == arrived) {
            System.arraycopy(slice.slice(), 0, arriving, arrived, slice.slice().length);
            arrived += slice.slice().length;
        }
        acknowledge(slice.offset() > arrived, nowNs);
        if (arrived == slice.total()) {
            complete(slice);
        }
    }

    private void complete(Image last) {
        byte[] image = arriving;
        arriving = null;
        if (!replica.machine().accepts(image)) {
            replica.leave();
            return;
        }
        log.beginImage();
        replica.machine().load(image);
        log.completeImage(last.index(), last.indexEpoch(), image);
    }

    private void acknowledge(boolean isGap, long nowNs) {
        acknowledgedNs = nowNs;
        replica.sendToLeader(new ImageAck(replica.entered(), attempt, arrived, isGap));
    }
}
