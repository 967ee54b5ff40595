package io.reprise.recovery.replay;

import io.reprise.execution.Execution;
import io.reprise.id.TransactionId;
import io.reprise.redo.DivergedReplayException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lanes of all partitions, and the work that is under way in them. Confined to the replaying thread. */
final class Lanes {
    private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

    private final ReplayLane[] lanes;
    private final Runnable idle;
    private final Deque<InFlight> free = new ArrayDeque<>();

    /** By lane, whether rows may be prepared ahead: data records have been sent since it was settled. */
    private final boolean[] unsettled;

    /** By lane, the number of executions that are under way in it. */
    private final int[] queued;

    private int underWay;

    /** The divergence at the lowest log position so far, or null. */
    private DivergedReplayException divergence;

    private long divergedAt;

    /**
     * Lanes without work.
     *
     * @param idle called while there is nothing to do but to wait for executors; throws if one of them has failed
     */
    Lanes(ReplayLane[] lanes, Runnable idle) {
        this.lanes = lanes.clone();
        this.idle = idle;
        unsettled = new boolean[lanes.length];
        queued = new int[lanes.length];
        for (int i = 0; i < ReplayLane.UNDER_WAY; i++) {
            free.add(new InFlight(this.lanes));
        }
    }

    int count() {
        return lanes.length;
    }

    /** A free command. Waits for it. */
    InFlight acquire() {
        while (free.isEmpty()) {
            await();
        }
        return free.poll();
    }

    /** Sends a command to all its participants. */
    void send(InFlight command) {
        Execution execution = command.execution();
        int participants = execution.participantCount();
        underWay++;
        // Executors do not change the participants, and the execution comes back to this thread only.
        for (int i = 0; i < participants; i++) {
            offer(execution.participant(i), execution);
        }
    }

    /** Sends a run of data records. */
    void send(DataRun run) {
        unsettled[run.lane()] = !run.batch().settles();
        InFlight inFlight = acquire();
        Execution execution = inFlight.execution();
        execution.prepare(run, inFlight, 0);
        execution.sendTo(run.lane());
        execution.stamp(TransactionId.of(TransactionId.EPOCH_MICROS, 0));
        inFlight.expectSuccess(run.firstPosition());
        underWay++;
        offer(run.lane(), execution);
    }

    /** Whether rows of the lane may be prepared ahead. */
    boolean isUnsettled(int lane) {
        return unsettled[lane];
    }

    /** Whether a command is free. */
    boolean hasFree() {
        return !free.isEmpty();
    }

    /** The number of executions that are under way in a lane. */
    int queued(int lane) {
        return queued[lane];
    }

    private void offer(int lane, Execution execution) {
        queued[lane]++;
        if (!lanes[lane].send(execution)) {
            throw new IllegalStateException("a lane with room for all that is under way refused an execution");
        }
    }

    /** Waits until all work has come back. */
    void awaitAll() {
        while (underWay > 0) {
            await();
        }
    }

    /** Waits for what is under way after a failure. An earlier record's failure replaces it. */
    void abandon(Throwable failure) {
        try {
            awaitAll();
        } catch (DivergedReplayException earlier) {
            throw earlier;
        } catch (RuntimeException e) {
            // An executor can't go on; its failure may be the one at hand.
            failure.addSuppressed(e);
        }
    }

    /** Waits until some work has come back. */
    void await() {
        if (collect() == 0) {
            waitForOthers();
        }
    }

    private void waitForOthers() {
        wakeAll();
        idle.run();
    }

    void wakeAll() {
        for (ReplayLane lane : lanes) {
            lane.wake();
        }
    }

    /** Takes back finished work. After a divergence all work is awaited, and the divergence at the lowest log position is thrown. */
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
                Execution execution = done.execution();
                for (int i = 0; i < execution.participantCount(); i++) {
                    queued[execution.participant(i)]--;
                }
                if (done.divergence() != null && done.accepting() != null) {
                    accept(done);
                } else if (done.divergence() != null && (divergence == null || done.logPosition() < divergedAt)) {
                    divergedAt = done.logPosition();
                    divergence = Divergence.of(
                            done.transactionId(),
                            done.where(),
                            done.execution().work().name(),
                            done.divergence());
                }
                if (done.execution().work() instanceof DataRun run) {
                    run.goHome();
                }
                free.add(done);
            }
        }
        return count;
    }

    private static void accept(InFlight done) {
        done.accepting().differed();
        LOG.warn(
                "Transaction 0x{} ({}) is accepted as it is now, though {}",
                Long.toHexString(done.transactionId()),
                done.execution().work().name(),
                done.divergence());
    }

    /** Awaits the other lanes, one of which may have diverged at a lower position. */
    private void awaitRest() {
        try {
            while (underWay > 0) {
                if (takeBack() == 0) {
                    waitForOthers();
                }
            }
        } catch (RuntimeException e) {
            LOG.debug("Work under way after a divergence was not awaited", e);
        }
    }
}
