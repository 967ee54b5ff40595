package io.reprise.snapshot;

import io.reprise.runtime.Invariants;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.memory.Memory;
import io.reprise.snapshot.file.RowBatch;
import io.reprise.storage.image.RowImageCodec;
import io.reprise.storage.row.RowLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The batches in which the rows of one partition's sweep leave: the one being filled, those with the writer, and the
 * free ones that came back. Those on their way to the writer and back never take more memory than the settings allow,
 * large rows included; only a single row may need more by itself. The caller names the limit. Owned by the sweep.
 */
final class SweepBatches implements AutoCloseable {
    private static final long FIRST_BATCH = Memory.HUGE_PAGE;

    private final int partition;
    private final SnapshotSettings settings;
    private final Memory memory;
    private final long mostBytes;
    private final List<RowBatch> free = new ArrayList<>();
    private SpscRing<RowBatch> toWriter;
    private RowImageCodec[] codecs;
    private RowBatch filling;
    private int made;

    /** The number of batches that are neither free nor being filled, and their bytes. */
    private int outstanding;

    private long outstandingBytes;

    /** The bytes of all rows ever put into batches. */
    private long bytesTaken;

    SweepBatches(int partition, SnapshotSettings settings) {
        this.partition = partition;
        this.settings = settings;
        memory = Memory.reserve(FIRST_BATCH + settings.shadowBytes() + Memory.HUGE_PAGE);
        long usable = Math.min(settings.shadowBytes(), memory.size() - FIRST_BATCH);
        mostBytes = usable / settings.batchBytes() * settings.batchBytes();
    }

    /** Sets the ring for full batches; before the first. */
    void handOverTo(SpscRing<RowBatch> ring) {
        toWriter = ring;
    }

    /**
     * A sweep begins.
     *
     * @param newCodecs by table id: the writer's codecs for the sweep's rows
     */
    void begin(RowImageCodec... newCodecs) {
        codecs = newCodecs;
    }

    /** The largest number of batches. */
    int most() {
        return (int) (mostBytes / settings.batchBytes());
    }

    /** The memory that all may take, for rows that are about to change. */
    long mostBytes() {
        return mostBytes;
    }

    /** The memory that they may take when the sweep asks for more. */
    long sweepBytes() {
        return (long) settings.sweepBatches() * settings.batchBytes();
    }

    /** The bytes of all rows ever put into batches. */
    long bytesTaken() {
        return bytesTaken;
    }

    boolean anyOutstanding() {
        return outstanding > 0;
    }

    /**
     * Copies a row into a batch. Returns false if the batches would take more than so many bytes, and it is not the only one there is.
     */
    boolean copy(SweptTable table, long row, long header, long atMost) {
        long bytes = table.carrier.bytes(row);
        if (bytes > RowBatch.MOST_COPY || !table.codec.writesCopies()) {
            return write(table, row, header, atMost);
        }
        if (!reserve(bytes, atMost)) {
            return false;
        }
        long end = table.carrier.copy(row, filling.memory(), filling.rowAddress());
        bytesTaken += end - filling.rowAddress();
        filling.addCopy(table.id, header & RowLayout.ROW_ID_MASK, end);
        return true;
    }

    /** The same, but leaves less to do for the writer. */
    boolean write(SweptTable table, long row, long header, long atMost) {
        if (!reserve(table.codec.bounds().ofRow(row), atMost)) {
            return false;
        }
        long end = table.codec.writeRow(row, filling.memory(), filling.rowAddress());
        bytesTaken += end - filling.rowAddress();
        filling.addImage(table.id, header & RowLayout.ROW_ID_MASK, end);
        return true;
    }

    private boolean reserve(long bytes, long atMost) {
        return filling != null && filling.fits(bytes) || next(RowBatch.bytesWith(bytes), atMost);
    }

    /** A full batch is handed over first, also when there can't be another one yet: when it comes back, there can. */
    private boolean next(long bytes, long atMost) {
        handOver();
        long capacity = Math.max(bytes, settings.batchBytes());
        if (outstanding > 0 && outstandingBytes + capacity > atMost) {
            return false;
        }
        if (capacity > settings.batchBytes()) {
            filling = oversized(capacity);
        } else if (!free.isEmpty()) {
            filling = free.removeLast();
        } else {
            filling = new RowBatch(memory, FIRST_BATCH + (long) made++ * settings.batchBytes(), settings.batchBytes());
        }
        filling.copiedFor(codecs);
        return true;
    }

    /** A batch for one row that is larger than batches are; its memory is given back afterwards. */
    private static RowBatch oversized(long bytes) {
        return new RowBatch(Memory.reserve(bytes + 2L * Memory.HUGE_PAGE), Memory.PAGE, bytes);
    }

    /** Hands over the one that is being filled, if there is one. */
    void handOver() {
        if (filling == null) {
            return;
        }
        RowBatch full = filling;
        filling = null;
        if (full.isEmpty()) {
            recycle(full);
            return;
        }
        outstanding++;
        outstandingBytes += full.capacity();
        Invariants.check(toWriter.offer(full), "the ring to the snapshot's thread is full at partition", partition);
    }

    /** The batch being filled is not needed. */
    void abandon() {
        if (filling != null) {
            recycle(filling);
            filling = null;
        }
    }

    /** One is back from the writer. */
    void takeBack(RowBatch returned) {
        outstanding--;
        outstandingBytes -= returned.capacity();
        recycle(returned);
    }

    private void recycle(RowBatch returned) {
        if (returned.memory() == memory) {
            returned.clear();
            free.add(returned);
        } else {
            returned.memory().close();
        }
    }

    /** Between two snapshots: the memory that saved rows took beyond what a sweep needs goes back to the system. */
    void trim() {
        if (outstanding == 0 && made > settings.sweepBatches()) {
            memory.discard(FIRST_BATCH, (long) made * settings.batchBytes());
            free.clear();
            made = 0;
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
