package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.log.LogRecords;
import io.reprise.log.physiological.DataDecoder;
import io.reprise.log.physiological.DataRedo;
import io.reprise.log.physiological.RedoBatches;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Decodes data records, for all partitions that they are about, into {@link DataRun}s. One thread's; there may be several. */
final class RunFiller implements AutoCloseable {
    private final BucketMap buckets;
    private final RunOutlet outlet;

    /** All by partition; a run that has been begun, or null. */
    private final DataRun[] runs;

    private final DataDecoder[] decoders;
    private final RedoBatches[] exchanges;
    private long position;
    private long logEnd;

    RunFiller(DataRedo[] redo, BucketMap buckets, RunOutlet outlet) {
        this.buckets = buckets;
        this.outlet = outlet;
        runs = new DataRun[redo.length];
        decoders = Arrays.stream(redo).map(DataRedo::newDecoder).toArray(DataDecoder[]::new);
        exchanges = IntStream.range(0, redo.length)
                .<RedoBatches>mapToObj(lane -> full -> {
                    send(lane);
                    return begun(lane).batch();
                })
                .toArray(RedoBatches[]::new);
    }

    /** What comes is of a log that ends here. */
    void endAt(long end) {
        logEnd = end;
    }

    /** What comes is behind this position, whoever has decoded what is before it. */
    void goTo(long newPosition) {
        position = newPosition;
    }

    /** Decodes a record. */
    void decode(LogRecords records) {
        position = records.framePosition();
        if (records.bucket() >= 0) {
            decode(records, buckets.partition(records.bucket()));
            return;
        }
        for (int lane = 0; lane < runs.length; lane++) {
            decode(records, lane);
        }
    }

    private void decode(LogRecords records, int lane) {
        decoders[lane].decode(
                records.transactionId(),
                records.memory(),
                records.payload(),
                records.payloadBytes(),
                begun(lane).batch(),
                exchanges[lane]);
    }

    private DataRun begun(int lane) {
        if (runs[lane] == null) {
            runs[lane] = outlet.take();
            runs[lane].begin(lane, position, logEnd);
        }
        return runs[lane];
    }

    /** Whether there is anything for this partition that has not been sent. */
    boolean hasBegun(int lane) {
        return runs[lane] != null;
    }

    /** Sends what there is. */
    void send() {
        for (int lane = 0; lane < runs.length; lane++) {
            send(lane);
        }
    }

    /** Sends what there is for this partition. */
    void send(int lane) {
        DataRun run = runs[lane];
        if (run != null) {
            runs[lane] = null;
            outlet.send(run);
        }
    }

    /** Has the places given back that are wanted back. */
    void giveBackWhatIsWanted() {
        for (int lane = 0; lane < runs.length; lane++) {
            if (decoders[lane].isWantedBack()) {
                decoders[lane].giveBackWhatIsWanted(begun(lane).batch(), exchanges[lane]);
            }
        }
    }

    /** Has all places given back, in what is sent next. */
    void giveBack() {
        for (int lane = 0; lane < runs.length; lane++) {
            giveBack(lane);
        }
    }

    private void giveBack(int lane) {
        if (decoders[lane].hasPlaces()) {
            decoders[lane].giveBack(begun(lane).batch(), exchanges[lane]);
        }
    }

    /** The same for one partition, and as no other filler has any of its places, its executor may do anything else when this is stored. */
    void settle(int lane) {
        giveBack(lane);
        begun(lane).batch().settle();
    }

    @Override
    public void close() {
        for (DataRun run : runs) {
            if (run != null) {
                run.close();
            }
        }
    }
}
