package io.reprise.sql.compile.runtime;

import io.reprise.storage.PartitionStore;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.Month;
import java.util.Locale;

/**
 * TO_DATE and TO_TIMESTAMP: times read from texts by PostgreSQL's patterns, with English names. A field takes as many digits as its word
 * has, or all that follow if the pattern has no digits behind it. Characters of the pattern that are no field stand for one character.
 */
public final class TimePattern {
    /** The words of fields, longer ones in front of their beginnings. */
    private static final String[] WORDS = {
        "HH24", "HH12", "HH", "MI", "SSSSS", "SSSS", "SS", "MS", "US", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6", "YYYY",
        "YYY", "YY", "Y,YYY", "Y", "MONTH", "MON", "MM", "DAY", "DY", "DDD", "DD", "D", "Q", "J", "A.M.", "P.M.", "AM",
        "PM", "B.C.", "A.D.", "BC", "AD", "RM"
    };

    /** Words of TO_CHAR that can't be read. */
    private static final String[] UNREAD = {"IYYY", "IYY", "IY", "ID", "IW", "WW", "W", "CC", "TZ", "OF", "I"};

    private static final int JULIAN_DAY_OF_1970 = 2_440_588;
    private static final int SHORT_NAME = 3;
    private static final int ALL_DIGITS = 9;
    private static final long SECOND = 1_000_000;

    private final String text;
    private final String pattern;
    private int at;
    private int year;
    private int month = 1;
    private int day = 1;
    private int dayOfYear;
    private int julian = -1;
    private int hour;
    private boolean twelve;
    private int half = -1;
    private boolean beforeChrist;
    private int minute;
    private int second;
    private int secondOfDay = -1;
    private int millis;
    private int micros;

    private TimePattern(String text, String pattern) {
        this.text = text;
        this.pattern = pattern;
    }

    /** TO_DATE: days since 1970. */
    public static long date(PartitionStore store, long text, long pattern) {
        return read(store, text, pattern).day();
    }

    /** TO_TIMESTAMP: microseconds since 1970. */
    public static long timestamp(PartitionStore store, long text, long pattern) {
        TimePattern read = read(store, text, pattern);
        return Numbers.add(Timestamps.ofDate(read.day()), read.time());
    }

    private static TimePattern read(PartitionStore store, long text, long pattern) {
        TimePattern read = new TimePattern(Utf8.decode(store.memory(), text), Utf8.decode(store.memory(), pattern));
        Strings.pace(read.pattern.length());
        read.fields();
        return read;
    }

    private void fields() {
        int next = 0;
        while (next < pattern.length()) {
            if (pattern.regionMatches(true, next, "FM", 0, 2) || pattern.regionMatches(true, next, "FX", 0, 2)) {
                next += 2;
                continue;
            }
            String word = TextPatterns.word(WORDS, pattern, next);
            if (word == null) {
                next = literal(next);
                continue;
            }
            next += word.length();
            skipBlanks();
            field(word, isDigit(next));
            if (pattern.regionMatches(true, next, "TH", 0, 2)) {
                at = Math.min(text.length(), at + 2);
                next += 2;
            }
        }
    }

    /** Passes over what is no field: a quoted text, or one character. A separator need not be there. */
    private int literal(int from) {
        String unread = TextPatterns.word(UNREAD, pattern, from);
        if (unread != null) {
            throw Errors.invalid("the pattern " + unread + " can be written by TO_CHAR, and not be read");
        }
        char wanted = pattern.charAt(from);
        if (wanted == '"') {
            int close = pattern.indexOf('"', from + 1);
            int end = close < 0 ? pattern.length() : close;
            at = Math.min(text.length(), at + end - from - 1);
            return Math.min(pattern.length(), end + 1);
        }
        boolean separator = !Character.isLetterOrDigit(wanted);
        if (separator && wanted != ' ') {
            skipBlanks();
        }
        if (at < text.length() && (!separator || !Character.isLetterOrDigit(text.charAt(at)) && !isSign())) {
            at++;
        }
        return from + 1;
    }

