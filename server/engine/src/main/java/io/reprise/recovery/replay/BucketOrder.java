package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.id.BucketSet;
import io.reprise.log.LogRecords;

/**
 * The schedule that keeps log order in every bucket, and lets a command overtake others of other buckets. A command over several partitions
 * is held back until its lanes have about the same work before them, so that they reach it at about the same time; meanwhile they are given
 * later commands of other buckets.
 *
 * <pre>
 *  command --> pending, in log order --> lanes, a bounded number of commands in each
 * </pre>
 *
 * <p>A command waits behind each pending command that has one of its buckets. Commands that are not confined to buckets keep log order with
 * all commands of their partitions. Data records wait until nothing is pending.
 *
 * <p>All commands enter lanes on the replaying thread, each all of its lanes at once. So two commands have the same order in all lanes that
 * they share, and no lanes wait for each other in a circle.
 *
 * <p>Works without footprints: the buckets of a command follow from its arguments. The state between two commands need not be one that the
 * database has had, so a partition that is swept or read meanwhile needs {@link LogOrder}.
 */
final class BucketOrder implements Schedule {
    /** Commands in a lane; more would be out of reach for overtaking, and their times would add up until lanes meet. */
    private static final int DEPTH = 8;

    /** Lanes meet at a command when their work before it differs by so many commands at most. */
    private static final int MEETING = 1;

    /** A lane with fewer commands gains nothing when one of them is held back: there may be no other work for it soon. */
    private static final int STARVING = 2;

    /** Commands that arrive between two looks at what is pending. */
    private static final int PUMP_EVERY = 16;

    /** Pending commands that a look goes through at most; the others are as good as held. */
    private static final int WINDOW = 128;

    private final Lanes lanes;
    private final DataGathering gathering;
    private final int depth;
    /** Commands from {@link #firstPending} on, in log order. */
    private final InFlight[] pending = new InFlight[2 * ReplayLane.UNDER_WAY];

    private int firstPending;
    private int pendingEnd;
    private int sincePump;

    /** The number of the pass over the pending commands; marks of earlier passes do not count. */
    private int pass;

    /** By bucket and by lane, the pass in which a pending command held it. */
    private final int[] heldBuckets;

    private final int[] heldLanes;

    /** By lane, the pass in which a pending command had it as a participant. */
    private final int[] awaitedLanes;

    private long overtaken;

    BucketOrder(ReplayLane[] lanes, BucketMap buckets, Runnable idle) {
        this(lanes, buckets, idle, DEPTH);
    }

    /** The same with a number of commands in each lane. */
    BucketOrder(ReplayLane[] lanes, BucketMap buckets, Runnable idle, int depth) {
        if (lanes.length != buckets.partitions()) {
            throw new IllegalArgumentException(lanes.length + " lanes for " + buckets.partitions() + " partitions");
        }
        this.depth = depth;
        this.lanes = new Lanes(lanes, idle);
        gathering = new DataGathering(lanes, this.lanes);
        heldBuckets = new int[buckets.count()];
        heldLanes = new int[lanes.length];
        awaitedLanes = new int[lanes.length];
    }

    @Override
    public InFlight acquire() {
        while (!lanes.hasFree()) {
            if (pump() == 0) {
                lanes.await();
            }
        }
        return lanes.acquire();
    }

    @Override
    public void command(InFlight analysed) {
        Execution execution = analysed.execution();
        for (int i = 0; i < execution.participantCount(); i++) {
            settle(execution.participant(i));
        }
        if (firstPending == pendingEnd && fits(execution)) {
            lanes.send(analysed);
            return;
        }
        if (pendingEnd == pending.length) {
            System.arraycopy(pending, firstPending, pending, 0, pendingEnd - firstPending);
            pendingEnd -= firstPending;
            firstPending = 0;
        }
        pending[pendingEnd++] = analysed;
        if (++sincePump >= PUMP_EVERY) {
            lanes.collect();
            pump();
        }
    }

    /** Sends the pending commands that may run now, in log order as far as they share anything. Returns their number. */
    private int pump() {
        sincePump = 0;
        if (!isWorkWanted()) {
            return 0;
        }
        pass++;
        int full = fullLanes();
        int end = Math.min(pendingEnd, firstPending + WINDOW);
        int kept = 0;
        int i = firstPending;
        for (; i < end && full < lanes.count(); i++) {
            InFlight command = pending[i];
            Execution execution = command.execution();
            if (!isHeld(execution) && fits(execution)) {
                lanes.send(command);
                overtaken += kept > 0 ? 1 : 0;
                full += filled(execution);
            } else {
                hold(execution);
                pending[firstPending + kept] = command;
                kept++;
            }
        }
        // The kept ones are few, so they move to the others.
        System.arraycopy(pending, firstPending, pending, i - kept, kept);
        int sent = i - firstPending - kept;
        firstPending = i - kept;
        if (sent > 0) {
            lanes.wakeAll();
        }
        return sent;
    }

