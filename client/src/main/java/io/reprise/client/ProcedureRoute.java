package io.reprise.client;

import io.reprise.wire.ArgumentWriter;
import java.util.List;

/**
 * The form of calls of a procedure on one connection.
 *
 * @param handle the server's number of the procedure
 * @param routingParameter the argument that decides on the partition, from 1; 0: none does
 */
record ProcedureRoute(int handle, int routingParameter) {
    private static final int MAX_PARTITION = (1 << 16) - 1;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** The batch of a call: its partition, from 1, or 0 if that is not known. */
    int batch(ArgumentWriter arguments, int[] partitionOfBucket) {
        if (routingParameter == 0 || partitionOfBucket.length == 0) {
            return 0;
        }
        return partition(arguments.partitioningValue(routingParameter - 1), partitionOfBucket) + 1;
    }

    /** The partition of a partitioning value, by the top bits of its product with the golden ratio. */
    static int partition(long value, int[] partitionOfBucket) {
        int bits = Integer.numberOfTrailingZeros(partitionOfBucket.length);
        return partitionOfBucket[(int) ((value * GOLDEN) >>> (Long.SIZE - bits))];
    }

    /** The partition of each bucket; nothing where there is only one, or a map that makes no sense: it is only a hint. */
    static int[] partitions(List<Integer> partitionOfBucket) {
        int[] map = partitionOfBucket.stream().mapToInt(Integer::intValue).toArray();
        int most = 0;
        for (int partition : map) {
            if (partition < 0 || partition > MAX_PARTITION) {
                return new int[0];
            }
            most = Math.max(most, partition);
        }
        return most == 0 || Integer.bitCount(map.length) != 1 || map.length == 1 ? new int[0] : map;
    }
}
