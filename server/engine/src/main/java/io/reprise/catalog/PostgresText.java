package io.reprise.catalog;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalTime;

/** Numbers and times as text, as PostgreSQL writes them: the shortest digits, and no zeros at the end of a fraction. */
public final class PostgresText {
    private static final int LEAST_PLAIN_EXPONENT = -4;
    private static final int MOST_PLAIN_EXPONENT = 14;
    private static final int WITHOUT_SECONDS = 5;

    private PostgresText() {}

    /** A REAL or DOUBLE. */
    public static String ofNumber(SqlType type, double value) {
        return ofNumber(type.isReal() ? Double.parseDouble(Float.toString((float) value)) : value);
    }

    /** A DOUBLE; an exponent from 15 digits on. */
    public static String ofNumber(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "Infinity" : "-Infinity";
        }
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal exact = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        int exponent = exact.precision() - exact.scale() - 1;
        if (exponent >= LEAST_PLAIN_EXPONENT && exponent <= MOST_PLAIN_EXPONENT) {
            return exact.toPlainString();
        }
        String digits = exact.unscaledValue().abs().toString();
        return (value < 0 ? "-" : "")
                + digits.charAt(0)
                + (digits.length() > 1 ? "." + digits.substring(1) : "")
                + "e"
                + (exponent < 0 ? "-" : "+")
                + (Math.abs(exponent) < 10 ? "0" : "")
                + Math.abs(exponent);
    }

    /** A TIMESTAMP, or a TIMESTAMPTZ with its zone. */
    public static String ofTimestamp(SqlType type, long micros) {
        return ofDate(Math.floorDiv(micros, SqlType.MICROS_OF_DAY))
                + ' '
                + ofTime(Math.floorMod(micros, SqlType.MICROS_OF_DAY))
                + (type.isZoned() ? "+00" : "");
    }

    /** A DATE. */
    public static String ofDate(long days) {
        return LocalDate.ofEpochDay(days).toString();
    }

    /** A TIME. */
    public static String ofTime(long micros) {
        String text = LocalTime.ofNanoOfDay(micros * 1000).toString();
        if (text.length() == WITHOUT_SECONDS) {
            return text + ":00";
        }
        int end = text.length();
        if (text.indexOf('.') > 0) {
            while (text.charAt(end - 1) == '0') {
                end--;
            }
        }
        return text.substring(0, end);
    }
}
