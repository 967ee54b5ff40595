package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.cluster.Replicas;

/**
 * The beginning of a leadership (P3): it waits for the report of each in-sync member, and takes the longest log. Owned by the
 * leadership.
 */
final class Collecting {
    private final Replica replica;
    private final ReplicaLog log;
    private final ReplicaSettings settings;
    private final Peers peers;
    private final Removal removal;
    private long fetchedNs = Long.MIN_VALUE / 2;

    Collecting(Replica replica, ReplicaLog log, ReplicaSettings settings, Peers peers, Removal removal) {
        this.replica = replica;
        this.log = log;
        this.settings = settings;
        this.peers = peers;
        this.removal = removal;
    }

    /** All in-sync members of a map owe a report. */
    void begin(Replicas map, long nowNs) {
        for (Member member : map.sync()) {
            if (!member.equals(replica.self())) {
                peers.put(new Peer(member, 0, Long.MAX_VALUE, nowNs));
            }
        }
    }

    void reported(Peer peer, PeerMessage.Report report, long nowNs) {
        peer.report = report;
        peer.heardNs = nowNs;
    }

    /** Records have come: the next ones are asked for at once. */
    void fetched(long nowNs) {
        fetchedNs = nowNs - settings.heartbeatNs();
    }

    /** Asks for what is missing. Returns how much was done, or -1 if everything is there. */
    int step(long nowNs) {
        int work = 0;
        boolean complete = true;
        for (Peer peer : peers.all()) {
            if (peer.report == null) {
                complete = false;
                work += askForReport(peer, nowNs) + removal.suspect(peer, nowNs);
            }
        }
        if (!complete && settings.holds(Rule.COLLECT_ALL)) {
            return work;
        }
        Peer longest = longest();
        if (longest != null && settings.holds(Rule.COLLECT_LONGEST)) {
            return work + fetch(longest, nowNs);
        }
        return log.hasRoom() ? -1 : work;
    }

    private int askForReport(Peer peer, long nowNs) {
        if (nowNs - peer.sentNs < settings.heartbeatNs()) {
            return 0;
        }
        peer.sentNs = nowNs;
        replica.send(peer.member, new PeerMessage.Collect(replica.entered()));
        return 1;
    }

    private int fetch(Peer longest, long nowNs) {
        if (longest.report.image() > log.lastIndex()) {
            // The holder has the missing records in its image only: it leads.
            Replicas map = replica.map();
            return replica.request(map.handedTo(longest.member)) ? 1 : 0;
        }
        if (nowNs - fetchedNs >= settings.heartbeatNs()) {
            fetchedNs = nowNs;
            replica.send(longest.member, new PeerMessage.Fetch(replica.entered(), log.lastIndex() + 1));
        }
        return removal.suspect(longest, nowNs);
    }

    /** The peer whose log is longer than this replica's, and the longest; null if there is none. */
    private Peer longest() {
        Peer longest = null;
        long epoch = log.epochAt(log.lastIndex());
        long index = log.lastIndex();
        for (Peer peer : peers.each()) {
            PeerMessage.Report report = peer.report;
            if (report != null
                    && (report.lastEpoch() > epoch || report.lastEpoch() == epoch && report.lastIndex() > index)) {
                longest = peer;
                epoch = report.lastEpoch();
                index = report.lastIndex();
            }
        }
        return longest;
    }

    /** All peers as followers of the new leader, which goes on behind their reports. */
    void lead(long nowNs) {
        for (Peer peer : peers.all()) {
            PeerMessage.Report report = peer.report;
            if (report == null) {
                peers.put(new Peer(peer.member, 0, log.lastIndex() + 1, nowNs));
                continue;
            }
            if (settings.holds(Rule.COLLECT_LONGEST)) {
                replica.requirePrefix(report);
            }
            Peer led = new Peer(peer.member, report.attempt(), report.lastIndex() + 1, nowNs);
            led.received = report.lastIndex();
            led.durable = report.durable();
            peers.put(led);
        }
    }
}
