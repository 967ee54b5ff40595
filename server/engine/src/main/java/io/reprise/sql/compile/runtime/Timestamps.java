package io.reprise.sql.compile.runtime;

import io.reprise.catalog.SqlType;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.temporal.IsoFields;

/**
 * Dates (days since 1970-01-01), timestamps (microseconds since then) and times (microseconds since midnight) in the proleptic Gregorian calendar, without
 * time zones and leap seconds. Years before 1 or after 9999 are written with a sign.
 */
public final class Timestamps {
    /** Microseconds of a day. */
    public static final long DAY = SqlType.MICROS_OF_DAY;

    private static final int YEAR_DIGITS = 9;

    private static final long SECOND = 1_000_000L;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    /** The units that EXTRACT, FLOOR and CEIL know. */
    private enum Unit {
        MILLENNIUM,
        CENTURY,
        DECADE,
        YEAR,
        ISOYEAR,
        QUARTER,
        MONTH,
        WEEK,
        DAY,
        DOY,
        DOW,
        ISODOW,
        HOUR,
        MINUTE,
        SECOND,
        MILLISECOND,
        MICROSECOND,
        EPOCH
    }

    private static final Unit[] UNITS = Unit.values();

    private Timestamps() {}

    /** The number that stands for a unit in generated code. */
    public static int unit(String name) {
        for (Unit unit : UNITS) {
            if (unit.name().equals(name)) {
                return unit.ordinal();
            }
        }
        throw Errors.invalid("the time unit " + name + " is not supported");
    }

    /** A date's midnight. */
    public static long ofDate(long days) {
        long micros = days * DAY;
        if (Math.multiplyHigh(days, DAY) != micros >> 63) {
            throw outOfRange("midnight of " + dateToString(days));
        }
        return micros;
    }

    /** The date that a timestamp lies in. */
    public static long toDate(long micros) {
        return Math.floorDiv(micros, DAY);
    }

    /** The time of day of a timestamp. */
    public static long toTime(long micros) {
        return Math.floorMod(micros, DAY);
    }

    /** A time of day plus an interval; the day has no end. */
    public static long addToTime(long time, long interval) {
        return Math.floorMod(time + Math.floorMod(interval, DAY), DAY);
    }

    public static long addMicros(long micros, long interval) {
        return Numbers.add(micros, interval);
    }

    /**
     * A date plus the whole days of an interval of days or weeks. One that is computed, as half a day is, may have hours beside them:
     * these are cut off towards zero, so that as much is taken away by minus as is added by plus.
     */
    public static long addDaysToDate(long days, long interval) {
        return Numbers.fitInteger(days + interval / DAY);
    }

    /** Adds months; a day that the new month does not have becomes its last. */
    public static long addMonths(long micros, long months) {
        long day = toDate(micros);
        long time = micros - day * DAY;
        return Numbers.add(Numbers.multiply(addMonthsToDate(day, months), DAY), time);
    }

    public static long addMonthsToDate(long days, long months) {
        try {
            return Numbers.fitInteger(
                    LocalDate.ofEpochDay(days).plusMonths(months).toEpochDay());
        } catch (DateTimeException | ArithmeticException e) {
            throw Errors.overflow("a date plus " + months + " months is out of range for DATE");
        }
    }

    /** Whole months from b to a, as Calcite's TIMESTAMPDIFF counts them. */
    public static long monthsBetween(long a, long b) {
        if (a < b) {
            return -monthsBetween(b, a);
        }
        LocalDate later = LocalDate.ofEpochDay(toDate(a));
        LocalDate earlier = LocalDate.ofEpochDay(toDate(b));
        long months = later.getYear() * 12L + later.getMonthValue() - earlier.getYear() * 12L - earlier.getMonthValue();
        long dayAndTimeA = later.getDayOfMonth() * DAY + a - toDate(a) * DAY;
        long dayAndTimeB = earlier.getDayOfMonth() * DAY + b - toDate(b) * DAY;
        return dayAndTimeA < dayAndTimeB ? months - 1 : months;
    }

