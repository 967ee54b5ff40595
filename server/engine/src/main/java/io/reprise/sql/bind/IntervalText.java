package io.reprise.sql.bind;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An interval as PostgreSQL writes it, with its units in the text: {@code '1 day 02:30:00'}, {@code '3 months'}.
 *
 * @param months the months, with years
 * @param micros the rest in microseconds
 */
record IntervalText(long months, long micros) {
    private static final Pattern PART = Pattern.compile(
            "\\s*(?:([+-]?)(\\d{1,9}):(\\d{2})(?::(\\d{2}(?:\\.\\d{1,6})?))?|([+-]?\\d{1,12}(?:\\.\\d{1,9})?)\\s*([A-Za-z]+))\\s*");
    private static final long MICROS = 1_000_000;
    private static final long MINUTE = 60 * MICROS;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final int MONTHS_OF_YEAR = 12;
    private static final int DAYS_OF_WEEK = 7;

    /** Whether a text has units. */
    static boolean hasUnits(String text) {
        return text.chars().anyMatch(Character::isLetter);
    }

    /** Reads a text; null if it is no interval. */
    static IntervalText parse(String text) {
        Matcher part = PART.matcher(text);
        BigDecimal months = BigDecimal.ZERO;
        BigDecimal micros = BigDecimal.ZERO;
        int at = 0;
        while (at < text.length()) {
            if (!part.find() || part.start() != at) {
                return null;
            }
            at = part.end();
            if (part.group(2) != null) {
                micros = micros.add(time(part));
                continue;
            }
            BigDecimal number = new BigDecimal(part.group(5));
            long unit = unit(part.group(6));
            if (unit == 0) {
                return null;
            } else if (unit < 0) {
                months = months.add(number.multiply(BigDecimal.valueOf(-unit)));
            } else {
                micros = micros.add(number.multiply(BigDecimal.valueOf(unit)));
            }
        }
        try {
            return new IntervalText(
                    months.stripTrailingZeros().longValueExact(),
                    micros.stripTrailingZeros().longValueExact());
        } catch (ArithmeticException fraction) {
            return null;
        }
    }

    private static BigDecimal time(Matcher part) {
        BigDecimal seconds = part.group(4) == null ? BigDecimal.ZERO : new BigDecimal(part.group(4));
        BigDecimal sum = BigDecimal.valueOf(Long.parseLong(part.group(2)) * HOUR)
                .add(BigDecimal.valueOf(Long.parseLong(part.group(3)) * MINUTE))
                .add(seconds.multiply(BigDecimal.valueOf(MICROS)));
        return "-".equals(part.group(1)) ? sum.negate() : sum;
    }

    /** The microseconds of a unit, its months below 0, or 0 for an unknown one. */
    private static long unit(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "year", "years", "yr", "yrs", "y" -> -MONTHS_OF_YEAR;
            case "month", "months", "mon", "mons" -> -1;
            case "week", "weeks", "w" -> DAYS_OF_WEEK * DAY;
            case "day", "days", "d" -> DAY;
            case "hour", "hours", "hr", "hrs", "h" -> HOUR;
            case "minute", "minutes", "min", "mins", "m" -> MINUTE;
            case "second", "seconds", "sec", "secs", "s" -> MICROS;
            case "millisecond", "milliseconds", "msec", "msecs", "ms" -> 1000;
            case "microsecond", "microseconds", "usec", "usecs", "us" -> 1;
            default -> 0;
        };
    }

    /** The text of days, hours, minutes and seconds: {@code '1 02:30:00'}. */
    String dayTime() {
        long left = Math.abs(micros);
        return "'" + (micros < 0 ? "-" : "") + left / DAY + " " + left / HOUR % 24 + ":" + left / MINUTE % 60 + ":"
                + left / MICROS % 60 + String.format(Locale.ROOT, ".%06d", left % MICROS) + "'";
    }
}
