package io.reprise.footprint;

/**
 * Footprints of several transactions of a partition as raw words. It goes from the partition's holder to the footprint agent and back.
 *
 * <pre>
 *  a transaction:  id, sizes, words
 *  sizes:          bits 0 to 31: number of words that follow or -1 if coarse; bit 32: data record; bit 33: several partitions;
 *                  bit 34: another partition is the home; bit 35: not for the log; bits 36 to 63: the procedure's version
 *  words:          rows, see {@link FootprintWords}
 * </pre>
 */
public final class FootprintChunk {
    /** The words of a transaction before its rows. */
    static final int HEADER = 2;

    static final int COARSE = -1;

    /** The flags of elements that are no rows of partitioned tables. */
    static final int NO_ROWS = AccessTable.PARTS | AccessTable.REPLICATED;

    private static final int VERSION_SHIFT = 36;
    private static final long ADVICE = 1L << 35;
    private static final long ELSEWHERE = 1L << 34;
    private static final long DISTRIBUTED = 1L << 33;
    private static final long DATA = 1L << 32;

    /** A visitor of the rows of a transaction. */
    @FunctionalInterface
    public interface Visitor {
        /** A row of a table, with its pieces that were read and written. */
        void row(int table, long row, long reads, long writes);
    }

    final long[] words;
    int used;
    AccessTable accesses = AccessTable.EMPTY;

    /** The present transaction of {@link #nextTransaction}, or -1. */
    private int present = -1;

    FootprintChunk(int words) {
        this.words = new long[words];
    }

    /** The last transaction of the chunk; 0 if it has none. */
    public long lastTransaction() {
        long last = 0;
        for (int at = 0; at < used; at += HEADER + Math.max(0, (int) words[at + 1])) {
            last = words[at];
        }
        return last;
    }

    /** The tag of a transaction, for the upper bits of its sizes. */
    static long tag(int version, boolean distributed, boolean elsewhere, boolean data) {
        return (long) version << VERSION_SHIFT
                | (elsewhere ? ELSEWHERE : 0)
                | (distributed ? DISTRIBUTED : 0)
                | (data ? DATA : 0);
    }

    /** The tag of a footprint that is not logged: the choice of later records needs it alone. */
    static long advice(int version, boolean elsewhere, boolean data) {
        return tag(version, true, elsewhere, data) | ADVICE;
    }

    /** Whether the transaction at a place is not for the log. */
    boolean isAdvice(int place) {
        return (words[place + 1] & ADVICE) != 0;
    }

    /** Moves to the next transaction. Returns false behind the last one; then it starts again. */
    public boolean nextTransaction() {
        present = present < 0 ? 0 : present + HEADER + Math.max(0, (int) words[present + 1]);
        if (present >= used) {
            present = -1;
            return false;
        }
        return true;
    }

    /** The version of the present transaction's procedure. */
    public int version() {
        return (int) (words[present + 1] >>> VERSION_SHIFT);
    }

    /** Whether the present transaction has several partitions. */
    public boolean isDistributed() {
        return (words[present + 1] & DISTRIBUTED) != 0;
    }

    /** Whether another partition is the home of the present transaction. */
    public boolean isElsewhere() {
        return (words[present + 1] & ELSEWHERE) != 0;
    }

    /** Whether the present transaction is logged as data. */
    public boolean isData() {
        return (words[present + 1] & DATA) != 0;
    }

    /** Visits the present transaction's rows of partitioned tables, in the order in which they were told. A coarse one has none. */
    public void visit(Visitor visitor) {
        int from = present + HEADER;
        int to = from + Math.max(0, (int) words[present + 1]);
        FootprintWords.visit(accesses, words, from, to, NO_ROWS, visitor);
    }
}