    /** TIMESTAMPDIFF(unit, from, to): whole units that have passed, negative if {@code to} is earlier. */
    public static long between(long from, long to, int unit) {
        return switch (UNITS[unit]) {
            case YEAR -> monthsBetween(to, from) / 12;
            case QUARTER -> monthsBetween(to, from) / 3;
            case MONTH -> monthsBetween(to, from);
            case WEEK -> Numbers.subtract(to, from) / (7 * DAY);
            case DAY -> Numbers.subtract(to, from) / DAY;
            case HOUR -> Numbers.subtract(to, from) / HOUR;
            case MINUTE -> Numbers.subtract(to, from) / MINUTE;
            case SECOND -> Numbers.subtract(to, from) / SECOND;
            case MILLISECOND -> Numbers.subtract(to, from) / 1000;
            case MICROSECOND -> Numbers.subtract(to, from);
            default -> throw Errors.invalid("the time unit " + UNITS[unit] + " is not supported here");
        };
    }

    /** EXTRACT(unit FROM timestamp). */
    public static long extract(long micros, int unit) {
        long time = Math.floorMod(micros, DAY);
        return switch (UNITS[unit]) {
            case HOUR -> time / HOUR;
            case MINUTE -> time / MINUTE % 60;
            case SECOND -> time / SECOND % 60;
            case MILLISECOND -> time % MINUTE / 1000;
            case MICROSECOND -> time % MINUTE;
            case EPOCH -> Math.floorDiv(micros, SECOND);
            default -> extractFromDate(LocalDate.ofEpochDay(toDate(micros)), UNITS[unit]);
        };
    }

    private static long extractFromDate(LocalDate date, Unit unit) {
        int year = date.getYear();
        return switch (unit) {
            case MILLENNIUM -> year > 0 ? (year + 999) / 1000 : -((999 - year) / 1000);
            case CENTURY -> year > 0 ? (year + 99) / 100 : -((99 - year) / 100);
            case DECADE -> Math.floorDiv(year, 10);
            case YEAR -> year;
            case ISOYEAR -> date.get(IsoFields.WEEK_BASED_YEAR);
            case QUARTER -> (date.getMonthValue() + 2) / 3;
            case MONTH -> date.getMonthValue();
            case WEEK -> date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
            case DAY -> date.getDayOfMonth();
            case DOY -> date.getDayOfYear();
            case DOW -> date.getDayOfWeek().getValue() % 7 + 1;
            case ISODOW -> date.getDayOfWeek().getValue();
            default -> throw Errors.invalid("the time unit " + unit + " is not supported here");
        };
    }

    /** FLOOR(timestamp TO unit). */
    public static long floor(long micros, int unit) {
        long length = length(UNITS[unit]);
        if (length == 0) {
            return ofDate(
                    floorDate(LocalDate.ofEpochDay(toDate(micros)), UNITS[unit]).toEpochDay());
        }
        long floor = micros - Math.floorMod(micros, length);
        if (floor > micros) {
            throw outOfRange("the beginning of the " + UNITS[unit] + " of " + toString(micros));
        }
        return floor;
    }

    /** The microseconds of a unit that divides time evenly from the epoch; 0 for the others. */
    private static long length(Unit unit) {
        return switch (unit) {
            case DAY -> DAY;
            case HOUR -> HOUR;
            case MINUTE -> MINUTE;
            case SECOND -> SECOND;
            case MILLISECOND -> 1000;
            case MICROSECOND -> 1;
            default -> 0;
        };
    }

    private static RuntimeException outOfRange(String what) {
        return Errors.overflow(what + " is out of range for TIMESTAMP");
    }

