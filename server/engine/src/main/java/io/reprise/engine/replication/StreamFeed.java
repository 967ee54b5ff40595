package io.reprise.engine.replication;

import io.reprise.cluster.replica.OlderRecords;
import io.reprise.cluster.replica.ReplicaRecord;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.agent.Waker;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Records of one partition's stream, which the thread of {@link StreamFeeds} reads from the node's log for one peer.
 *
 * <p>Records arrive in chunks by a bounded ring. The partition's thread owns all but the state and the ring's other end.
 */
final class StreamFeed implements OlderRecords {
    private static final int CHUNKS_UNDER_WAY = 8;

    /** The partition's thread takes no further chunk while it has so many bytes. */
    private static final long MOST_HELD_BYTES = 8 << 20;

    /** Records in the order of their indexes. */
    record Chunk(long first, byte[][] records, long bytes) {
        long next() {
            return first + records.length;
        }
    }

    private final int partition;
    private final long from;
    private final EpochTable epochs;
    private final SpscRing<Chunk> arriving;
    private final Waker feeder;
    private final Runnable onGone;
    private final AtomicReference<String> failure = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ArrayDeque<Chunk> held = new ArrayDeque<>();
    private long heldBytes;

    /** The chunk of the record that was asked for last, or null. */
    private Chunk last;

    /**
     * A feed without records.
     *
     * @param from the index of the first record
     * @param epochs of the stream
     * @param site wakes the partition's thread; null if it polls
     * @param feeder wakes the thread that reads; null if it polls
     * @param onGone runs on the partition's thread when it learns that the files do not have the records
     */
    StreamFeed(int partition, long from, EpochTable epochs, Waker site, Waker feeder, Runnable onGone) {
        this.partition = partition;
        this.from = from;
        this.epochs = epochs;
        this.feeder = feeder;
        this.onGone = onGone;
        arriving = new SpscRing<>(CHUNKS_UNDER_WAY, site);
    }

    int partition() {
        return partition;
    }

    long from() {
        return from;
    }

    // ---- The partition's thread

    @Override
    public boolean isReady() {
        take();
        return !held.isEmpty();
    }

    @Override
    public boolean isGone() {
        if (failure.get() == null) {
            return false;
        }
        onGone.run();
        return true;
    }

    @Override
    public ReplicaRecord record(long index) {
        take();
        if (last == null || index < last.first || index >= last.next()) {
            last = null;
            for (Chunk each : held) {
                if (index >= each.first && index < each.next()) {
                    last = each;
                    break;
                }
            }
        }
        return last == null ? null : new ReplicaRecord(epochs.at(index), last.records[(int) (index - last.first)]);
    }

    private void take() {
        while (heldBytes < MOST_HELD_BYTES && arriving.peek() != null) {
            Chunk next = arriving.poll();
            heldBytes += next.bytes;
            held.add(next);
            wakeFeeder();
        }
    }

    @Override
    public void release(long index) {
        while (!held.isEmpty() && held.peek().next() <= index) {
            heldBytes -= held.poll().bytes;
        }
        take();
    }

    @Override
    public void close() {
        closed.set(true);
        wakeFeeder();
    }

    private void wakeFeeder() {
        if (feeder != null) {
            feeder.wake();
        }
    }

    // ---- The feeding thread

    /** Returns false if there is no room at the moment. */
    boolean offer(Chunk chunk) {
        return arriving.offer(chunk);
    }

    /** The records can't be had. */
    void fail(String why) {
        failure.set(why);
    }

    boolean isClosed() {
        return closed.get();
    }
}
