package io.reprise.execution.durable;

import io.reprise.execution.Execution;
import io.reprise.execution.LocalPartitions;
import io.reprise.execution.Outcome;
import io.reprise.execution.Partition;
import io.reprise.execution.ReplyTarget;
import io.reprise.execution.SiteMeter;
import io.reprise.procedure.ErrorCode;

/**
 * The replies of a site that wait until their positions are stable, in the order in which their transactions ran. The only
 * order of replies: a target that holds encoded outcomes finds each by the ticket that it gave out.
 *
 * <p>Bounded; owned by the site's thread. Some spare places are for the engine's own works, which can't be refused any more when
 * they get here. The queue begins small and grows as needed, because memory that goes round drives a site's rows out of the
 * cache. For the same reason transactions in a row that are alike share one {@link ReplyGroup}; each has its own position.
 */
final class ReplyQueue {
    private static final int SPARE = 16;
    private static final int INITIAL = 256;

    private final int capacity;

    /** By slot. */
    private final Stability[] stability;

    /** By slot; null on a node that serves alone. */
    private final Replication[] replications;

    private final LocalPartitions partitions;
    private final SiteMeter meter;

    /** A ring of groups. */
    private ReplyGroup[] groups = new ReplyGroup[INITIAL];

    private long head;
    private long tail;
    private long endKnown;

    /** Rings by transaction: the position in the log of its partition, and the ticket of its target. */
    private long[] positions = new long[INITIAL];

    private int[] tickets = new int[INITIAL];
    private long first;
    private long next;

    ReplyQueue(int capacity, Stability[] stability, LocalPartitions partitions, SiteMeter meter) {
        this(capacity, stability, null, partitions, meter);
    }

    ReplyQueue(
            int capacity,
            Stability[] stability,
            Replication[] replications,
            LocalPartitions partitions,
            SiteMeter meter) {
        this.capacity = capacity;
        this.replications = replications;
        this.stability = stability.clone();
        this.partitions = partitions;
        this.meter = meter;
        for (int i = 0; i < groups.length; i++) {
            groups[i] = new ReplyGroup();
        }
    }

    boolean isEmpty() {
        return first == next;
    }

    /** The number of transactions that wait. */
    int size() {
        return (int) (next - first);
    }

    boolean isFull() {
        return next - first >= capacity;
    }

    /**
     * Whether a transaction need not wait.
     *
     * @param position the one that its only participant's log had when it ended
     */
    boolean isStable(Partition at, Execution ended, long position) {
        return ended.participantCount() == 1 ? stability[at.slot()].position() >= position : isStable(ended);
    }

