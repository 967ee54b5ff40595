package io.reprise.cluster.replica;

import io.reprise.cluster.replica.PeerMessage.Diverged;
import io.reprise.cluster.replica.PeerMessage.Image;
import io.reprise.cluster.replica.PeerMessage.ImageAck;
import io.reprise.cluster.replica.PeerMessage.Join;
import io.reprise.cluster.replica.PeerMessage.Joined;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of a replica that is not in sync (P12): it asks its leader, and loads an image if its log is no prefix. Owned by the replica.
 *
 * <p>Within an attempt the log only grows, so that acknowledgements of one attempt never promise too much.
 */
final class Joining {
    private static final Logger LOG = LoggerFactory.getLogger(Joining.class);
    private static final long NS_PER_MS = 1_000_000;
    private static final int MOST_PATIENCE = 64;

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
    private long notBeforeNs = Long.MIN_VALUE / 2;

    /** The next pause behind an image or a record without room, in failure timeouts. */
    private int patience = 1;

    /** Whether pieces of an image are arriving, and how many are here. */
    private boolean arriving;

    private int arrived;

    /** The number of the image whose pieces arrive. */
    private int transfer;

    private long heardNs;
    private int acknowledged;
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
        arriving = false;
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

    /** The replica is in sync. */
    void joined() {
        patience = 1;
    }

    /** Whether a replica that holds no complete image may count all the same, because the rule is broken. */
    boolean isUsable() {
        return !log.isLoading() || !settings.holds(Rule.IMAGE_COMPLETE);
    }

    /** Asks the leader, once in a heartbeat. The request to be removed does not wait for a pause. Returns how much was done. */
    int ask(long nowNs) {
        boolean leaves = diverged && replica.map().has(replica.self());
        if (nowNs - askedNs < settings.heartbeatNs() || !leaves && nowNs - notBeforeNs < 0) {
            return 0;
        }
        askedNs = nowNs;
        if (replica.map().leader() == replica.self().node()) {
            return 0;
        }
        if (leaves) {
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

    /** The leader lives. */
    void heard(long nowNs) {
        heardNs = nowNs;
    }

    /** One step while an image comes or is stored. Returns how much was done. */
    int load(long nowNs) {
        if (log.imageFailure() != null) {
            giveUp(log.imageFailure(), nowNs);
            return 1;
        }
        if (arriving && nowNs - heardNs > settings.failureNs()) {
            replica.leave();
            return 1;
        }
        if (arriving || log.isLoading()) {
            boolean isDue = nowNs - acknowledgedNs >= settings.heartbeatNs();
            if (isDue || log.imagePieces() > acknowledged) {
                acknowledge(false, nowNs);
                return 1;
            }
            return 0;
        }
        diverged = false;
        replica.loaded(nowNs);
        return 1;
    }

    /**
     * An image or a record has no room here. Until the replica is in sync, each further attempt comes later, because each takes the leader's
     * time.
     */
    void postpone(String why, long nowNs) {
        long pauseNs = patience * settings.failureNs();
        LOG.error(
                "Partition {}: this node has no memory for its replica, and loads it anew in {} ms. {}",
                replica.partition(),
                pauseNs / NS_PER_MS,
                why);
        patience = Math.min(MOST_PATIENCE, 2 * patience);
        notBeforeNs = nowNs + pauseNs;
    }

    /** The log is as it was when the image began. */
    private void giveUp(String why, long nowNs) {
        postpone(why, nowNs);
        log.beginImage();
        replica.leave();
    }

    /**
     * Takes a piece of an image, whose first one empties the log: it is no prefix. A leader that has forgotten this joiner may begin
     * another image in the same attempt; the first piece of that one begins anew.
     */
    void arrive(Image image, long nowNs) {
        boolean isArriving = replica.role() == Replica.Role.LOADING && arriving && log.imageFailure() == null;
        boolean goesOn = isArriving && image.transfer() == transfer;
        boolean begins = image.number() == 0 && (replica.role() == Replica.Role.OUT || isArriving && !goesOn);
        if (image.epoch() != replica.entered() || image.attempt() != attempt || renews || !begins && !goesOn) {
            return;
        }
        heardNs = nowNs;
        if (begins) {
            replica.beginToLoad();
            log.beginImage();
            arriving = true;
            transfer = image.transfer();
            arrived = 0;
            acknowledged = 0;
        }
        if (image.number() == arrived && !take(image)) {
            return;
        }
        if (image.number() > arrived) {
            acknowledge(true, nowNs);
        }
    }

    /** Returns false if the image can't be loaded now. */
    private boolean take(Image image) {
        log.addToImage(image.piece());
        if (!replica.machine().take(arrived, image.piece())) {
            log.beginImage();
            replica.leave();
            return false;
        }
        arrived++;
        if (image.piece().length == 0) {
            arriving = false;
            log.completeImage(image.index(), image.indexEpoch());
        }
        return true;
    }

    private void acknowledge(boolean isGap, long nowNs) {
        acknowledgedNs = nowNs;
        acknowledged = log.imagePieces();
        replica.sendToLeader(new ImageAck(replica.entered(), attempt, transfer, acknowledged, isGap));
    }
}