    /** A look at what is pending is worth its time when a lane has room for several commands. */
    private boolean isWorkWanted() {
        boolean wanted = false;
        for (int lane = 0; lane < lanes.count(); lane++) {
            wanted |= lanes.queued(lane) <= depth / 2;
        }
        return wanted && firstPending < pendingEnd;
    }

    private int fullLanes() {
        int count = 0;
        for (int lane = 0; lane < lanes.count(); lane++) {
            count += lanes.queued(lane) >= depth ? 1 : 0;
        }
        return count;
    }

    /** The number of lanes that the command has filled. */
    private int filled(Execution execution) {
        int count = 0;
        for (int i = 0; i < execution.participantCount(); i++) {
            count += lanes.queued(execution.participant(i)) == depth ? 1 : 0;
        }
        return count;
    }

    private boolean isHeld(Execution execution) {
        boolean confined = execution.isConfined();
        for (int i = 0; i < execution.participantCount(); i++) {
            int lane = execution.participant(i);
            if (heldLanes[lane] == pass || !confined && awaitedLanes[lane] == pass) {
                return true;
            }
        }
        if (!confined) {
            return false;
        }
        BucketSet several = execution.buckets();
        if (several == null) {
            return heldBuckets[execution.bucket()] == pass;
        }
        for (int i = 0; i < several.size(); i++) {
            if (heldBuckets[several.get(i)] == pass) {
                return true;
            }
        }
        return false;
    }

    private void hold(Execution execution) {
        boolean confined = execution.isConfined();
        for (int i = 0; i < execution.participantCount(); i++) {
            int lane = execution.participant(i);
            awaitedLanes[lane] = pass;
            if (!confined) {
                heldLanes[lane] = pass;
            }
        }
        if (!confined) {
            return;
        }
        BucketSet several = execution.buckets();
        if (several == null) {
            heldBuckets[execution.bucket()] = pass;
            return;
        }
        for (int i = 0; i < several.size(); i++) {
            heldBuckets[several.get(i)] = pass;
        }
    }

    private boolean fits(Execution execution) {
        int least = Integer.MAX_VALUE;
        int most = 0;
        for (int i = 0; i < execution.participantCount(); i++) {
            int queued = lanes.queued(execution.participant(i));
            least = Math.min(least, queued);
            most = Math.max(most, queued);
        }
        return most < depth && (most - least <= MEETING || least < STARVING);
    }

    /** Sends all pending commands, in log order. */
    private void sendAll() {
        for (int i = firstPending; i < pendingEnd; i++) {
            lanes.send(pending[i]);
        }
        firstPending = pendingEnd;
    }

    @Override
    public void data(LogRecords record, RecordAnalysis analysis) {
        sendAll();
        for (int i = 0; i < analysis.laneCount(); i++) {
            gathering.decode(record, analysis.lane(i));
        }
    }

    @Override
    public void frameScheduled(long position, long sourceEnd) {
        lanes.wakeAll();
        lanes.collect();
        pump();
        gathering.giveBackWanted();
        gathering.goTo(position, sourceEnd);
    }

    @Override
    public void flush() {
        sendAll();
        gathering.send();
        lanes.wakeAll();
        lanes.collect();
    }

    @Override
    public void drain() {
        while (firstPending < pendingEnd) {
            if (pump() == 0) {
                lanes.await();
            }
        }
        for (int lane = 0; lane < lanes.count(); lane++) {
            settle(lane);
        }
        lanes.awaitAll();
    }

    /** A lane's next work is no data record, so rows that were prepared ahead are settled first. */
    private void settle(int lane) {
        if (lanes.isUnsettled(lane) || gathering.hasBegun(lane)) {
            gathering.settle(lane);
            gathering.send(lane);
        }
    }

    /** The number of commands that were sent before one of an earlier place in the log. */
    long overtaken() {
        return overtaken;
    }

    @Override
    public void abandon(Throwable failure) {
        firstPending = pendingEnd;
        lanes.abandon(failure);
    }

    @Override
    public void close() {
        gathering.close();
    }
}
