package io.reprise.storage.row;

/**
 * A string value as one word: the place of its bytes in the partition's memory, and their number.
 *
 * <pre>
 *  63                          20 19             0
 * +------------------------------+----------------+
 * | address (44 bits, unsigned)  | length (bytes) |
 * +------------------------------+----------------+
 * </pre>
 */
public final class Ref {
    private static final int LENGTH_BITS = 20;
    private static final long LENGTH_MASK = (1L << LENGTH_BITS) - 1;

    private Ref() {}

    public static long of(long address, int length) {
        return (address << LENGTH_BITS) | length;
    }

    public static long address(long ref) {
        return ref >>> LENGTH_BITS;
    }

    public static int length(long ref) {
        return (int) (ref & LENGTH_MASK);
    }
}