    private boolean isSign() {
        return (text.charAt(at) == '-' || text.charAt(at) == '+')
                && at + 1 < text.length()
                && Character.isDigit(text.charAt(at + 1))
                && at > 0
                && !Character.isLetterOrDigit(text.charAt(at - 1));
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    /** Whether a field of digits follows, so that one before it takes no more than its own. */
    private boolean isDigit(int next) {
        String word = TextPatterns.word(WORDS, pattern, next);
        return word != null && !word.startsWith("MON") && !"AM PM A.M. P.M. BC AD B.C. A.D. DAY DY RM".contains(word)
                || next < pattern.length() && Character.isDigit(pattern.charAt(next));
    }

    private void field(String word, boolean exact) {
        switch (word) {
            case "YYYY" -> year = number(word, exact ? 4 : ALL_DIGITS);
            case "Y,YYY" -> {
                int thousands = number(word, ALL_DIGITS);
                at = Math.min(text.length(), at + 1);
                year = withThousands(thousands, number(word, 3));
            }
            case "YYY", "YY", "Y" -> year = partialYear(number(word, exact ? word.length() : 4));
            case "MM" -> month = number(word, exact ? 2 : ALL_DIGITS);
            case "MONTH", "MON" -> month = name(word.equals("MON"), month(word));
            case "RM" -> month = roman();
            case "DD" -> day = number(word, exact ? 2 : ALL_DIGITS);
            case "DDD" -> dayOfYear = number(word, exact ? 3 : ALL_DIGITS);
            case "J" -> julian = number(word, ALL_DIGITS);
            case "DAY", "DY" -> skipLetters();
            case "D", "Q" -> number(word, 1);
            case "HH24" -> hour = number(word, exact ? 2 : ALL_DIGITS);
            case "HH12", "HH" -> {
                hour = number(word, exact ? 2 : ALL_DIGITS);
                twelve = true;
            }
            case "MI" -> minute = number(word, exact ? 2 : ALL_DIGITS);
            case "SS" -> second = number(word, exact ? 2 : ALL_DIGITS);
            case "SSSS", "SSSSS" -> secondOfDay = number(word, exact ? 5 : ALL_DIGITS);
            case "MS" -> millis = fraction(word, 3) / 1000;
            case "US" -> micros = fraction(word, 6);
            case "FF1", "FF2", "FF3", "FF4", "FF5", "FF6" -> micros = fraction(word, word.charAt(2) - '0');
            case "AM", "PM", "A.M.", "P.M." -> {
                half = mark(word, "AM", "PM");
                twelve = true;
            }
            default -> beforeChrist = mark(word, "AD", "BC") == 1;
        }
    }

    private int number(String word, int most) {
        int from = at;
        boolean negative = at < text.length() && text.charAt(at) == '-' && word.startsWith("Y");
        at += negative ? 1 : 0;
        int first = at;
        int value = 0;
        while (at < text.length() && at - first < most && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            value = value * 10 + text.charAt(at) - '0';
            at++;
        }
        if (at == first) {
            throw invalid(word, from);
        }
        return negative ? -value : value;
    }

    private RuntimeException invalid(String word, int from) {
        return Errors.invalid("invalid value \"" + text.substring(from) + "\" for \"" + word + "\" in '" + text + "'");
    }

    private int withThousands(int thousands, int rest) {
        try {
            return Math.addExact(Math.multiplyExact(thousands, 1000), rest);
        } catch (ArithmeticException e) {
            throw outOfRange();
        }
    }

    /** Digits behind the point, in microseconds: 5 are 500,000. */
    private int fraction(String word, int digits) {
        int from = at;
        int value = number(word, digits);
        for (int i = at - from; i < 6; i++) {
            value *= 10;
        }
        return value;
    }

    /** A year of less than four digits is the nearest one to 2020. */
    private static int partialYear(int year) {
        if (year < 70) {
            return year + 2000;
        } else if (year < 100) {
            return year + 1900;
        } else if (year < 520) {
            return year + 2000;
        }
        return year < 1000 ? year + 1000 : year;
    }

    private int month(String word) {
        for (Month each : Month.values()) {
            if (text.regionMatches(true, at, each.name(), 0, SHORT_NAME)) {
                return each.getValue();
            }
        }
        throw invalid(word, at);
    }

    /** Passes over the name of a month. */
    private int name(boolean shortened, int of) {
        String whole = Month.of(of).name();
        boolean all = !shortened && text.regionMatches(true, at, whole, 0, whole.length());
        at += all ? whole.length() : SHORT_NAME;
        return of;
    }

    private void skipLetters() {
        while (at < text.length() && Character.isLetter(text.charAt(at))) {
            at++;
        }
    }

    /** The longest number that stands here: VIII begins as V does. */
    private int roman() {
        int month = 0;
        int length = 0;
        for (int i = 0; i < TextPatterns.ROMAN.length; i++) {
            String each = TextPatterns.ROMAN[i];
            if (each.length() > length && text.regionMatches(true, at, each, 0, each.length())) {
                month = i + 1;
                length = each.length();
            }
        }
        if (month == 0) {
            throw invalid("RM", at);
        }
        at += length;
        return month;
    }

    /** The number of one of two marks, with points or without: 0 or 1. */
    private int mark(String word, String first, String second) {
        boolean points = word.contains(".");
        String found = text.substring(at).toUpperCase(Locale.ROOT);
        String plain = points ? found.replaceFirst("^(.)\\.(.)\\.", "$1$2") : found;
        if (!plain.startsWith(first) && !plain.startsWith(second)) {
            throw invalid(word, at);
        }
        at += points ? 4 : 2;
        return plain.startsWith(second) ? 1 : 0;
    }

    private long day() {
        if (julian >= 0) {
            return (long) julian - JULIAN_DAY_OF_1970;
        }
        // A negative year is before Christ, with BC after Christ again. The year 0 is 1 BC.
        int signed = beforeChrist ? -year : year;
        int of = signed < 0 ? signed + 1 : signed;
        try {
            LocalDate date = dayOfYear > 0 ? LocalDate.ofYearDay(of, dayOfYear) : LocalDate.of(of, month, day);
            return Numbers.fitInteger(date.toEpochDay());
        } catch (DateTimeException e) {
            throw outOfRange();
        }
    }

    private RuntimeException outOfRange() {
        return Errors.invalid("date/time field value out of range: \"" + text + "\"");
    }

    private long time() {
        int fraction = millis * 1000 + micros;
        if (fraction >= SECOND) {
            throw outOfRange();
        }
        if (secondOfDay >= 0) {
            if (secondOfDay >= Timestamps.DAY / SECOND) {
                throw outOfRange();
            }
            return secondOfDay * SECOND + fraction;
        }
        int hours = hour;
        if (twelve) {
            if (hour < 1 || hour > 12) {
                throw Errors.invalid("hour \"" + hour + "\" is invalid for the 12-hour clock");
            }
            hours = half == 1 && hour < 12 ? hour + 12 : half != 1 && hour == 12 ? 0 : hour;
        }
        if (hours > 23 || minute > 59 || second > 59) {
            throw outOfRange();
        }
        return ((hours * 60L + minute) * 60 + second) * SECOND + fraction;
    }
}
