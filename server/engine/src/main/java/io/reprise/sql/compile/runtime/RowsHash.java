package io.reprise.sql.compile.runtime;

import io.reprise.storage.row.Ref;

/**
 * A keyed hash of a result that does not depend on the order of its rows: the sum of the rows' hashes. Two results are taken for equal
 * if their hashes and their numbers of rows are.
 */
public final class RowsHash {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final long NULL = 0x6A09E667F3BCC909L;

    private RowsHash() {}

    /** The hash of all rows. Leaves the cursor before the first row. */
    public static long of(RowBuffer rows, long key) {
        long sum = 0;
        rows.rewind();
        while (rows.next()) {
            long hash = key;
            for (int column = 0; column < rows.columns(); column++) {
                hash = mix(hash + GOLDEN ^ value(rows, column));
            }
            sum += hash;
        }
        rows.rewind();
        return sum;
    }

    private static long value(RowBuffer rows, int column) {
        if (rows.isNull(column)) {
            return NULL;
        }
        long word = rows.word(column);
        if (!rows.shape.types[column].kind().isString()) {
            return word;
        }
        byte[] bytes = new byte[Ref.length(word)];
        rows.copyString(word, bytes, 0);
        long hash = bytes.length;
        for (byte each : bytes) {
            hash = (hash ^ each) * GOLDEN;
            hash ^= hash >>> 29;
        }
        return hash;
    }

    private static long mix(long value) {
        long hash = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        hash = (hash ^ hash >>> 27) * 0x94D049BB133111EBL;
        return hash ^ hash >>> 31;
    }
}
