package io.reprise.recovery.rebuild;

import io.reprise.execution.Partition;
import io.reprise.recovery.replay.PartitionImage;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * The way of rebuilt rows into their partition: small blocks, bucket by bucket, a few of them under way. Buckets that calls wait for come first.
 * Owned by the rebuild's thread.
 */
final class BucketFill {
    private static final int MOST_UNDER_WAY = 4;

    private final BucketRows rows;
    private final Partition partition;
    private final PartitionImage image;
    private final BitSet left;
    private final List<Integer> asked;
    private final Tasks tasks;
    private final RebuildPorts ports;
    private final long before;
    private Deque<byte[]> blocks = new ArrayDeque<>();
    private int bucket = -1;
    private long sent;

    /** Buckets that are sent whole, in order, each with the number of tasks up to its end. */
    private final Deque<long[]> ends = new ArrayDeque<>();

    BucketFill(
            BucketRows rows,
            Partition partition,
            BitSet buckets,
            List<Integer> asked,
            Tasks tasks,
            RebuildPorts ports) {
        this.rows = rows;
        this.partition = partition;
        this.asked = asked;
        this.tasks = tasks;
        this.ports = ports;
        left = (BitSet) buckets.clone();
        image = new PartitionImage(partition);
        before = tasks.completed();
    }

    /** Has the replicated tables come before all buckets. */
    void addReplicated() {
        blocks = rows.ofReplicated();
    }

    /** Sends blocks as long as there is room. Returns their number. */
    int step() {
        int count = 0;
        while (tasks.underWay() < MOST_UNDER_WAY && prepare()) {
            if (blocks.isEmpty()) {
                ends.add(new long[] {bucket, sent});
                bucket = -1;
            } else if (send(blocks.peek())) {
                blocks.remove();
                sent++;
            } else {
                return count;
            }
            count++;
        }
        return count;
    }

    /** Begins the next bucket if there is none. Returns whether there is something to send. */
    private boolean prepare() {
        if (bucket >= 0 || !blocks.isEmpty()) {
            return true;
        }
        if (left.isEmpty()) {
            return false;
        }
        bucket = next();
        left.clear(bucket);
        blocks = rows.ofBucket(bucket);
        return true;
    }

    private int next() {
        for (int wanted : asked) {
            if (left.get(wanted)) {
                return wanted;
            }
        }
        return left.nextSetBit(0);
    }

    private boolean send(byte[] block) {
        return tasks.send(task -> ports.atPartition(partition.id(), task), () -> {
            partition.store().beginLoad();
            try {
                image.load(block);
            } finally {
                partition.store().endLoad();
            }
        });
    }

    /** The next bucket whose rows are all there; -1: none. */
    int nextFull() {
        if (ends.isEmpty() || tasks.completed() - before < ends.peek()[1]) {
            return -1;
        }
        return (int) ends.remove()[0];
    }

    /** Whether all buckets are full. */
    boolean isOver() {
        return left.isEmpty() && bucket < 0 && blocks.isEmpty() && ends.isEmpty();
    }
}
