package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.cluster.Replicas;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The volatile state of a leader, or of a collecting one: its peers, the joiner that it is adding, the tokens of reads,
 * and how far it has told. Rules P3, P5, P6, P8, P9 and P13.
 */
final class Leadership {
    private final Replica replica;
    private final ReplicaLog log;
    private final ReplicaSettings settings;
    private final Sender sender;
    private final SortedMap<Integer, Peer> peers = new TreeMap<>();
    private Peer adding;
    private boolean asked;

    /** A replica whose request to join waits until the machine has an image, or null; and the request. */
    private Member waitsForImage;

    private PeerMessage.Join waitingJoin;
    private long token;
    private long told;

    /** The end of the log when this leadership began: earlier leaders, and this node before a restart, may have told it. */
    private long inherited;

    /** A vote was given for all up to this index, by receipt. */
    private long voted;

    private long divergences;
    private long fetchedNs = Long.MIN_VALUE / 2;

    Leadership(Replica replica, ReplicaLog log, ReplicaSettings settings) {
        this.replica = replica;
        this.log = log;
        this.settings = settings;
        sender = new Sender(replica, log, settings);
    }

    /** The node leads the partition no more, or begins to collect anew. */
    void end() {
        peers.values().forEach(Peer::closeFeed);
        peers.clear();
    }

    private void put(Peer peer) {
        Peer before = peers.put(peer.member.node(), peer);
        if (before != null) {
            before.closeFeed();
        }
    }

    /** A new leadership knows nobody; tokens go on, so that an old acknowledgement confirms no new read. */
    void collect(Replicas map, long nowNs) {
        end();
        adding = null;
        asked = false;
        for (Member member : map.sync()) {
            if (!member.equals(replica.self())) {
                put(new Peer(member, 0, Long.MAX_VALUE, nowNs));
            }
        }
    }

    /** The leadership goes on in another epoch: joiners that the map does not have begin again. */
    void goOn(Replicas map) {
        for (Peer peer : List.copyOf(peers.values())) {
            if (!map.has(peer.member)) {
                forget(peer);
            }
        }
        adding = null;
        asked = false;
        if (peers.size() != map.sync().size() - 1) {
            throw new IllegalStateException("a leader does not know its in-sync members " + map.sync());
        }
    }

    // ---- P3

    /** Takes the report of an in-sync member. */
    void report(Member from, PeerMessage.Report report, long nowNs) {
        Peer peer = peers.get(from.node());
        if (peer == null || !peer.member.equals(from)) {
            return;
        }
        if (replica.role() == Replica.Role.COLLECTING) {
            peer.report = report;
            peer.heardNs = nowNs;
            return;
        }
        replica.requirePrefix(report);
        Peer known = peer;
        if (peer.attempt != report.attempt()) {
            known = new Peer(from, report.attempt(), report.lastIndex() + 1, nowNs);
            put(known);
        }
        known.heardNs = nowNs;
        known.received = Math.max(known.received, report.lastIndex());
        known.durable = Math.max(known.durable, report.durable());
        known.linkReset();
    }

    /** Asks for what is missing; leads when everything is there. */
    int collecting(long nowNs) {
        int work = 0;
        boolean complete = true;
        for (Peer peer : List.copyOf(peers.values())) {
            if (peer.report == null) {
                complete = false;
                if (nowNs - peer.sentNs >= settings.heartbeatNs()) {
                    peer.sentNs = nowNs;
                    replica.send(peer.member, new PeerMessage.Collect(replica.entered()));
                    work++;
                }
                work += suspect(peer, nowNs);
            }
        }
        if (!complete && settings.holds(Rule.COLLECT_ALL)) {
            return work;
        }
        Peer longest = longest();
        if (longest != null && settings.holds(Rule.COLLECT_LONGEST)) {
            if (longest.report.image() > log.lastIndex()) {
                // The records that are missing here are in the holder's image only: it leads.
                Replicas map = replica.map();
                long epoch = map.epoch() + 1;
                return replica.request(new Replicas(epoch, epoch, longest.member.node(), map.sync())) ? 1 : 0;
            }
            if (nowNs - fetchedNs >= settings.heartbeatNs()) {
                fetchedNs = nowNs;
                replica.send(longest.member, new PeerMessage.Fetch(replica.entered(), log.lastIndex() + 1));
            }
            return work + suspect(longest, nowNs);
        }
        if (!log.hasRoom()) {
            return work;
        }
        lead(nowNs);
        return work + 1;
    }

