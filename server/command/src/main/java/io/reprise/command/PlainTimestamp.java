package io.reprise.command;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;

/**
 * The usual form of a timestamp in files, {@code 2026-01-02 03:04:05.678}, in UTC. The formatters of the JDK take microseconds for it,
 * most of the time of a load.
 */
final class PlainTimestamp {
    private static final int LENGTH = "2026-01-02 03:04:05".length();
    private static final int MOST_DIGITS = 9;
    private static final int DAY_SECONDS = 86_400;
    private static final int HOURS = 24;
    private static final int SIXTY = 60;

    private PlainTimestamp() {}

    /** The time; null: the text has another form, or is no time. */
    static Instant parse(String text) {
        int length = text.length();
        boolean form = length >= LENGTH
                && text.charAt(4) == '-'
                && text.charAt(7) == '-'
                && (text.charAt(10) == ' ' || text.charAt(10) == 'T')
                && text.charAt(13) == ':'
                && text.charAt(16) == ':';
        if (!form) {
            return null;
        }
        int year = number(text, 0, 4);
        int month = number(text, 5, 7);
        int day = number(text, 8, 10);
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, LENGTH);
        int nanos = nanos(text);
        if ((year | month | day | hour | minute | second | nanos) < 0
                || hour >= HOURS
                || minute >= SIXTY
                || second >= SIXTY) {
            return null;
        }
        try {
            long days = LocalDate.of(year, month, day).toEpochDay();
            return Instant.ofEpochSecond(days * DAY_SECONDS + (hour * SIXTY + minute) * SIXTY + second, nanos);
        } catch (DateTimeException noDay) {
            return null;
        }
    }

    /** The fraction of a second; -1: there is something else. */
    private static int nanos(String text) {
        if (text.length() == LENGTH) {
            return 0;
        }
        int digits = text.length() - LENGTH - 1;
        if (text.charAt(LENGTH) != '.' || digits < 1 || digits > MOST_DIGITS) {
            return -1;
        }
        int nanos = number(text, LENGTH + 1, text.length());
        for (int i = digits; i < MOST_DIGITS && nanos > 0; i++) {
            nanos *= 10;
        }
        return nanos;
    }

    /** A number of digits; -1: there is something else. */
    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
