package io.reprise.redo;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Both halves of redo on one thread, the first of them by several decoders in turns, whose batches are stored much later. */
public final class RedoInTurns implements AutoCloseable, RedoBatches {
    private static final long START = 64;
    private static final int LARGEST = 32 << 20;

    private final DataRedo redo;
    private final List<DataDecoder> decoders;
    private final int turn;
    private final Memory records = Memory.reserve(2L * LARGEST);
    private final List<RedoBatch> decoded = new ArrayList<>();
    private RedoBatch batch = new RedoBatch();
    private int added;

    /**
     * For this store.
     *
     * @param patience the least number of rows inserted before places are given away again
     * @param turn the number of records a decoder has before it is the next one's turn
     */
    public RedoInTurns(PartitionStore store, long patience, int decoders, int turn) {
        redo = new DataRedo(store, patience);
        this.decoders = Stream.generate(redo::newDecoder).limit(decoders).toList();
        this.turn = turn;
    }

    /** The first half. */
    public void add(long transactionId, byte[] payload) {
        DataDecoder decoder = decoders.get(added++ / turn % decoders.size());
        records.copyIn(MemorySegment.ofArray(payload), 0, START, payload.length);
        decoder.decode(transactionId, records, START, payload.length, batch, this);
        if (added % turn == 0) {
            if (decoder.isWantedBack()) {
                decoder.giveBackWhatIsWanted(batch, this);
            }
            exchange(batch);
        }
    }

    /** The second half. */
    public void store() {
        exchange(batch);
        for (RedoBatch each : decoded) {
            redo.apply(each);
            each.close();
        }
        decoded.clear();
    }

    /** The same, and all places are given back. */
    public void storeAll() {
        decoders.forEach(decoder -> decoder.giveBack(batch, this));
        batch.settle();
        store();
    }

    @Override
    public RedoBatch exchange(RedoBatch full) {
        decoded.add(full);
        batch = new RedoBatch();
        return batch;
    }

    @Override
    public void close() {
        batch.close();
        records.close();
    }
}
