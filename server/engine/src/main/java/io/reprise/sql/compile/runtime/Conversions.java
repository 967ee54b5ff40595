package io.reprise.sql.compile.runtime;

import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.row.Ref;
import java.math.BigDecimal;

/** CAST between strings and everything else. Errors name the value and the type. */
public final class Conversions {
    /** Reading a number takes the square of its length: a longer text is none. */
    private static final int LONGEST_NUMBER = 400;

    private static final int LONGEST_SHOWN = 60;

    private Conversions() {}

    private static String text(Memory memory, long ref) {
        return Utf8.decode(memory, ref).trim();
    }

    /** A text, shown up to a length, is no value of a type. */
    static ProcedureException notA(Object type, String text) {
        String shown = text.length() > LONGEST_SHOWN ? text.substring(0, LONGEST_SHOWN) + "..." : text;
        return Errors.invalid("'" + shown + "' can't be converted to " + type);
    }

    /** The number that a text is. Its error names the type. */
    static BigDecimal number(String text, Object type) {
        if (text.length() > LONGEST_NUMBER) {
            throw notA(type + ": it has " + text.length() + " characters, and numbers at most " + LONGEST_NUMBER, text);
        }
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw notA(type, text);
        }
    }

    public static long parseLong(Memory memory, long ref) {
        String text = text(memory, ref);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return parseRounded(text);
        }
    }

    private static long parseRounded(String text) {
        return Decimals.rounded(number(text, "an integer"), 0, "BIGINT");
    }

    public static long parseDecimal(Memory memory, long ref, int precision, int scale) {
        String type = "DECIMAL(" + precision + "," + scale + ")";
        return Decimals.unscaled(number(text(memory, ref), type), precision, scale);
    }

    public static double parseDouble(Memory memory, long ref) {
        String text = text(memory, ref);
        double value = number(text, "DOUBLE").doubleValue();
        if (Double.isInfinite(value)) {
            throw Errors.overflow(text + " is out of range for DOUBLE");
        }
        return value + 0.0;
    }

    public static long parseBoolean(Memory memory, long ref) {
        String text = text(memory, ref);
        if (text.equalsIgnoreCase("true")) {
            return 1;
        }
        if (text.equalsIgnoreCase("false")) {
            return 0;
        }
        throw notA("BOOLEAN", text);
    }

    public static long parseTimestamp(Memory memory, long ref) {
        return Timestamps.parse(text(memory, ref));
    }

    /** A TIMESTAMPTZ, with the zone of the text. */
    public static long parseMoment(Memory memory, long ref) {
        return Timestamps.parseMoment(text(memory, ref));
    }

    public static long parseDate(Memory memory, long ref) {
        return Timestamps.parseDate(text(memory, ref));
    }

    /** A number as BOOLEAN: 0 is false. */
    public static long toBoolean(long value) {
        return value == 0 ? 0 : 1;
    }

    public static long booleanToString(PartitionStore store, long value) {
        return Utf8.encode(value == 0 ? "FALSE" : "TRUE", store);
    }

    public static long longToString(PartitionStore store, long value) {
        return Utf8.encode(Long.toString(value), store);
    }

    public static long decimalToString(PartitionStore store, long value, int scale) {
        return Utf8.encode(Decimals.toString(value, scale), store);
    }

    public static long doubleToString(PartitionStore store, double value) {
        return Utf8.encode(Double.toString(value), store);
    }

    public static long timestampToString(PartitionStore store, long value) {
        return Utf8.encode(Timestamps.toString(value), store);
    }

    public static long momentToString(PartitionStore store, long value) {
        return Utf8.encode(Timestamps.toString(value) + "+00", store);
    }

    public static long realToString(PartitionStore store, double value) {
        return Utf8.encode(Float.toString((float) value), store);
    }

    public static long parseTime(Memory memory, long ref) {
        return Timestamps.parseTime(text(memory, ref));
    }

    public static long timeToString(PartitionStore store, long value) {
        return Utf8.encode(Timestamps.timeToString(value), store);
    }

    public static long dateToString(PartitionStore store, long value) {
        return Utf8.encode(Timestamps.dateToString(value), store);
    }

    /** Checks that a value's text fits the VARCHAR that it is converted to; unlike a string it is not cut off. */
    public static long checkLength(long ref, int characters) {
        if (Ref.length(ref) > characters) {
            throw Errors.tooLong(
                    "a value of " + Ref.length(ref) + " characters does not fit VARCHAR(" + characters + ")");
        }
        return ref;
    }
}
