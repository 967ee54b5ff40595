package io.reprise.footprint;

/**
 * The words of raw footprints: each row with the number of its access. Nearly all rows take one word.
 *
 * <pre>
 *  bit 63 clear:  bits 0 to 33 the row's number, 34 to 49 its bucket, 50 to 62 the access
 *  bit 63 set:    the access; the next word is the row's id
 * </pre>
 */
final class FootprintWords {
    /** The most words of a row. */
    static final int MOST = 2;

    private static final int NUMBER_BITS = 34;
    private static final int ACCESS_SHIFT = NUMBER_BITS + FootprintFormat.BUCKET_BITS;
    private static final int ACCESSES = 1 << Long.SIZE - 1 - ACCESS_SHIFT;
    private static final long NUMBER = (1L << NUMBER_BITS) - 1;
    private static final long BUCKET = (1L << ACCESS_SHIFT) - 1 & ~NUMBER;
    private static final int BUCKET_MOVE = FootprintFormat.NUMBER_BITS - NUMBER_BITS;

    /** The bits of a row's number that a short word has no room for. */
    private static final long LARGE = (1L << FootprintFormat.NUMBER_BITS) - 1 & ~NUMBER;

    private static final long LONG = 1L << 63;

    private FootprintWords() {}

    /** An access as it stands in a word. */
    static long access(int number) {
        return number < ACCESSES ? (long) number << ACCESS_SHIFT : LONG | number;
    }

    /** Puts a row, by its id, with its access as {@link #access} has it. Returns the place behind it. */
    static int put(long[] words, int at, long access, long row) {
        if (access >= 0 && (row & LARGE) == 0) {
            words[at] = access | row >>> BUCKET_MOVE & BUCKET | row & NUMBER;
            return at + 1;
        }
        words[at] = LONG | number(access);
        words[at + 1] = row;
        return at + MOST;
    }

    /** The words of the row whose first word is given. */
    static int length(long word) {
        return word < 0 ? MOST : 1;
    }

    /** The number of the access in a row's first word. */
    static int number(long word) {
        return word < 0 ? (int) word : (int) (word >>> ACCESS_SHIFT);
    }

    /** The id of the row whose words begin at a place. */
    static long row(long[] words, int at) {
        long word = words[at];
        return word < 0 ? words[at + 1] : (word & BUCKET) << BUCKET_MOVE | word & NUMBER;
    }

    /** Visits the rows between two places, in the order in which they were told, unless their access has one of the flags. */
    static void visit(
            AccessTable accesses, long[] words, int from, int to, int without, FootprintChunk.Visitor visitor) {
        for (int at = from; at < to; at += length(words[at])) {
            int access = number(words[at]);
            if ((accesses.flags(access) & without) == 0) {
                visitor.row(accesses.table(access), row(words, at), accesses.read(access), accesses.written(access));
            }
        }
    }
}
