package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.log.LogRecords;

/**
 * The schedule that keeps log order in every lane. A command stands in the lanes of all its participants, which meet as they did when it
 * first ran. Data records are decoded at once and gathered by lane, so that a lane gets many rows at a time.
 */
final class LogOrder implements Schedule {
    private final Lanes lanes;
    private final DataGathering gathering;

    LogOrder(ReplayLane[] lanes, BucketMap buckets, Runnable idle) {
        if (lanes.length != buckets.partitions()) {
            throw new IllegalArgumentException(lanes.length + " lanes for " + buckets.partitions() + " partitions");
        }
        this.lanes = new Lanes(lanes, idle);
        gathering = new DataGathering(lanes, this.lanes);
    }

    @Override
    public InFlight acquire() {
        return lanes.acquire();
    }

    @Override
    public void command(InFlight analysed) {
        for (int i = 0; i < analysed.execution().participantCount(); i++) {
            settle(analysed.execution().participant(i));
        }
        lanes.send(analysed);
    }

    @Override
    public void data(LogRecords record, RecordAnalysis analysis) {
        for (int i = 0; i < analysis.laneCount(); i++) {
            gathering.decode(record, analysis.lane(i));
        }
    }

    @Override
    public void frameScheduled(long position, long sourceEnd) {
        lanes.wakeAll();
        lanes.collect();
        gathering.giveBackWanted();
        gathering.goTo(position, sourceEnd);
    }

    @Override
    public void flush() {
        gathering.send();
        lanes.wakeAll();
        lanes.collect();
    }

    @Override
    public void drain() {
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

    @Override
    public void abandon(Throwable failure) {
        lanes.abandon(failure);
    }

    @Override
    public void close() {
        gathering.close();
    }
}
