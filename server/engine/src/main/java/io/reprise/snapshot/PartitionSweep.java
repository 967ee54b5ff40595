package io.reprise.snapshot;

import io.reprise.catalog.Catalog;
import io.reprise.runtime.Invariants;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.time.Clock;
import io.reprise.snapshot.file.RowBatch;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.WriteObserver;
import io.reprise.storage.row.RowLayout;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A partition's part in a snapshot: passes over its rows in the order in which they lie, a slice at a time between
 * transactions, and hands each row over as it was at the snapshot's moment.
 *
 * <pre>
 *  IDLE --prepare, begin--> SWEEPING --all passed--> IDLE                  says END
 *                              |
 *                              +--given up--> CLEARING --all passed--> IDLE   says GAVE_UP at once, CLEARED at the end
 * </pre>
 *
 * <p><b>Copy on write.</b> A row ahead of the sweep is written out just before its first change or deletion, and
 * marked {@link #SAVED}; the sweep leaves it out. A row inserted ahead of the sweep is marked {@link #ADDED} and left
 * out too. Rollbacks restore the former row, and neither mark is wrong then: the saved image fits again. Marks exist
 * on rows ahead of the sweep only, and it clears them as it passes, so that none is left for the next snapshot. A
 * sweep that is given up passes over the rest for that alone. Truncated, dropped and rebuilt tables leave their rows
 * to the sweep, which frees them when it has passed them; so changes of the schema don't disturb it. The partition's
 * outcomes of calls are taken in the same way, before the rows.
 *
 * <p>Owned by the holder of the partition, except for the two rings, which connect it with the {@link SnapshotAgent}.
 * It never waits: when the writer is behind, the sweep pauses; when there is no more room for saved rows, it gives
 * up.
 */
public final class PartitionSweep implements WriteObserver, AutoCloseable {
    /** The header bit of a row that was inserted after the snapshot's moment. */
    static final long ADDED = 1L << 63;

    /** The header bit of a row that has been saved as it was at the snapshot's moment. */
    static final long SAVED = 1L << 62;

    /** The number of places passed between two looks at the clock. */
    private static final int PLACES_AT_ONCE = 64;

    /** Instead of a batch: all rows have been handed over. */
    final RowBatch end = new RowBatch(null, 0, 0);

    /** Instead of a batch: the snapshot can't be completed because of {@link #problem}. */
    final RowBatch gaveUp = new RowBatch(null, 0, 0);

    /** Instead of a batch, after giving up: a new snapshot may begin. */
    final RowBatch cleared = new RowBatch(null, 0, 0);

    /** From the writer, instead of a batch: give up. */
    final RowBatch giveUp = new RowBatch(null, 0, 0);

    private enum State {
        IDLE,
        SWEEPING,
        CLEARING
    }

    private final int partition;
    private final PartitionStore store;
    private final SweptOutcomes outcomes;
    private final Memory rows;
    private final SnapshotSettings settings;
    private final Clock clock;
    private final SpscRing<RowBatch> toWriter;
    private final SpscRing<RowBatch> fromWriter;
    private final SweepBatches batches;

    private final SweptTables tables;
    private State state = State.IDLE;
    private boolean outcomesLeft;
    private List<ByteBuffer> sweptOutcomes = List.of();
    private long nextSliceNs;

    /** Whether the last slice ended because the writer was behind. */
    private boolean paused;

    private long rowsSwept;
    private long rowsSaved;
    private String problem;

    /**
     * The sweep of a partition.
     *
     * @param outcomes the partition's outcomes of calls
     * @param sweepWaker wakes the thread that runs the partition; may be null
     * @param writerWaker wakes the snapshot's thread; may be null
     */
    public PartitionSweep(
            int partition,
            PartitionStore store,
            SweptOutcomes outcomes,
            SnapshotSettings settings,
            Clock clock,
            Waker sweepWaker,
            Waker writerWaker) {
        this.partition = partition;
        this.store = store;
        this.outcomes = outcomes;
        this.rows = store.memory();
        this.settings = settings;
        this.clock = clock;
        batches = new SweepBatches(partition, settings);
        tables = new SweptTables(store);
        toWriter = new SpscRing<>(batches.most() + 4, writerWaker);
        fromWriter = new SpscRing<>(batches.most() + 4, sweepWaker);
        batches.handOverTo(toWriter);
    }

    /** The partition's number. */
    public int partition() {
        return partition;
    }

    /** The partition's store. */
    PartitionStore store() {
        return store;
    }

    /** To the snapshot's thread. */
    SpscRing<RowBatch> toWriter() {
        return toWriter;
    }

    /** From the snapshot's thread. */
    SpscRing<RowBatch> fromWriter() {
        return fromWriter;
    }

    /** The reason for giving up; for the snapshot's thread, after {@link #gaveUp}. */
    String problem() {
        return problem;
    }

    /** The number of rows that the last sweep has passed and written; for the snapshot's thread, when that is over. */
    long rowsSwept() {
        return rowsSwept;
    }

    /**
     * The partition's outcomes of calls; for the snapshot's thread, once, when a sweep has come to its {@link #end}.
     */
    byte[] takeOutcomes() {
        ByteBuffer all = ByteBuffer.allocate(
                sweptOutcomes.stream().mapToInt(ByteBuffer::remaining).sum());
        sweptOutcomes.forEach(all::put);
        sweptOutcomes = List.of();
        return all.array();
    }

    /** The number of rows written before they changed. */
    long rowsSaved() {
        return rowsSaved;
    }

    /** Whether a snapshot is under way. */
    public boolean isActive() {
        return state != State.IDLE;
    }

    /**
     * Takes everything for a sweep that may fail: {@link #begin} can't, so that a snapshot begins at all partitions
     * or at none. Called between two transactions, or by one that holds the partition and has written nothing.
     *
     * @param share this partition's turn among those that share the replicated tables
     * @param shares the number of those; one that shares with none sweeps them all
     */
    void prepare(Catalog catalog, int share, int shares) {
        Invariants.check(
                state == State.IDLE, "a snapshot begins while another one is under way at partition", partition);
        takeBack();
        tables.prepare(catalog, share, shares);
        batches.begin(tables.codecs());
    }

    /** The snapshot's moment, directly after {@link #prepare}. */
    void begin() {
        outcomes.begin();
        outcomesLeft = true;
        rowsSwept = 0;
        rowsSaved = 0;
        problem = null;
        nextSliceNs = clock.nanoTime();
        paused = false;
        state = State.SWEEPING;
        store.observeWrites(this);
    }

    /**
     * Runs a slice of the sweep, if one is due. Called between transactions only, while the partition is not lent.
     *
     * @param nowNs the monotonic time
     * @param busy whether the partition has run transactions in this duty cycle
     * @return 0 if there is nothing to do
     */
    public int doWork(long nowNs, boolean busy) {
        if (state == State.IDLE) {
            if (batches.anyOutstanding()) {
                takeBack();
            }
            return 0;
        }
        takeBack();
        if (nowNs - nextSliceNs < 0) {
            return paused ? 0 : 1;
        }
        long startedNs = clock.nanoTime();
        paused = !slice(startedNs + settings.sliceNs(), busy);
        long tookNs = clock.nanoTime() - startedNs;
        nextSliceNs = startedNs + (long) (tookNs / (busy ? settings.sweepShare() : settings.idleShare()));
        return paused ? 0 : 1;
    }

    /** Returns false if the writer is behind. */
    private boolean slice(long untilNs, boolean busy) {
        do {
            if (outcomesLeft) {
                outcomesLeft = outcomes.sweep();
                continue;
            }
            SweptTable table = tables.current();
            if (table == null) {
                finish();
                return true;
            }
            if (state == State.CLEARING) {
                clear(table);
            } else if (!sweep(table, busy)) {
                return false;
            }
            if (table.cursor >= table.end) {
                passed(table);
            }
        } while (clock.nanoTime() - untilNs < 0);
        return true;
    }

    private static long stop(SweptTable table) {
        return Math.min(table.end, table.cursor + (long) PLACES_AT_ONCE * table.rowSize);
    }

    /** Sweeps up to the next look at the clock. Returns false if the writer is behind. */
    private boolean sweep(SweptTable table, boolean busy) {
        long stop = stop(table);
        long enough = batches.bytesTaken() + settings.batchBytes();
        long row = table.cursor;
        boolean room = true;
        while (row < stop && batches.bytesTaken() < enough) {
            long header = rows.getLong(row);
            if ((header & RowLayout.LIVE) != 0) {
                if ((header & RowLayout.SNAPSHOT_BITS) != 0) {
                    rows.putLong(row, header & ~RowLayout.SNAPSHOT_BITS);
                } else if (take(table, row, header, busy)) {
                    rowsSwept++;
                } else {
                    room = false;
                    break;
                }
            }
            row += table.rowSize;
        }
        table.cursor = row;
        table.watchedFrom = row;
        return room;
    }

    /** A busy partition only copies the row, and the snapshot's thread makes the image. */
    private boolean take(SweptTable table, long row, long header, boolean busy) {
        return busy
                ? batches.copy(table, row, header, batches.sweepBytes())
                : batches.write(table, row, header, batches.sweepBytes());
    }

    private void clear(SweptTable table) {
        long stop = table.free == null ? stop(table) : table.cursor;
        for (long row = table.cursor; row < stop; row += table.rowSize) {
            long header = rows.getLong(row);
            if ((header & RowLayout.SNAPSHOT_BITS) != 0) {
                rows.putLong(row, header & ~RowLayout.SNAPSHOT_BITS);
            }
        }
        table.cursor = table.free == null ? stop : table.end;
    }

    private void passed(SweptTable table) {
        if (table.free != null) {
            table.free.run();
            table.free = null;
        }
        tables.next();
    }

    private void finish() {
        store.stopObserving(this);
        boolean complete = state == State.SWEEPING;
        state = State.IDLE;
        tables.clear();
        if (complete) {
            sweptOutcomes = outcomes.end();
            batches.handOver();
        }
        tell(complete ? end : cleared);
    }

    private void tell(RowBatch message) {
        Invariants.check(toWriter.offer(message), "the ring to the snapshot's thread is full at partition", partition);
    }

    private void takeBack() {
        RowBatch returned;
        while ((returned = fromWriter.poll()) != null) {
            if (returned == giveUp) {
                if (state == State.SWEEPING) {
                    giveUp("the writer asked for it");
                }
            } else {
                batches.takeBack(returned);
            }
        }
        if (state == State.IDLE) {
            batches.trim();
        }
    }

    /** Gives up a snapshot whose rows would be in doubt; does nothing if none is under way. */
    public void giveUpDoubted(String why) {
        if (state == State.SWEEPING) {
            giveUp(why);
        }
    }

    private void giveUp(String why) {
        state = State.CLEARING;
        problem = why;
        outcomesLeft = false;
        outcomes.giveUp();
        tables.stopWatching();
        batches.abandon();
        tell(gaveUp);
    }

    @Override
    public void inserted(TableStore table, long row) {
        SweptTable swept = tables.of(table);
        if (swept != null && swept.watches(row)) {
            rows.putLong(row, rows.getLong(row) | ADDED);
        }
    }

    @Override
    public void beforeChange(TableStore table, long row) {
        SweptTable swept = tables.of(table);
        if (swept != null && swept.watches(row)) {
            save(swept, row);
        }
    }

    private void save(SweptTable swept, long row) {
        long header = rows.getLong(row);
        if ((header & RowLayout.SNAPSHOT_BITS) != 0) {
            return;
        }
        if (batches.copy(swept, row, header, batches.mostBytes())) {
            rows.putLong(row, header | SAVED);
            rowsSaved++;
        } else {
            giveUp("rows of partition " + partition + " changed faster than they could be written, and "
                    + settings.shadowBytes()
                    + " bytes of them wait. Let the sweep have a larger share of the time (snapshot.share in a node's"
                    + " configuration, sweepShare in SnapshotSettings), allow more (shadowBytes there), or give snapshots a"
                    + " faster disk.");
        }
    }

    @Override
    public boolean keeps(TableStore table, long firstPlace, Runnable freeRows) {
        SweptTable swept = tables.of(table);
        if (swept == null || swept.start != firstPlace || swept.cursor >= swept.end) {
            return false;
        }
        if (state == State.CLEARING) {
            swept.cursor = swept.end;
            return false;
        }
        swept.free = freeRows;
        return true;
    }

    /** Frees its memory. */
    @Override
    public void close() {
        batches.close();
    }
}
