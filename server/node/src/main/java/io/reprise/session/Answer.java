package io.reprise.session;

import io.reprise.sql.compile.runtime.RowBuffer;
import java.util.List;

/**
 * The answer to one statement.
 *
 * @param tag the command tag, without the count of a query
 * @param columns the columns of a result; empty if it has no rows
 * @param rows the engine's rows; null if there are none
 * @param values rows of the session itself; used where {@code rows} is null
 * @param returnsRows whether it is a query
 */
public record Answer(String tag, List<ResultColumn> columns, Rows rows, List<Object[]> values, boolean returnsRows) {
    /** A part of the engine's rows. Several parts may share a buffer, and are read in any order. */
    public static final class Rows {
        private final Reading reading;
        private final int first;
        private final int count;

        private Rows(Reading reading, int first, int count) {
            this.reading = reading;
            this.first = first;
            this.count = count;
        }

        /** The buffer, at the row of the last {@link #go}. */
        public RowBuffer buffer() {
            return reading.buffer;
        }

        /** The number of rows. */
        public int count() {
            return count;
        }

        /** Goes to a row, from 0. Fast for rows in their order. */
        public void go(int row) {
            reading.go(first + row);
        }
    }

    /** The place in a buffer that was read last. */
    private static final class Reading {
        private final RowBuffer buffer;
        private int next;

        Reading(RowBuffer buffer) {
            this.buffer = buffer;
            buffer.rewind();
        }

        void go(int row) {
            if (row < next) {
                buffer.rewind();
                next = 0;
            }
            while (next <= row) {
                buffer.next();
                next++;
            }
        }
    }

    /** An answer without rows. */
    public static Answer done(String tag) {
        return new Answer(tag, List.of(), null, List.of(), false);
    }

    /** Rows of the engine. */
    public static Answer of(String tag, List<ResultColumn> columns, RowBuffer rows) {
        return new Answer(tag, columns, new Rows(new Reading(rows), 0, rows.count()), List.of(), true);
    }

    /** Rows of the session. */
    public static Answer of(String tag, List<ResultColumn> columns, List<Object[]> values) {
        return new Answer(tag, columns, null, values, true);
    }

    /** The number of rows. */
    public int count() {
        return rows == null ? values.size() : rows.count();
    }

    /** A part of the rows, as the answer to another statement. */
    Answer part(String ofTag, int from, int size) {
        return rows == null
                ? new Answer(ofTag, columns, null, values.subList(from, from + size), true)
                : new Answer(ofTag, columns, new Rows(rows.reading, from, size), List.of(), true);
    }
}
