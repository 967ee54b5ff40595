package io.reprise.client;

import io.reprise.wire.ArgumentWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;

/** Writes arguments that are given as objects: the convenient way. */
final class ObjectArguments {
    private static final long MICROS_OF_SECOND = 1_000_000;
    private static final long NANOS_OF_MICRO = 1_000;

    private ObjectArguments() {}

    static ArgumentWriter write(Object... values) {
        ArgumentWriter to = new ArgumentWriter();
        for (int i = 0; i < values.length; i++) {
            add(to, values[i], i + 1);
        }
        return to;
    }

    /** Writes the arguments of rows one after the other. */
    static ArgumentWriter writeRows(List<Object[]> rows) {
        ArgumentWriter to = new ArgumentWriter();
        int columns = rows.get(0).length;
        for (Object[] row : rows) {
            if (row.length != columns || columns == 0) {
                throw new IllegalArgumentException(
                        "a row has " + row.length + " arguments, and the first one has " + columns);
            }
            for (int i = 0; i < columns; i++) {
                add(to, row[i], i + 1);
            }
        }
        return to;
    }

    private static void add(ArgumentWriter to, Object value, int number) {
        if (value == null) {
            to.addNull();
        } else if (value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte) {
            to.add(((Number) value).longValue());
        } else if (value instanceof Double || value instanceof Float) {
            to.add(((Number) value).doubleValue());
        } else if (value instanceof Boolean bool) {
            to.add(bool.booleanValue());
        } else if (value instanceof String text) {
            to.add(text);
        } else if (value instanceof BigDecimal decimal) {
            to.add(decimal);
        } else if (value instanceof Instant instant) {
            to.add(micros(instant, number));
        } else if (value instanceof LocalDate date) {
            to.add(date.toEpochDay());
        } else if (value instanceof LocalTime time) {
            to.add(time.toNanoOfDay() / NANOS_OF_MICRO);
        } else {
            addArray(to, value, number);
        }
    }

    /** Rounded down. By hand, because Java 17 goes by nanoseconds, of which a long has 292 years. */
    private static long micros(Instant instant, int number) {
        long seconds = instant.getEpochSecond();
        long micros = instant.getNano() / NANOS_OF_MICRO;
        try {
            // The first second of all is not whole: its microseconds fit, and its beginning does not.
            return seconds < 0
                    ? Math.addExact(Math.multiplyExact(seconds + 1, MICROS_OF_SECOND), micros - MICROS_OF_SECOND)
                    : Math.addExact(Math.multiplyExact(seconds, MICROS_OF_SECOND), micros);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "argument " + number + " is the time " + instant + ", which is too far from 1970 for a TIMESTAMP",
                    e);
        }
    }

    private static void addArray(ArgumentWriter to, Object value, int number) {
        if (value instanceof byte[] bytes) {
            to.add(bytes);
        } else if (value instanceof int[] ints) {
            to.add(ints);
        } else if (value instanceof long[] longs) {
            to.add(longs);
        } else if (value instanceof double[] doubles) {
            to.add(doubles);
        } else if (value instanceof String[] strings) {
            to.add(strings);
        } else {
            throw new IllegalArgumentException("argument " + number + " is a "
                    + value.getClass().getTypeName()
                    + ", which a procedure can't take; pass a boolean, an integer, a double,"
                    + " a String, a BigDecimal, an Instant, a LocalDate, a LocalTime, a byte[], or an array of int, long, double or"
                    + " String");
        }
    }
}
