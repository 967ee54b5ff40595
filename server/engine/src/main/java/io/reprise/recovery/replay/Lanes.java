package io.reprise.recovery.replay;

import io.reprise.execution.Invocation;
import io.reprise.execution.Outcomes;
import io.reprise.id.TransactionId;
import io.reprise.log.physiological.DivergedReplayException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lanes of all partitions, and what is under way in them. The replaying thread's. */
final class Lanes {
    private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

    private final ReplayLane[] lanes;
    private final Runnable idle;
    private final Deque<InFlight> free = new ArrayDeque<>();

    /** By partition, whether data records have been sent since it was settled. */
    private final boolean[] unsettled;

    private int underWay;

    /** That something has come to something else than it was, of those that were taken back the first in the order of the log; or null. */
    private DivergedReplayException divergence;

    private long divergedAt;

    /**
     * All lanes.
     *
     * @param idle called while there is nothing to do but to wait for others; throws if they can't go on
     */
    Lanes(ReplayLane[] lanes, Runnable idle) {
        this.lanes = lanes.clone();
        this.idle = idle;
        unsettled = new boolean[lanes.length];
        for (int i = 0; i < ReplayLane.UNDER_WAY; i++) {
            free.add(new InFlight(this.lanes));
        }
    }

    int count() {
        return lanes.length;
    }

    Outcomes outcomes(int lane) {
        return lanes[lane].outcomes();
    }

    /** One that can be sent; waits for it. */
    InFlight acquire() {
        while (free.isEmpty()) {
            await();
        }
        return free.poll();
    }

    /** Sends a command to all who take part in it. */
    void send(InFlight command) {
        Invocation invocation = command.invocation();
        int participants = invocation.participantCount();
        underWay++;
        // The executors don't change who takes part, and the invocation comes back to nobody but this thread.
        for (int i = 0; i < participants; i++) {
            offer(invocation.participant(i), invocation);
        }
    }

    /** Sends data records. */
    void send(DataRun run) {
        unsettled[run.lane()] = !run.batch().settles();
        InFlight inFlight = acquire();
        Invocation invocation = inFlight.invocation();
        invocation.prepare(run, inFlight, 0);
        invocation.sendTo(run.lane());
        invocation.stamp(TransactionId.of(TransactionId.EPOCH_MICROS, 0));
        inFlight.expectSuccess(run.firstPosition());
        underWay++;
        offer(run.lane(), invocation);
    }

    /** Whether decoders may have places of the partition. */
    boolean isUnsettled(int lane) {
        return unsettled[lane];
    }

    private void offer(int lane, Invocation invocation) {
        if (!lanes[lane].send(invocation)) {
            throw new IllegalStateException("a lane with room for all that is under way refused an invocation");
        }
    }

    /** Waits until all that was sent has been run. */
    void awaitAll() {
        while (underWay > 0) {
            await();
        }
    }

    /** Waits until something has been run. */
    void await() {
        if (collect() == 0) {
            waitForOthers();
        }
    }

    void waitForOthers() {
        wakeAll();
        idle.run();
    }

    void wakeAll() {
        for (ReplayLane lane : lanes) {
            lane.wake();
        }
    }

    /** Takes back what has been run. What has come to something else than it was ends the replay, the first in the order of the log. */
    int collect() {
        int count = takeBack();
        if (divergence != null) {
            awaitRest();
            throw divergence;
        }
        return count;
    }

    private int takeBack() {
        int count = 0;
        for (ReplayLane lane : lanes) {
            for (InFlight done = lane.done().poll();
                    done != null;
                    done = lane.done().poll()) {
                count++;
                underWay--;
                if (done.divergence() != null && (divergence == null || done.logPosition() < divergedAt)) {
                    divergedAt = done.logPosition();
                    divergence = Divergence.of(
                            done.transactionId(),
                            done.where(),
                            done.invocation().work().name(),
                            done.divergence());
                }
                if (done.invocation().work() instanceof DataRun run) {
                    run.goHome();
                }
                free.add(done);
            }
        }
        return count;
    }

    /** Another partition may not have come to what is first in the order of the log. */
    private void awaitRest() {
        try {
            while (underWay > 0) {
                if (takeBack() == 0) {
                    waitForOthers();
                }
            }
        } catch (RuntimeException e) {
            // An executor can't go on with what it has: there is an answer without it.
            LOG.debug("What was under way when the replay had failed has not ended", e);
        }
    }
}