    private static LocalDate floorDate(LocalDate date, Unit unit) {
        LocalDate month = date.withDayOfMonth(1);
        int year = date.getYear();
        return switch (unit) {
            case MONTH -> month;
            case QUARTER -> month.withMonth((date.getMonthValue() - 1) / 3 * 3 + 1);
            case YEAR -> month.withMonth(1);
            case DECADE -> LocalDate.of(Math.floorDiv(year, 10) * 10, 1, 1);
            case CENTURY -> LocalDate.of(Math.floorDiv(year - 1, 100) * 100 + 1, 1, 1);
            case MILLENNIUM -> LocalDate.of(Math.floorDiv(year - 1, 1000) * 1000 + 1, 1, 1);
            case WEEK -> date.minusDays(date.getDayOfWeek().getValue() - 1);
            default -> throw Errors.invalid("the time unit " + unit + " is not supported here");
        };
    }

    /** CEIL(timestamp TO unit). */
    public static long ceil(long micros, int unit) {
        long length = length(UNITS[unit]);
        if (length != 0) {
            long rest = Math.floorMod(micros, length);
            return rest == 0 ? micros : addMicros(micros, length - rest);
        }
        long floor = floor(micros, unit);
        if (floor == micros) {
            return micros;
        }
        return switch (UNITS[unit]) {
            case WEEK -> addMicros(floor, 7 * DAY);
            case MONTH -> addMonths(floor, 1);
            case QUARTER -> addMonths(floor, 3);
            case YEAR -> addMonths(floor, 12);
            case DECADE -> addMonths(floor, 120);
            case CENTURY -> addMonths(floor, 1200);
            default -> addMonths(floor, 12_000);
        };
    }

    /** Parses {@code yyyy-MM-dd}. */
    public static long parseDate(String text) {
        try {
            return Math.toIntExact(dateOf(text.trim()));
        } catch (DateTimeException | ArithmeticException | NumberFormatException | StringIndexOutOfBoundsException e) {
            throw Errors.invalid("'" + text + "' is not a DATE such as 2024-12-31");
        }
    }

    private static long dateOf(String date) {
        int first = date.indexOf('-', 1);
        int second = date.indexOf('-', first + 1);
        boolean signed = date.startsWith("-") || date.startsWith("+");
        int year = digits(date.substring(signed ? 1 : 0, first), YEAR_DIGITS);
        LocalDate parsed = LocalDate.of(
                date.startsWith("-") ? -year : year,
                digits(date.substring(first + 1, second), 2),
                digits(date.substring(second + 1), 2));
        return parsed.toEpochDay();
    }

    /** One digit up to so many, and nothing else: Java's numbers may have a sign, or digits of other scripts. */
    private static int digits(String text, int atMost) {
        if (text.isEmpty() || text.length() > atMost) {
            throw new NumberFormatException(text);
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            value = value * 10 + digit(text, i);
        }
        return value;
    }

    private static int digit(String text, int at) {
        char digit = text.charAt(at);
        if (digit < '0' || digit > '9') {
            throw new NumberFormatException(text);
        }
        return digit - '0';
    }

    /** Parses {@code yyyy-MM-dd}, optionally followed by a space or T, {@code HH:mm[:ss[.fraction]]}. */
    public static long parse(String text) {
        String trimmed = text.trim();
        int space = Math.max(trimmed.indexOf(' '), trimmed.indexOf('T'));
        try {
            if (space < 0) {
                return Math.multiplyExact(dateOf(trimmed), DAY);
            }
            long day = Math.multiplyExact(dateOf(trimmed.substring(0, space)), DAY);
            return Math.addExact(day, timeOf(trimmed.substring(space + 1)));
        } catch (DateTimeException | ArithmeticException | NumberFormatException | StringIndexOutOfBoundsException e) {
            throw Errors.invalid("'" + text + "' is not a TIMESTAMP such as 2024-12-31 23:59:59.123456");
        }
    }

