package io.reprise.recovery.replay;

import io.reprise.log.LogRecords;
import io.reprise.redo.DataDecoder;
import io.reprise.redo.DataRedo;
import io.reprise.redo.RedoBatches;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Decodes data records into {@link DataRun}s, one under construction for each lane. Confined to the replaying thread. */
final class DataGathering implements AutoCloseable {
    /** Enough decoded work for an executor while the replaying thread sleeps, which can be milliseconds. */
    private static final int RUNS_PER_LANE = 8;

    private final Lanes lanes;
    private final Deque<DataRun> free = new ArrayDeque<>();

    /** By lane, the run under construction, or null. */
    private final DataRun[] begun;

    /** By lane, the runs under way that settle it. Until they have been applied, places that are given away are still wanted back. */
    private final int[] settling;

    private final DataDecoder[] decoders;
    private final RedoBatches[] exchanges;
    private long position;
    private long end;

    DataGathering(ReplayLane[] replayLanes, Lanes lanes) {
        this.lanes = lanes;
        int count = replayLanes.length;
        DataRedo[] redo = Arrays.stream(replayLanes).map(ReplayLane::redo).toArray(DataRedo[]::new);
        for (int i = 0; i < RUNS_PER_LANE * count; i++) {
            free.push(new DataRun(this::cameHome, redo));
        }
        begun = new DataRun[count];
        settling = new int[count];
        decoders = Arrays.stream(redo).map(DataRedo::newDecoder).toArray(DataDecoder[]::new);
        exchanges = new RedoBatches[count];
        Arrays.setAll(exchanges, lane -> full -> {
            send(lane);
            return begun(lane).batch();
        });
    }

    /** Moves to a position of the log, which ends at the other one. */
    void goTo(long newPosition, long logEnd) {
        position = newPosition;
        end = logEnd;
    }

    /** Decodes a record for a lane. */
    void decode(LogRecords record, int lane) {
        position = record.framePosition();
        decoders[lane].decode(
                record.transactionId(),
                record.memory(),
                record.payload(),
                record.payloadBytes(),
                begun(lane).batch(),
                exchanges[lane]);
    }

    private DataRun begun(int lane) {
        if (begun[lane] == null) {
            while (free.isEmpty()) {
                lanes.await();
            }
            begun[lane] = free.poll();
            begun[lane].begin(lane, position, Math.max(position, end));
        }
        return begun[lane];
    }

    /** Whether a lane has a run under construction. */
    boolean hasBegun(int lane) {
        return begun[lane] != null;
    }

    /** Sends all runs under construction. */
    void send() {
        for (int lane = 0; lane < begun.length; lane++) {
            send(lane);
        }
    }

    /** Sends a lane's run under construction, if there is one. */
    void send(int lane) {
        DataRun run = begun[lane];
        if (run != null) {
            begun[lane] = null;
            if (run.batch().settles()) {
                settling[lane]++;
                decoders[lane].takePlaces(false);
            }
            lanes.send(run);
        }
    }

    /** A run has been applied. */
    private void cameHome(DataRun run) {
        if (run.hasSettled()) {
            int lane = run.lane();
            settling[lane]--;
            decoders[lane].takePlaces(settling[lane] == 0);
        }
        free.push(run);
    }

    /** Gives back the row places that executors want back. */
    void giveBackWanted() {
        for (int lane = 0; lane < begun.length; lane++) {
            if (decoders[lane].isWantedBack()) {
                decoders[lane].giveBackWhatIsWanted(begun(lane).batch(), exchanges[lane]);
            }
        }
    }

    /** Gives back all row places of a lane. When its run has been applied, its executor may do anything else. */
    void settle(int lane) {
        if (decoders[lane].hasPlaces()) {
            decoders[lane].giveBack(begun(lane).batch(), exchanges[lane]);
        }
        begun(lane).batch().settle();
    }

    @Override
    public void close() {
        free.forEach(DataRun::close);
        for (DataRun run : begun) {
            if (run != null) {
                run.close();
            }
        }
    }
}
