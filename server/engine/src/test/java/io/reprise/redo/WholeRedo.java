package io.reprise.redo;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Both halves of redo on one thread, record by record or many together. */
final class WholeRedo implements AutoCloseable, RedoBatches {
    private static final long START = 64;
    private static final int LARGEST = 32 << 20;

    private final DataRedo redo;
    private final DataDecoder decoder;
    private final Memory records = Memory.reserve(2L * LARGEST);
    private final RedoBatch batch = new RedoBatch();
    private final List<Integer> stored = new ArrayList<>();

    WholeRedo(PartitionStore store) {
        this(store, 1 << 10);
    }

    /**
     * For this store.
     *
     * @param patience the least number of rows inserted before places are given away again
     */
    WholeRedo(PartitionStore store, long patience) {
        redo = new DataRedo(store, patience);
        decoder = redo.newDecoder();
    }

    void apply(long transactionId, byte[] payload) {
        decode(transactionId, payload);
        storeAll();
    }

    /** The first half only, but for what has to be stored before it goes on. */
    RedoBatch decode(long transactionId, byte[] payload) {
        batch.clear();
        add(transactionId, payload);
        return batch;
    }

    /** The same behind what is in the batch already. */
    void add(long transactionId, byte[] payload) {
        records.copyIn(MemorySegment.ofArray(payload), 0, START, payload.length);
        decoder.decode(transactionId, records, START, payload.length, batch, this);
    }

    /** Sets the position of the next records, in a log that has this end. */
    void at(long position, long end) {
        batch.at(position, end);
    }

    /** The second half, of all that was added. */
    void store() {
        redo.apply(batch);
        batch.clear();
    }

    /** The same, and what is left of rows that are in their places. */
    void storeAll() {
        decoder.giveBack(batch, this);
        batch.settle();
        store();
    }

    /** Stores a record and returns the kinds of all its operations. */
    List<Integer> kinds(long transactionId, byte[] payload) {
        stored.clear();
        decode(transactionId, payload);
        exchange(batch);
        return List.copyOf(stored);
    }

    /** Gives back wanted places and returns the kinds of the stored operations. */
    List<Integer> kindsGivenBack() {
        stored.clear();
        batch.clear();
        decoder.giveBackWhatIsWanted(batch, this);
        exchange(batch);
        return List.copyOf(stored);
    }

    private static List<Integer> kinds(RedoBatch of) {
        List<Integer> kinds = new ArrayList<>();
        for (long at = RedoBatch.START;
                at < of.end();
                at += RedoBatch.bytes(of.memory().getLong(at))) {
            kinds.add(RedoBatch.kind(of.memory().getLong(at)));
        }
        return kinds;
    }

    @Override
    public RedoBatch exchange(RedoBatch full) {
        stored.addAll(kinds(full));
        store();
        return full;
    }

    @Override
    public void close() {
        batch.close();
        records.close();
    }
}
