package io.reprise.log.physiological;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import java.lang.foreign.MemorySegment;

/** Both halves of redo on one thread, record by record or many together. */
final class WholeRedo implements AutoCloseable {
    private static final long START = 64;
    private static final int LARGEST = 32 << 20;

    private final DataRedo redo;
    private final DataDecoder decoder;
    private final Memory records = Memory.reserve(2L * LARGEST);
    private final RedoBatch batch = new RedoBatch();

    WholeRedo(PartitionStore store) {
        redo = new DataRedo(store);
        decoder = redo.newDecoder();
    }

    void apply(long transactionId, byte[] payload) {
        decode(transactionId, payload);
        redo.apply(batch);
    }

    /** The first half only. */
    RedoBatch decode(long transactionId, byte[] payload) {
        batch.clear();
        add(transactionId, payload);
        return batch;
    }

    /** The same behind what is in the batch already. */
    void add(long transactionId, byte[] payload) {
        records.copyIn(MemorySegment.ofArray(payload), 0, START, payload.length);
        decoder.decode(transactionId, records, START, payload.length, batch, this::store);
    }

    /** The second half, of all that was added. */
    void store() {
        store(batch);
    }

    private RedoBatch store(RedoBatch full) {
        redo.apply(full);
        full.clear();
        return full;
    }

    @Override
    public void close() {
        batch.close();
        records.close();
    }
}
