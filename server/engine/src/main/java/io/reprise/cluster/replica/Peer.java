package io.reprise.cluster.replica;

import io.reprise.cluster.Member;

/** A leader's knowledge of another replica, in sync or joining. Owned by the leader's replica. */
final class Peer {
    final Member member;

    /** The peer's joining attempt: its log only grows within one. */
    final long attempt;

    /** The joiner's log reaches this index when the attempt begins, or when its image is loaded. */
    final long base;

    /** The index of the next record to send. */
    long next;

    /** The acknowledged indexes and read token. */
    long received;

    long durable;
    long token;

    long sentToken;
    long sentNs = Long.MIN_VALUE / 2;
    long heardNs;

    /** Of a peer in sync under a collecting leader: its report, or null. */
    PeerMessage.Report report;

    /** The peer's node is about to stop. */
    boolean leaving;

    /** The image that the peer has not loaded yet, or null. No records are streamed meanwhile. */
    ImageTransfer image;

    /** The reading of records that are not at hand any more, or null. */
    OlderRecords older;

    /** Whether the peer knows that records follow; a joiner learns it when the first one is here. */
    boolean isTold = true;

    /** Whether its records are in no log any more: it has to join again, by an image. */
    boolean isLost;

    /** Of a joiner that is streamed to: the records by which the leader may be ahead, falling to a batch; 0 at first. */
    long allowance;

    private long allowedNs;

    /** A peer whose next record has an index, or {@link Long#MAX_VALUE} if it is not known yet. */
    Peer(Member member, long attempt, long next, long nowNs) {
        this.member = member;
        this.attempt = attempt;
        this.next = next;
        base = next == Long.MAX_VALUE ? 0 : next - 1;
        heardNs = nowNs;
    }

    /** The index up to which the peer has the log. */
    long has() {
        return Math.max(base, received);
    }

    /** Whether the leader is too far ahead. The allowance falls by an eighth in each interval, so that any joiner catches up. */
    boolean lags(long lastIndex, long least, long intervalNs, long nowNs) {
        long lag = lastIndex - has();
        if (allowance == 0) {
            allowance = Math.max(lag, least);
            allowedNs = nowNs;
        } else if (nowNs - allowedNs >= intervalNs) {
            allowance = Math.max(least, allowance - allowance / 8 - 1);
            allowedNs = nowNs;
        }
        return lag > allowance;
    }

    void acknowledge(PeerMessage.Ack ack, long nowNs) {
        if (image != null && ack.received() < base) {
            // It has loaded an earlier image of this attempt, which the leader has given up. Unheard, it is forgotten
            // and asks anew.
            return;
        }
        heardNs = nowNs;
        closeImage();
        received = Math.max(received, ack.received());
        durable = Math.max(durable, ack.durable());
        token = Math.max(token, ack.token());
        if (ack.gap()) {
            next = ack.received() + 1;
        }
        next = Math.max(next, has() + 1);
    }

    /** Ends the reading of rows and of older records. */
    void close() {
        closeImage();
        closeFeed();
    }

    private void closeImage() {
        if (image != null) {
            image.close();
            image = null;
        }
    }

    /** Ends the reading of older records. */
    void closeFeed() {
        if (older != null) {
            older.close();
            older = null;
        }
    }

    /** Frames under way are lost; unacknowledged records are sent again. */
    void linkReset() {
        next = has() + 1;
        sentToken = 0;
        sentNs = Long.MIN_VALUE / 2;
        if (image != null) {
            image.sendAgain();
        }
    }
}
