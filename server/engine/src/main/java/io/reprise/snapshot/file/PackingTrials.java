package io.reprise.snapshot.file;

import java.util.Arrays;

/**
 * Decides for each table whether a block is worth the time that packing takes. Rows of one table are much alike: if a
 * block of them did not become smaller, the next ones won't either. They are left out, more of them each time, but
 * only up to a bound, so that a table with new rows gets another trial. The choice depends on the blocks alone, so
 * that the same rows make the same file.
 *
 * <p>A block counts as one of the table that has most of it.
 */
final class PackingTrials {
    /** Behind a trial in vain, at most. */
    static final int MOST_LEFT_OUT = 15;

    private static final int TABLES = 16;

    /** By table: the number of blocks left out behind the last trial. */
    private byte[] leftOut = new byte[TABLES];

    /** By table: the number of these still to come. */
    private byte[] toCome = new byte[TABLES];

    /** Nothing is known of any table. */
    void clear() {
        Arrays.fill(leftOut, (byte) 0);
        Arrays.fill(toCome, (byte) 0);
    }

    /** Whether the next block of the table is to be tried; if not, it counts as left out. */
    boolean isDue(int table) {
        if (table >= toCome.length || toCome[table] == 0) {
            return true;
        }
        toCome[table]--;
        return false;
    }

    /** Notes the result of a trial. */
    void tried(int table, boolean paid) {
        if (table >= leftOut.length) {
            int length = Math.max(table + 1, 2 * leftOut.length);
            leftOut = Arrays.copyOf(leftOut, length);
            toCome = Arrays.copyOf(toCome, length);
        }
        leftOut[table] = (byte) (paid ? 0 : Math.min(2 * leftOut[table] + 1, MOST_LEFT_OUT));
        toCome[table] = leftOut[table];
    }
}
