package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.cluster.replica.PeerMessage.Ack;
import io.reprise.cluster.replica.PeerMessage.Batch;
import io.reprise.cluster.replica.PeerMessage.Fetched;
import io.reprise.cluster.replica.PeerMessage.Report;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The follower's side of a replica: it takes the leader's stream (P4), acknowledges, and replaces a silent leader (P10). A joiner's
 * stream is taken in the same way. Owned by the replica.
 */
final class Following {
    private static final Logger LOG = LoggerFactory.getLogger(Following.class);

    private final Replica replica;
    private final ReplicaLog log;
    private final ReplicaSettings settings;
    private long heardNs;
    private long token;
    private long acknowledgedDurable;
    private boolean ackDue;
    private boolean gap;

    Following(Replica replica, ReplicaLog log, ReplicaSettings settings) {
        this.replica = replica;
        this.log = log;
        this.settings = settings;
    }

    /** A follower in an epoch, perhaps of a new leadership. */
    void begin(boolean isNewTerm, long nowNs) {
        heardNs = nowNs;
        gap = false;
        if (isNewTerm) {
            token = 0;
        }
        report();
    }

    /** A joiner, whose log the stream goes on behind. */
    void beginToJoin(long nowNs) {
        heardNs = nowNs;
        token = 0;
        ackDue = true;
    }

    /** An image counts from now on; the leader sends what is behind it. */
    void imageLoaded(long nowNs) {
        heardNs = nowNs;
        token = 0;
        gap = true;
        acknowledge();
    }

    /** The leader lives. */
    void heard(long nowNs) {
        heardNs = nowNs;
    }

    boolean isLeaderSilent(long nowNs) {
        return nowNs - heardNs > settings.failureNs() || replica.hasLeaderEnded();
    }

    /** Frames to and from the leader may have been lost. */
    void linkReset() {
        ackDue = true;
    }

    /** Tells a new leader of this log (P3). */
    void report() {
        replica.sendToLeader(new Report(
                replica.entered(),
                replica.attempt(),
                log.imageIndex(),
                log.epochAt(log.lastIndex()),
                log.lastIndex(),
                log.durableIndex()));
    }

    // ---- Time

    /** One step of a follower in sync. Returns how much was done. */
    int step(long nowNs) {
        if (nowNs - heardNs > patienceNs()) {
            return replaceLeader() + acknowledgeIfDue();
        }
        return acknowledgeIfDue();
    }

    /**
     * The silence after which this follower replaces the leader. Followers with lower node numbers come first. A leader whose process
     * has ended gets no time, and an ended follower is not waited for. A leader that is to change the map first gets twice the time.
     */
    private long patienceNs() {
        int halves = 2;
        for (Member member : replica.map().sync()) {
            boolean isLeader = member.node() == replica.map().leader();
            if (isLeader || member.node() < replica.self().node()) {
                boolean ended = replica.hasEnded(member);
                halves += isLeader ? ended ? -2 : replica.yieldsTo(member) ? 2 : 0 : ended ? 0 : 1;
            }
        }
        return settings.failureNs() * halves / 2;
    }

    /** P10. */
    private int replaceLeader() {
        boolean alone = replica.map().sync().size() == 2;
        if (alone && settings.holds(Rule.CAREFUL_BEFORE_REPLACING) && !replica.isCarefulAndForced()) {
            return 0;
        }
        return replica.request(replica.map().under(replica.self())) ? 1 : 0;
    }

    int acknowledgeIfDue() {
        if (!ackDue && log.durableIndex() == acknowledgedDurable) {
            return 0;
        }
        acknowledge();
        return 1;
    }

    private void acknowledge() {
        long durable = log.durableIndex();
        long received = replica.isCareful() ? durable : log.lastIndex();
        Ack ack = new Ack(replica.entered(), replica.attempt(), received, durable, token, gap);
        if (replica.sendToLeader(ack)) {
            ackDue = false;
            gap = false;
            acknowledgedDurable = durable;
        }
    }

    // ---- Records

    /** P4. */
    void streamed(Member from, Batch batch, long nowNs) {
        boolean current = batch.epoch() == replica.entered()
                && from.node() == replica.map().leader();
        if (!current && (settings.holds(Rule.REFUSE_LOWER_EPOCHS) || batch.epoch() > replica.entered())) {
            return;
        }
        if (replica.role() != Replica.Role.FOLLOWER && replica.role() != Replica.Role.JOINING) {
            return;
        }
        heardNs = nowNs;
        ackDue = true;
        if (batch.from() > log.lastIndex() + 1 && settings.holds(Rule.NO_GAPS)) {
            gap = true;
            return;
        }
        take(batch.from(), batch.records(), nowNs);
        token = Math.max(token, batch.token());
        if (!current) {
            // The broken rule: a deposed leader's records are acknowledged to it.
            replica.send(
                    from, new Ack(batch.epoch(), replica.attempt(), log.lastIndex(), log.durableIndex(), token, false));
        }
    }

    /** Answers a collecting leader, whose log is shorter. */
    void fetch(Member from, long first) {
        List<ReplicaRecord> records = new ArrayList<>();
        for (long index = first; index <= log.lastIndex() && records.size() < settings.batchRecords(); index++) {
            records.add(log.record(index));
        }
        replica.send(from, new Fetched(replica.entered(), first, records));
    }

    /** Appends what is new; the overlap must be equal. */
    void take(long from, List<ReplicaRecord> records, long nowNs) {
        long index = from;
        for (ReplicaRecord each : records) {
            if (index > log.lastIndex()) {
                if (!log.hasRoom() || !append(index, each, nowNs)) {
                    return;
                }
            } else if (index >= log.oldestIndex() && log.epochAt(index) != each.epoch()) {
                throw new IllegalStateException("partition " + replica.partition() + ": record " + index
                        + " is of epoch " + log.epochAt(index) + " here and of epoch " + each.epoch()
                        + " at the leader");
            }
            index++;
        }
    }

    /** Returns false if the record does not fit what the replica holds. */
    private boolean append(long index, ReplicaRecord each, long nowNs) {
        try {
            if (!each.beginsEpoch()) {
                replica.machine().apply(index, each.payload());
            }
        } catch (DivergedReplicaException e) {
            if (e.lacksMemory()) {
                replica.runOutOfMemory(e.getMessage(), nowNs);
            } else {
                LOG.error(
                        "Partition {}: this replica differs from its leader and is loaded anew. {}",
                        replica.partition(),
                        e.getMessage());
                replica.diverge();
            }
            return false;
        }
        log.append(each);
        return true;
    }
}
