package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Lanes whose commands take simulated time, each lane on a core of its own, and the replaying thread on another one. A command over several
 * lanes begins when all have reached it, and all stand still until it is over.
 */
final class SimulatedLanes implements AutoCloseable {
    /** A command that takes a time. */
    static final class Timed extends EngineWork {
        private final long ns;

        Timed(long ns) {
            super("timed");
            this.ns = ns;
        }

        @Override
        public void run(Partition partition, Execution execution) {
            throw new IllegalStateException("only its time is simulated");
        }
    }

    /** The replaying thread looks again after so long: a lane that has become empty waits for it. */
    private static final long SLEEP_NS = 70_000;

    final BucketMap buckets;
    final ReplayLane[] lanes;
    private final HandDrivenPartitions partitions;
    private final long meetingNs;
    private final List<ArrayDeque<Execution>> queues = new ArrayList<>();

    /** By lane, the time until which it is busy; and the command that it runs or takes part in, or null. */
    private final long[] until;

    private final Execution[] running;

    /** By lane, the number of participants of its last command. */
    private final int[] lastCount;

    private long nowNs;
    private long ran;

    /**
     * Lanes.
     *
     * @param meetingNs the time that a meeting of lanes takes beside the command, unless the one before had the same lanes
     */
    SimulatedLanes(int count, long meetingNs) {
        this.meetingNs = meetingNs;
        partitions = new HandDrivenPartitions(count, 8);
        buckets = partitions.buckets;
        lanes = partitions.lanes;
        until = new long[count];
        running = new Execution[count];
        lastCount = new int[count];
        for (int i = 0; i < count; i++) {
            queues.add(new ArrayDeque<>());
        }
    }

    /** The replaying thread works for so long. */
    void passNs(long ns) {
        long end = nowNs + ns;
        start();
        for (long next = next(); next <= end; next = next()) {
            nowNs = next;
            finish();
            start();
        }
        nowNs = end;
    }

    /** The replaying thread waits for a lane. */
    void idle() {
        start();
        long next = next();
        if (next == Long.MAX_VALUE) {
            throw new IllegalStateException("no lane has work, and the replay waits for one");
        }
        passNs(Math.max(next - nowNs, SLEEP_NS));
    }

    private long next() {
        long next = Long.MAX_VALUE;
        for (int i = 0; i < lanes.length; i++) {
            next = running[i] == null ? next : Math.min(next, until[i]);
        }
        return next;
    }

    private void start() {
        for (int i = 0; i < lanes.length; i++) {
            for (Execution sent = lanes[i].toRun().poll();
                    sent != null;
                    sent = lanes[i].toRun().poll()) {
                queues.get(i).add(sent);
            }
        }
        for (int i = 0; i < lanes.length; i++) {
            Execution execution = running[i] == null ? queues.get(i).peek() : null;
            if (execution != null && isReached(execution)) {
                run(execution);
            }
        }
    }

    private boolean isReached(Execution execution) {
        for (int i = 0; i < execution.participantCount(); i++) {
            int lane = execution.participant(i);
            if (running[lane] != null || queues.get(lane).peek() != execution) {
                return false;
            }
        }
        return true;
    }

    private void run(Execution execution) {
        boolean met = true;
        for (int i = 0; i < execution.participantCount(); i++) {
            met &= until[execution.participant(i)] == nowNs && lastCount[execution.participant(i)] > 1;
        }
        long end = nowNs + ((Timed) execution.work()).ns + (execution.participantCount() > 1 && !met ? meetingNs : 0);
        for (int i = 0; i < execution.participantCount(); i++) {
            int lane = execution.participant(i);
            queues.get(lane).poll();
            running[lane] = execution;
            until[lane] = end;
            lastCount[lane] = execution.participantCount();
        }
    }

    private void finish() {
        for (int i = 0; i < lanes.length; i++) {
            Execution done = until[i] == nowNs ? running[i] : null;
            if (done != null) {
                for (int j = 0; j < done.participantCount(); j++) {
                    running[done.participant(j)] = null;
                }
                ran++;
                done.reply();
            }
        }
    }

    /** The simulated time. */
    long nowNs() {
        return nowNs;
    }

    /** The number of commands that have run. */
    long ran() {
        return ran;
    }

    @Override
    public void close() {
        partitions.close();
    }
}
