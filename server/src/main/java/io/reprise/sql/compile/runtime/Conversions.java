package io.reprise.sql.compile.runtime;

import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.row.Ref;
import java.math.BigDecimal;

/** CAST between strings and everything else. Errors name the value and the type. */
public final class Conversions {
    private Conversions() {}

    private static String text(Memory memory, long ref) {
        return Utf8.decode(memory, ref).trim();
    }

    private static ProcedureException notA(String type, String text) {
        return Errors.invalid("'" + text + "' can't be converted to " + type);
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
        try {
            return Decimals.unscaled(new BigDecimal(text), Decimals.POWERS.length - 1, 0);
        } catch (NumberFormatException e) {
            throw notA("an integer", text);
        }
    }

    public static long parseDecimal(Memory memory, long ref, int precision, int scale) {
        String text = text(memory, ref);
        try {
            return Decimals.unscaled(new BigDecimal(text), precision, scale);
        } catch (NumberFormatException e) {
            throw notA("DECIMAL(" + precision + "," + scale + ")", text);
        }
    }

    public static double parseDouble(Memory memory, long ref) {
        String text = text(memory, ref);
        double value;
        try {
            value = new BigDecimal(text).doubleValue();
        } catch (NumberFormatException e) {
            throw notA("DOUBLE", text);
        }
        if (Double.isInfinite(value)) {
            throw Errors.overflow(text + " is out of range for DOUBLE");
        }
        return value;
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
