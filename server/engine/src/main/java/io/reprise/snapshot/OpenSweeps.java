package io.reprise.snapshot;

import io.reprise.snapshot.file.RowBatch;
import java.util.Arrays;
import java.util.List;

/** The unfinished sweeps of the snapshot that is being made, as its thread sees them. */
final class OpenSweeps {
    private final List<PartitionSweep> sweeps;
    private final boolean[] over;
    private int open;

    OpenSweeps(List<PartitionSweep> sweeps) {
        this.sweeps = sweeps;
        over = new boolean[sweeps.size()];
    }

    /** A snapshot has begun at all partitions. */
    void begin() {
        open = over.length;
        Arrays.fill(over, false);
    }

    boolean areOver() {
        return open == 0;
    }

    /** A sweep has ended. */
    void end(int sweep) {
        over[sweep] = true;
        open--;
    }

    /** Tells all unfinished sweeps to end. */
    void giveUp() {
        for (int i = 0; i < over.length; i++) {
            if (!over[i]) {
                giveBack(sweeps.get(i), sweeps.get(i).giveUp);
            }
        }
    }

    /** Discards batches that still arrive after {@link #giveUp}. Returns their number. */
    int discard() {
        int work = 0;
        for (int i = 0; i < over.length; i++) {
            PartitionSweep sweep = sweeps.get(i);
            RowBatch batch;
            while ((batch = sweep.toWriter().poll()) != null) {
                work++;
                if (batch == sweep.end || batch == sweep.cleared) {
                    end(i);
                } else if (batch != sweep.gaveUp) {
                    giveBack(sweep, batch);
                }
            }
        }
        return work;
    }

    /** Returns a written batch to its sweep. */
    static void giveBack(PartitionSweep sweep, RowBatch batch) {
        if (!sweep.fromWriter().offer(batch)) {
            throw new IllegalStateException("the ring to the sweep of partition " + sweep.partition() + " is full");
        }
    }
}
