package io.reprise.cluster.replica;

import io.reprise.runtime.memory.Varint;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The bytes of a log's moved buckets in a live entry. They take little, because the membership service bounds an entry by 1 MiB, and a
 * cluster may have moved each of its buckets several times.
 *
 * <pre>
 *  4 buckets, big-endian, then for each by number: varint of the distance from the number before | varint of its partition
 * </pre>
 *
 * A varint has seven bits in each byte, the lowest first; all bytes but the last have the highest bit.
 */
final class MovedBuckets {
    private static final int VARINT_BITS = 7;
    private static final int MORE = 1 << VARINT_BITS;

    private MovedBuckets() {}

    /** The length of the bytes. */
    static int bytes(SortedMap<Integer, Integer> moved) {
        int bytes = Integer.BYTES;
        int before = 0;
        for (Map.Entry<Integer, Integer> each : moved.entrySet()) {
            bytes += Varint.size(each.getKey() - before) + Varint.size(each.getValue());
            before = each.getKey();
        }
        return bytes;
    }

    static void encode(SortedMap<Integer, Integer> moved, ByteBuffer to) {
        to.putInt(moved.size());
        int before = 0;
        for (Map.Entry<Integer, Integer> each : moved.entrySet()) {
            putVarint(to, each.getKey() - before);
            putVarint(to, each.getValue());
            before = each.getKey();
        }
    }

    /** Reads what {@link #encode} wrote. */
    static SortedMap<Integer, Integer> decode(ByteBuffer from) {
        SortedMap<Integer, Integer> moved = new TreeMap<>();
        int bucket = 0;
        for (int left = from.getInt(); left > 0; left--) {
            bucket += varint(from);
            moved.put(bucket, varint(from));
        }
        return moved;
    }

    private static void putVarint(ByteBuffer to, int value) {
        int left = value;
        while (left >= MORE) {
            to.put((byte) (left | MORE));
            left >>>= VARINT_BITS;
        }
        to.put((byte) left);
    }

    private static int varint(ByteBuffer from) {
        int value = 0;
        int shift = 0;
        byte next = from.get();
        while (next < 0) {
            value |= (next & (MORE - 1)) << shift;
            shift += VARINT_BITS;
            next = from.get();
        }
        return value | (next << shift);
    }
}