    /** The peer whose log is longer than this replica's, and the longest; null if there is none. */
    private Peer longest() {
        Peer longest = null;
        long epoch = log.epochAt(log.lastIndex());
        long index = log.lastIndex();
        for (Peer peer : peers.values()) {
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

    void fetched(long nowNs) {
        fetchedNs = nowNs - settings.heartbeatNs();
    }

    /** The log as it is now counts as inherited. */
    void inherit() {
        inherited = log.lastIndex();
    }

    private void lead(long nowNs) {
        inherit();
        told = 0;
        voted = 0;
        for (Peer peer : List.copyOf(peers.values())) {
            PeerMessage.Report report = peer.report;
            long attempt = report == null ? 0 : report.attempt();
            Peer led = new Peer(
                    peer.member, attempt, report == null ? log.lastIndex() + 1 : report.lastIndex() + 1, nowNs);
            if (report != null) {
                if (settings.holds(Rule.COLLECT_LONGEST)) {
                    replica.requirePrefix(report);
                }
                led.received = report.lastIndex();
                led.durable = report.durable();
            }
            put(led);
        }
        replica.lead();
    }

    // ---- P4, the leader's side

    /** Streams to all peers, adds joiners, removes the silent. */
    int leading(long nowNs) {
        int work = joinWaiting(nowNs);
        for (Peer peer : List.copyOf(peers.values())) {
            work += sender.send(peer, token, nowNs);
            if (replica.map().has(peer.member)) {
                work += peer.leaving || peer.isLost ? remove(peer) : suspect(peer, nowNs);
            } else if (peer.isLost) {
                forget(peer);
            }
        }
        return work + add(nowNs);
    }

    void acknowledged(Member from, PeerMessage.Ack ack, long nowNs) {
        Peer peer = peers.get(from.node());
        if (peer != null && peer.member.equals(from) && peer.attempt == ack.attempt()) {
            peer.acknowledge(ack, nowNs);
        }
    }

    void imageAcknowledged(Member from, PeerMessage.ImageAck ack, long nowNs) {
        Peer peer = peers.get(from.node());
        if (peer != null && peer.member.equals(from) && peer.attempt == ack.attempt() && peer.image != null) {
            peer.heardNs = nowNs;
            peer.image.acknowledge(ack);
        }
    }

    void linkReset(int node) {
        Peer peer = peers.get(node);
        if (peer != null && peer.next != Long.MAX_VALUE) {
            peer.linkReset();
        }
    }

    // ---- P9

    /** A peer says that it differs. */
    void diverged(Member from) {
        Peer peer = peers.get(from.node());
        if (peer != null && peer.member.equals(from) && replica.map().has(from)) {
            divergences++;
            remove(peer);
        }
    }

    /** An in-sync member is about to stop. */
    void leaves(Member from) {
        Peer peer = peers.get(from.node());
        if (peer != null && peer.member.equals(from)) {
            peer.leaving = true;
        }
    }

    /** The in-sync follower with the most records, of those that pass the test; null if there is none. */
    Member successor(Predicate<Member> test) {
        Peer best = null;
        for (Peer peer : peers.values()) {
            if (replica.map().has(peer.member)
                    && test.test(peer.member)
                    && (best == null || peer.received > best.received)) {
                best = peer;
            }
        }
        return best == null ? null : best.member;
    }

    private int suspect(Peer peer, long nowNs) {
        return nowNs - peer.heardNs > settings.failureNs() ? remove(peer) : 0;
    }

    private int remove(Peer peer) {
        boolean alone = replica.map().sync().size() == 2;
        if (alone && settings.holds(Rule.CAREFUL_BEFORE_REMOVAL) && !replica.isCarefulAndForced()) {
            return 0;
        }
        return replica.request(replica.map().without(peer.member)) ? 1 : 0;
    }

    // ---- P12 and P13

    /** A replica that is not in sync wants to be. */
    void join(Member from, PeerMessage.Join join, long nowNs) {
        Peer known = peers.get(from.node());
        if (known != null && known.member.equals(from) && known.attempt == join.attempt()) {
            joinAgain(known, join, nowNs);
            return;
        }
        if (adding != null && adding.member.node() == from.node()) {
            if (asked) {
                // The member that was asked for may be in sync any moment, with the log that it has.
                return;
            }
            adding = null;
        }
        boolean prefix = join.usable()
                && (settings.holds(Rule.JOIN_BY_PREFIX)
                        ? log.lastOf(join.lastEpoch()) >= join.lastIndex() && join.lastIndex() >= log.oldestIndex()
                        : join.lastIndex() <= log.lastIndex() && join.lastIndex() >= log.oldestIndex());
        long last = prefix ? join.lastIndex() : log.lastIndex();
        Peer joiner = new Peer(from, join.attempt(), last + 1, nowNs);
        if (!prefix && !replica.machine().hasImage()) {
            waitsForImage = from;
            waitingJoin = join;
            return;
        }
        if (prefix) {
            joiner.isTold = false;
        } else {
            joiner.image = new ImageTransfer(
                    replica.entered(),
                    join.attempt(),
                    last,
                    log.epochAt(last),
                    replica.machine().image(),
                    settings.sliceBytes());
        }
        put(joiner);
        sender.tell(joiner);
    }

    /** The machine had no image when a replica asked to join. */
    private int joinWaiting(long nowNs) {
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

    /** The joiner has not seen the answer yet: it was lost, or is under way. */
    private void joinAgain(Peer joiner, PeerMessage.Join join, long nowNs) {
        joiner.heardNs = nowNs;
        if (joiner.image == null) {
            joiner.isTold = false;
            sender.tell(joiner);
        } else if (nowNs - joiner.sentNs > settings.failureNs()) {
            joiner.image.sendAgain();
        }
    }

    /** Whether the leader is so far ahead of a joiner that it has to wait. */
    boolean outrunsJoiner(long nowNs) {
        boolean outruns = false;
        for (Peer peer : peers.values()) {
            if (peer.image == null && peer.isTold && !replica.map().has(peer.member)) {
                outruns |= peer.lags(log.lastIndex(), settings.batchRecords() / 2, settings.heartbeatNs(), nowNs);
            }
        }
        return outruns;
    }

    /** The lowest index that has to stay at hand for a peer, in sync or joining: those before it come from the log's files. */
    long keptFrom() {
        long needed = log.lastIndex() + 1;
        for (Peer peer : peers.values()) {
            if (peer.older == null) {
                needed = Math.min(needed, peer.has() + 1);
            } else if (peer.next > log.imageIndex()) {
                needed = Math.min(needed, peer.next);
            }
        }
        return needed;
    }

    private int add(long nowNs) {
        if (adding != null) {
            return goOnAdding(nowNs);
        }
        for (Peer peer : List.copyOf(peers.values())) {
            if (replica.map().has(peer.member)) {
                continue;
            }
            if (nowNs - peer.heardNs > settings.failureNs()) {
                forget(peer);
            } else if (peer.received > 0 && log.lastIndex() - peer.received <= settings.batchRecords()) {
                adding = peer;
                asked = false;
                return 1;
            }
        }
        return 0;
    }

    private int goOnAdding(long nowNs) {
        if (asked) {
            if (replica.isRequestOpen()) {
                if (!settings.holds(Rule.ADDING_UNTIL_KNOWN) && nowNs - adding.heardNs > settings.failureNs()) {
                    adding = null;
                }
                return 0;
            }
            asked = false;
        }
        if (nowNs - adding.heardNs > settings.failureNs()) {
            forget(adding);
            return 1;
        }
        long acknowledged = settings.forced() ? adding.durable : adding.received;
        if (acknowledged >= Math.max(told, inherited)
                && adding.durable >= voted
                && replica.request(replica.map().with(adding.member))) {
            asked = true;
            return 1;
        }
        return 0;
    }

    private void forget(Peer joiner) {
        peers.remove(joiner.member.node());
        joiner.closeFeed();
        if (adding == joiner) {
            adding = null;
        }
    }

    // ---- P5, P6 and P8

    private boolean waitsFor(Peer peer, Rule addingRule) {
        if (peer == adding) {
            return settings.holds(addingRule);
        }
        return replica.map().has(peer.member)
                && (settings.holds(Rule.WAIT_FOR_ALL) || peer == peers.get(peers.firstKey()));
    }

    /** The index up to which everything is stable; it may be told. */
    long stable() {
        boolean alone = replica.map().sync().size() == 1;
        boolean forces = settings.forced() || settings.holds(Rule.ALONE_FORCES) && (alone || replica.isCareful());
        long stable = forces ? log.durableIndex() : log.lastIndex();
        for (Peer peer : peers.values()) {
            if (waitsFor(peer, Rule.ADDING_COUNTS_FOR_WRITES)) {
                stable = Math.min(stable, settings.forced() ? peer.durable : peer.received);
            }
        }
        told = Math.max(told, stable);
        return told;
    }

    /** The index up to which a vote may be given. */
    long received() {
        boolean alone = replica.map().sync().size() == 1;
        long received = alone || replica.isCareful() ? log.durableIndex() : log.lastIndex();
        for (Peer peer : peers.values()) {
            if (waitsFor(peer, Rule.ADDING_COUNTS_FOR_WRITES)) {
                received = Math.min(received, peer.received);
            }
        }
        return received;
    }

    /** The index up to which this replica and all that it waits for have forced the log. */
    long forced() {
        long forced = log.durableIndex();
        for (Peer peer : peers.values()) {
            if (waitsFor(peer, Rule.ADDING_COUNTS_FOR_WRITES)) {
                forced = Math.min(forced, peer.durable);
            }
        }
        return forced;
    }

    void voted(long index) {
        voted = Math.max(voted, index);
    }

    /** The time since the wait set's most silent member was heard. */
    long silentNs(long nowNs) {
        long silent = 0;
        for (Peer peer : peers.values()) {
            if (peer == adding || replica.map().has(peer.member)) {
                silent = Math.max(silent, nowNs - peer.heardNs);
            }
        }
        return silent;
    }

    /** The lowest index that a replica which counts may still need. */
    long neededFrom() {
        long needed = log.lastIndex() + 1;
        for (Peer peer : peers.values()) {
            if (peer == adding || replica.map().has(peer.member)) {
                needed = Math.min(needed, peer.has() + 1);
            }
        }
        return needed;
    }

    /** Shows each peer's progress, in the order of nodes. */
    void eachFollower(FollowerProgress to) {
        for (Peer peer : peers.values()) {
            to.progress(
                    peer.member.node(), replica.map().has(peer.member) && peer != adding, peer.received, peer.durable);
        }
    }

    /** The number of followers that were taken out because their rows differed. */
    long divergences() {
        return divergences;
    }

    /** A token for a read that has run. */
    long nextToken() {
        return ++token;
    }

    /** Reads with tokens up to this one are confirmed. */
    long confirmed() {
        long confirmed = token;
        if (settings.holds(Rule.CONFIRM_READS)) {
            for (Peer peer : peers.values()) {
                if (waitsFor(peer, Rule.ADDING_COUNTS_FOR_READS)) {
                    confirmed = Math.min(confirmed, peer.token);
                }
            }
        }
        return confirmed;
    }
}
