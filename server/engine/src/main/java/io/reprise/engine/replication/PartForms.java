package io.reprise.engine.replication;

import io.reprise.execution.durable.adaptive.LoggingChooser;
import io.reprise.runtime.time.Clock;
import io.reprise.storage.PartitionStore;
import java.util.function.DoubleSupplier;

/**
 * The form of a partition's part of a transaction over nodes by the adaptive method. The choice is the home's: its calls with their answers from elsewhere, or
 * its rows. Participants elsewhere leave rows. So each record depends on earlier ones of its own partition alone, and the node's own index, which gets
 * the footprint of each part, knows all of these.
 *
 * <p>Owned by the partition's thread.
 */
final class PartForms {
    private final PartitionStore store;
    private final LoggingChooser chooser;
    private final Clock clock;
    private final DoubleSupplier frequency = this::tellWrites;

    /** The part that was made last: its size, the bytes that rows take more than calls, and whether it has rows. */
    private long bytes;

    private long more;
    private boolean rows;
    private long executionNs;

    /** Whether the footprint has the writes of the part that was made last. */
    private boolean toldWrites;

    /** Forms of parts in a store that collects footprints, by the chooser of the partition's site. */
    PartForms(PartitionStore store, LoggingChooser chooser, Clock clock) {
        this.store = store;
        this.chooser = chooser;
        this.clock = clock;
    }

    /** A transaction begins. */
    void begin() {
        executionNs = 0;
        more = 0;
        toldWrites = false;
    }

    /** The time before a run of a call. */
    long nowNs() {
        return clock.nanoTime();
    }

    /** A call has run to its end since that time. */
    void ran(long sinceNs) {
        executionNs += clock.nanoTime() - sinceNs;
    }

    /** Whether the rows that the calls wrote are logged instead of the calls. */
    boolean prefersRows(int version, long id, long callBytes, long rowBytes) {
        more = Math.max(0, rowBytes - callBytes);
        return chooser.prefersRows(version, id, callBytes, rowBytes, frequency, clock.nanoTime());
    }

    /** Adds the writes to the footprint. Returns the frequency of the written rows. */
    private double tellWrites() {
        int mark = store.footprint().mark();
        store.tellWrites();
        toldWrites = true;
        return chooser.frequency(store.footprint(), mark);
    }

    /** A part is made. */
    void made(boolean ofRows, long size) {
        rows = ofRows;
        bytes = size;
    }

    /**
     * The part is about to be committed.
     *
     * @param calls the number of calls that have run here: none at a participant elsewhere
     */
    void committed(long id, int version, int calls) {
        if (rows) {
            // Rows depend on nothing.
            store.footprint().forget();
        }
        if (rows || !toldWrites) {
            store.tellWrites();
        }
        store.footprint().advise(id, version, calls == 0, rows);
        if (calls > 0) {
            chooser.loggedPart(version, rows, bytes, rows ? more : 0, executionNs / calls);
        }
    }
}
