package io.reprise.cluster.replica;

import io.reprise.cluster.Member;

/** Sends messages of one partition's replica. */
@FunctionalInterface
interface Outbox {
    /** Sends a message to a member; false if the link is down or full, when the message is lost. */
    boolean send(Member to, PeerMessage message);
}
