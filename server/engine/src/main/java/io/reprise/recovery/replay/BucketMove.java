package io.reprise.recovery.replay;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The payload of a MOVE record: buckets that leave a partition or come to it. The records of both partitions have the same
 * transaction id. Behind the record that a bucket leaves with, its rows are not in the partition any more.
 *
 * <pre>
 *  1 byte 0: they leave, 1: they come | 4 the other partition | 4 buckets, each 4
 *  | 4 blocks, each: 4 length, a block of {@link PartitionImage}; none if they leave
 * </pre>
 *
 * <p>All numbers are big-endian.
 *
 * @param comes whether the buckets come to the partition
 * @param other the partition at the other end
 * @param buckets the buckets
 * @param blocks their rows, and the outcomes of calls
 */
public record BucketMove(boolean comes, int other, BitSet buckets, List<byte[]> blocks) {
    /** A move with copies of its parts. */
    public BucketMove {
        buckets = (BitSet) buckets.clone();
        blocks = List.copyOf(blocks);
    }

    /** The payload of a record. */
    public byte[] encode() {
        int bytes = 1 + 3 * Integer.BYTES + Integer.BYTES * buckets.cardinality();
        for (byte[] block : blocks) {
            bytes += Integer.BYTES + block.length;
        }
        ByteBuffer to = ByteBuffer.allocate(bytes).put((byte) (comes ? 1 : 0)).putInt(other);
        to.putInt(buckets.cardinality());
        for (int bucket = buckets.nextSetBit(0); bucket >= 0; bucket = buckets.nextSetBit(bucket + 1)) {
            to.putInt(bucket);
        }
        to.putInt(blocks.size());
        blocks.forEach(block -> to.putInt(block.length).put(block));
        return to.array();
    }

    /** The move for people. */
    public String text() {
        return "buckets " + buckets + (comes ? " come from partition " : " go to partition ") + other;
    }

    /** Reads a payload. */
    public static BucketMove decode(byte[] payload) {
        return decode(ByteBuffer.wrap(payload));
    }

    /** Reads what {@link #encode} made, to the end of the bytes. */
    public static BucketMove decode(ByteBuffer in) {
        boolean comes = in.get() != 0;
        int other = in.getInt();
        BitSet buckets = new BitSet();
        for (int left = in.getInt(); left > 0; left--) {
            buckets.set(in.getInt());
        }
        List<byte[]> blocks = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            byte[] block = new byte[in.getInt()];
            in.get(block);
            blocks.add(block);
        }
        return new BucketMove(comes, other, buckets, blocks);
    }
}
