package io.reprise.recovery.demand;

import io.reprise.execution.Execution;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.Waker;
import io.reprise.snapshot.file.BucketBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/** The slices and blocks of a {@link BucketLoadAgent}: free ones, and those at partitions. Owned by the agent's thread. */
final class SliceSender implements AutoCloseable {
    /** The most slices at partitions. */
    static final int MOST_UNDER_WAY = 16;

    private static final int BLOCKS = 4;
    private static final int RINGS = 1024;

    private final PartitionLoad[] loads;
    private final MpscRing<LoadSlice> done;
    private final MpscRing<LoadSlice> free;
    private final Deque<LoadSlice> idle = new ArrayDeque<>();
    private final Deque<BucketBlock> freeBlocks = new ArrayDeque<>();
    private final List<BucketBlock> blocks = new ArrayList<>();
    private BiPredicate<Integer, Execution> initiators;
    private Consumer<LoadSlice> listener = slice -> {};
    private int underWay;
    private int made;

    SliceSender(PartitionLoad[] loads, Waker waker) {
        this.loads = loads;
        done = new MpscRing<>(RINGS, waker);
        free = new MpscRing<>(RINGS);
        for (int i = 0; i < BLOCKS; i++) {
            blocks.add(new BucketBlock());
        }
        freeBlocks.addAll(blocks);
    }

    void sendBy(BiPredicate<Integer, Execution> by) {
        initiators = by;
    }

    /** Tells the listener of each slice that has run. */
    void tell(Consumer<LoadSlice> newListener) {
        listener = newListener;
    }

    /** Takes back slices that have run. Returns their number. */
    int takeBack() {
        for (LoadSlice slice = free.poll(); slice != null; slice = free.poll()) {
            idle.push(slice);
        }
        int count = 0;
        for (LoadSlice slice = done.poll(); slice != null; slice = done.poll()) {
            underWay--;
            count++;
            listener.accept(slice);
        }
        return count;
    }

    boolean hasRoom() {
        return underWay < MOST_UNDER_WAY && (!idle.isEmpty() || made < RINGS);
    }

    int underWay() {
        return underWay;
    }

    /** A free slice for a partition; only with {@link #hasRoom}. */
    LoadSlice take(int partition) {
        LoadSlice slice = idle.poll();
        if (slice == null) {
            slice = new LoadSlice(loads, done, free);
            made++;
        }
        return slice.begin(partition);
    }

    /** Sends a slice; false if the initiator has no room for it. */
    boolean send(LoadSlice slice) {
        if (!initiators.test(slice.execution().participant(0), slice.execution())) {
            return false;
        }
        underWay++;
        return true;
    }

    /** A free block, or null. */
    BucketBlock takeBlock() {
        return freeBlocks.poll();
    }

    void giveBack(BucketBlock block) {
        freeBlocks.add(block);
    }

    @Override
    public void close() {
        blocks.forEach(BucketBlock::close);
    }
}