    private boolean isStable(Execution ended) {
        for (int i = 0; i < ended.participantCount(); i++) {
            if (stability[partitions.slotOf(ended.participant(i))].position() < ended.seen(i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Adds a transaction that has ended. With several participants it keeps its execution, which has their positions.
     *
     * @param position as for {@link #isStable}
     */
    void add(Partition at, Execution ended, long position) {
        ReplyTarget target = ended.replyTo();
        ReplyGroup last = tail > endKnown ? groups[(int) (tail - 1) & groups.length - 1] : null;
        boolean joins = last != null && last.mayTake(at, ended) && meter.isLike(last.times, ended);
        if (joins) {
            int ticket = target.hold(ended);
            if (ticket != ReplyTarget.NOT_HELD) {
                last.count++;
                put(position, ticket);
                return;
            }
        }
        ReplyGroup group = nextGroup();
        // Before the target holds it: then the execution may be another call's.
        meter.remember(group.times, ended);
        int ticket = joins || ended.participantCount() > 1 ? ReplyTarget.NOT_HELD : target.hold(ended);
        if (ticket == ReplyTarget.NOT_HELD) {
            group.begin(at, null, ended);
        } else {
            group.begin(at, target, null);
        }
        tail++;
        put(position, ticket);
    }

    /**
     * Adds a transaction of a replicated partition, which keeps its execution: its outcome may have to change.
     *
     * @param token has to be confirmed
     * @param wrote whether it left a record
     */
    void addReplicated(Partition at, Execution ended, long position, long token, boolean wrote) {
        ReplyGroup group = nextGroup();
        meter.remember(group.times, ended);
        group.begin(at, null, ended);
        group.term = replications[at.slot()].term();
        group.token = token;
        group.wrote = wrote;
        tail++;
        put(position, ReplyTarget.NOT_HELD);
    }

    private ReplyGroup nextGroup() {
        if (tail - head == groups.length) {
            growGroups();
        }
        return groups[(int) tail & groups.length - 1];
    }

    private void put(long position, int ticket) {
        if (next - first >= capacity + SPARE) {
            throw new IllegalStateException("more replies wait for the log than there is room for: " + (next - first));
        }
        if (next - first == positions.length) {
            growPositions();
        }
        int at = (int) next++ & positions.length - 1;
        positions[at] = position;
        tickets[at] = ticket;
    }

    /** After the executors: the group of transactions has ended. Lets all replies go that are stable; returns how many. */
    int release() {
        while (endKnown < tail) {
            groups[(int) endKnown++ & groups.length - 1].groupEndedNs = meter.nowNs();
        }
        int released = 0;
        while (first < next) {
            ReplyGroup group = groups[(int) head & groups.length - 1];
            int count = stable(group);
            if (count == 0) {
                break;
            }
            meter.answered(group.times, count, group.groupEndedNs);
            reply(group, count);
            released += count;
        }
        return released;
    }

    /** The number of the first group's transactions, from its first on, that are stable. */
    private int stable(ReplyGroup group) {
        if (group.execution != null && group.execution.participantCount() > 1) {
            return isStable(group.execution) ? 1 : 0;
        }
        if (group.term != 0) {
            return replicated(group);
        }
        long stable = stability[group.partition.slot()].position();
        int count = group.count;
        if (positions[(int) (first + count - 1) & positions.length - 1] <= stable) {
            return count;
        }
        int found = 0;
        while (positions[(int) (first + found) & positions.length - 1] <= stable) {
            found++;
        }
        return found;
    }

    /** A reply whose leadership has ended tells that; whether the transaction is kept, the next leader knows. */
    private int replicated(ReplyGroup group) {
        Replication replication = replications[group.partition.slot()];
        if (replication.term() != group.term) {
            lose(group, "changed its leader before the transaction was replicated");
            return 1;
        }
        boolean stable = positions[(int) first & positions.length - 1] <= replication.position();
        if (stable && replication.confirmed() >= group.token) {
            return 1;
        }
        if (replication.isCutOff()) {
            lose(group, "has a leader that can't reach its replicas");
            return 1;
        }
        return 0;
    }

    private static void lose(ReplyGroup group, String how) {
        Outcome outcome = group.execution.outcome();
        String partition = "partition " + group.partition.id() + " " + how;
        if (group.wrote || outcome.hasRunBefore()) {
            outcome.failUnknown(group.execution.request(), partition + "; whether the transaction is kept is unknown");
        } else {
            outcome.fail(
                    ErrorCode.PARTITION_UNAVAILABLE,
                    partition + "; the transaction had no effect, and its answer can't be confirmed");
        }
    }

    private void reply(ReplyGroup group, int count) {
        long from = first;
        first += count;
        group.count -= count;
        if (group.count == 0) {
            head++;
        }
        Execution ended = group.execution;
        if (ended != null) {
            group.execution = null;
            ended.reply();
            return;
        }
        ReplyTarget holder = group.holder;
        for (long i = from; i < from + count; i++) {
            holder.release(tickets[(int) i & tickets.length - 1]);
        }
    }

    private void growGroups() {
        ReplyGroup[] more = new ReplyGroup[2 * groups.length];
        for (long i = head; i < head + more.length; i++) {
            more[(int) i & more.length - 1] = i < tail ? groups[(int) i & groups.length - 1] : new ReplyGroup();
        }
        groups = more;
    }

    private void growPositions() {
        long[] morePositions = new long[2 * positions.length];
        int[] moreTickets = new int[morePositions.length];
        for (long i = first; i < next; i++) {
            morePositions[(int) i & morePositions.length - 1] = positions[(int) i & positions.length - 1];
            moreTickets[(int) i & moreTickets.length - 1] = tickets[(int) i & tickets.length - 1];
        }
        positions = morePositions;
        tickets = moreTickets;
    }
}
