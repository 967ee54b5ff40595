package io.reprise.footprint;

/**
 * Footprints of several transactions of a partition as raw words. It goes from the partition's holder to the footprint agent and back.
 *
 * <pre>
 *  a transaction:  id, number of words that follow or -1 if coarse, words
 *  a word:         bit 63 set: the number of an access, of the rows that follow; otherwise a row id
 * </pre>
 */
public final class FootprintChunk {
    /** The bit of a word that names an access. */
    static final long ACCESS = 1L << 63;

    /** The words of a transaction before its rows. */
    static final int HEADER = 2;

    static final int COARSE = -1;

    final long[] words;
    int used;
    AccessTable accesses = AccessTable.EMPTY;

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
}
