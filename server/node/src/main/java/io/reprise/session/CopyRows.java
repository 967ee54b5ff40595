package io.reprise.session;

import java.util.Arrays;

/**
 * Splits the data of a COPY into rows. Data comes in pieces of any length, so the beginning of a row may have to wait for its end.
 * Owned by a session.
 */
abstract sealed class CopyRows permits CopyLines, CopyTuples {
    private static final int FIRST_BYTES = 1 << 14;

    /** The longest row. */
    static final int MOST_ROW_BYTES = 64 << 20;

    /** Takes rows. */
    interface Receiver {
        /**
         * Takes a row.
         *
         * @param fields its fields; null: NULL
         * @param line the line or the number of the row, from 1
         */
        void row(byte[][] fields, long line);
    }

    /** The data from {@link #begin} to {@link #end} is not split yet. */
    private byte[] buffer = new byte[FIRST_BYTES];

    private int begin;
    private int end;

    final byte[] buffer() {
        return buffer;
    }

    final int begin() {
        return begin;
    }

    final int end() {
        return end;
    }

    /** Everything before a place is split. */
    final void splitTo(int place) {
        begin = place;
    }

    /** Takes a piece of the data. */
    final void take(byte[] piece) {
        if (piece.length > buffer.length - end) {
            int length = end - begin;
            if ((long) length + piece.length > MOST_ROW_BYTES) {
                throw new SessionException(
                        SqlStates.LIMIT_EXCEEDED, "a row of the data is longer than " + MOST_ROW_BYTES + " bytes");
            }
            byte[] next = length + piece.length <= buffer.length / 2
                    ? buffer
                    : Arrays.copyOf(buffer, Math.max(2 * buffer.length, length + piece.length));
            System.arraycopy(buffer, begin, next, 0, length);
            moved(begin);
            buffer = next;
            begin = 0;
            end = length;
        }
        System.arraycopy(piece, 0, buffer, end, piece.length);
        end += piece.length;
        split();
    }

    /** The data has moved down in the buffer. */
    void moved(int by) {}

    /** Splits the rows that are complete. */
    abstract void split();

    /** The data has ended: splits the last row. */
    abstract void finish();

    /** The line or the number of the row that was split last or is being split. */
    abstract long line();
}