    /** Parses a timestamp with a zone behind it, such as {@code +02}, {@code -03:30} or {@code Z}; without one it is in UTC. */
    public static long parseMoment(String text) {
        String trimmed = text.trim();
        if (trimmed.endsWith("Z") || trimmed.endsWith("z")) {
            return parse(trimmed.substring(0, trimmed.length() - 1));
        }
        int colon = trimmed.indexOf(':');
        int sign = Math.max(trimmed.lastIndexOf('+'), trimmed.lastIndexOf('-'));
        if (colon < 0 || sign < colon) {
            return parse(trimmed.endsWith(" UTC") ? trimmed.substring(0, trimmed.length() - 4) : trimmed);
        }
        long local = parse(trimmed.substring(0, sign));
        String zone = trimmed.substring(sign + 1).replace(":", "");
        try {
            if (zone.length() % 2 != 0 || zone.length() > 6) {
                throw new NumberFormatException(zone);
            }
            long offset = field(zone.substring(0, 2), 24) * HOUR;
            offset += zone.length() > 2 ? field(zone.substring(2, 4), 60) * MINUTE : 0;
            offset += zone.length() > 4 ? field(zone.substring(4), 60) * SECOND : 0;
            return trimmed.charAt(sign) == '-' ? Math.addExact(local, offset) : Math.subtractExact(local, offset);
        } catch (ArithmeticException | NumberFormatException | StringIndexOutOfBoundsException e) {
            throw Errors.invalid("'" + text + "' is not a TIMESTAMPTZ such as 2024-12-31 23:59:59+02");
        }
    }

    /** Parses {@code HH:mm[:ss[.fraction]]}; a date before it is left out. */
    public static long parseTime(String text) {
        String trimmed = text.trim();
        int space = Math.max(trimmed.indexOf(' '), trimmed.indexOf('T'));
        try {
            return space < 0 ? timeOf(trimmed) : toTime(parse(trimmed));
        } catch (DateTimeException | ArithmeticException | NumberFormatException | StringIndexOutOfBoundsException e) {
            throw Errors.invalid("'" + text + "' is not a TIME such as 23:59:59.123456");
        }
    }

    private static long timeOf(String time) {
        int first = time.indexOf(':');
        int second = time.indexOf(':', first + 1);
        String minutes = second < 0 ? time.substring(first + 1) : time.substring(first + 1, second);
        long micros = field(time.substring(0, first), 24) * HOUR + field(minutes, 60) * MINUTE;
        if (second < 0) {
            return micros;
        }
        String seconds = time.substring(second + 1);
        int point = seconds.indexOf('.');
        if (point < 0) {
            return micros + field(seconds, 60) * SECOND;
        }
        return micros + field(seconds.substring(0, point), 60) * SECOND + fraction(seconds.substring(point + 1));
    }

    /** Digits behind the point as microseconds; smaller ones are cut off. */
    private static long fraction(String text) {
        if (text.isEmpty()) {
            throw new NumberFormatException(text);
        }
        long micros = 0;
        for (int i = 0; i < Math.max(6, text.length()); i++) {
            int digit = i < text.length() ? digit(text, i) : 0;
            micros = i < 6 ? micros * 10 + digit : micros;
        }
        return micros;
    }

    private static long field(String text, int limit) {
        int value = digits(text, 2);
        if (value >= limit) {
            throw new NumberFormatException(text);
        }
        return value;
    }

    /** A date as {@code yyyy-MM-dd}. */
    public static String dateToString(long days) {
        return LocalDate.ofEpochDay(days).toString();
    }

    /** A timestamp as {@code yyyy-MM-dd HH:mm:ss} and, if there is one, the fraction with six digits. */
    public static String toString(long micros) {
        long time = Math.floorMod(micros, DAY);
        StringBuilder text = new StringBuilder(dateToString(toDate(micros))).append(' ');
        return time(text, time).toString();
    }

    /** A time of day in the same way. */
    public static String timeToString(long time) {
        return time(new StringBuilder(), time).toString();
    }

    private static StringBuilder time(StringBuilder text, long time) {
        pad(text, time / HOUR, 2).append(':');
        pad(text, time / MINUTE % 60, 2).append(':');
        pad(text, time / SECOND % 60, 2);
        if (time % SECOND != 0) {
            pad(text.append('.'), time % SECOND, 6);
        }
        return text;
    }

    private static StringBuilder pad(StringBuilder text, long value, int digits) {
        String plain = Long.toString(value);
        return text.repeat('0', digits - plain.length()).append(plain);
    }
}
