package io.reprise.cluster.replica;

import io.reprise.cluster.Member;

/** A leader's knowledge of another replica, in sync or joining. Owned by the leader's replica. */
final class Peer {
    final Member member;

    /** The peer's joining attempt: its log only grows within one. */
    final long attempt;

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

    Peer(Member member, long attempt, long next, long nowNs) {
        this.member = member;
        this.attempt = attempt;
        this.next = next;
        heardNs = nowNs;
    }

    void acknowledge(PeerMessage.Ack ack, long nowNs) {
        heardNs = nowNs;
        received = Math.max(received, ack.received());
        durable = Math.max(durable, ack.durable());
        token = Math.max(token, ack.token());
        if (ack.gap()) {
            next = ack.received() + 1;
        }
        next = Math.max(next, received + 1);
    }

    /** Frames under way are lost; unacknowledged records are sent again. */
    void linkReset() {
        next = received + 1;
        sentToken = 0;
        sentNs = Long.MIN_VALUE / 2;
    }
}
