package io.reprise.sql.compile.runtime;

import io.reprise.storage.PartitionStore;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.Locale;

/** TO_CHAR: times and numbers as texts by PostgreSQL's patterns, with English names. */
public final class TextPatterns {
    private static final long MICROS = 1_000_000;

    /** The words of patterns for times, longer ones in front of their beginnings. */
    private static final String[] WORDS = {
        "HH24", "HH12", "HH", "MI", "SSSSS", "SSSS", "SS", "MS", "US", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6", "YYYY",
        "YYY", "YY", "IYYY", "Y,YYY", "Y", "MONTH", "MON", "MM", "DAY", "DY", "DDD", "DD", "ID", "IW", "D", "WW", "W",
        "Q", "J", "A.M.", "P.M.", "AM", "PM", "CC", "B.C.", "A.D.", "BC", "AD", "TZ", "OF", "RM"
    };

    /** The numbers of the months. */
    static final String[] ROMAN = {"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"};

    private static final int LONGEST_NAME = 9;

    private TextPatterns() {}

    /** TO_CHAR of a TIMESTAMP. */
    public static long time(PartitionStore store, long micros, long pattern) {
        String text = Utf8.decode(store.memory(), pattern);
        Strings.pace(text.length());
        return Utf8.encode(written(micros, text), store);
    }

    private static String written(long micros, String pattern) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(
                Math.floorDiv(micros, MICROS), (int) Math.floorMod(micros, MICROS) * 1000, ZoneOffset.UTC);
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < pattern.length()) {
            if (pattern.charAt(at) == '"') {
                at = quoted(pattern, at, out);
                continue;
            }
            boolean filled = !pattern.regionMatches(true, at, "FM", 0, 2);
            int from = filled ? at : at + 2;
            String word = word(WORDS, pattern, from);
            if (word == null) {
                out.append(filled ? String.valueOf(pattern.charAt(at)) : "");
                at = filled ? at + 1 : from;
                continue;
            }
            String written = pattern.substring(from, from + word.length());
            String value = value(time, word, written, filled);
            at = from + word.length();
            if (pattern.regionMatches(true, at, "TH", 0, 2)) {
                value += pattern.charAt(at) == 'T' ? ordinal(value).toUpperCase(Locale.ROOT) : ordinal(value);
                at += 2;
            }
            out.append(value);
        }
        return out.toString();
    }

    private static int quoted(String pattern, int open, StringBuilder out) {
        int close = pattern.indexOf('"', open + 1);
        int end = close < 0 ? pattern.length() : close;
        out.append(pattern, open + 1, end);
        return Math.min(pattern.length(), end + 1);
    }

    /** The first of some words that stands in a pattern; null: none does. */
    static String word(String[] words, String pattern, int at) {
        for (String word : words) {
            if (pattern.regionMatches(true, at, word, 0, word.length())) {
                return word;
            }
        }
        return null;
    }

    private static String ordinal(String number) {
        int last = number.isEmpty() ? 0 : number.charAt(number.length() - 1) - '0';
        boolean teen = number.length() > 1 && number.charAt(number.length() - 2) == '1';
        return teen ? "th" : last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
    }

    private static String value(LocalDateTime time, String word, String written, boolean filled) {
        int hour = time.getHour();
        int twelve = hour % 12 == 0 ? 12 : hour % 12;
        int year = time.getYear() > 0 ? time.getYear() : 1 - time.getYear();
        int weekYear = time.get(IsoFields.WEEK_BASED_YEAR);
        long micros = time.getNano() / 1000;
        return switch (word) {
            case "HH24" -> number(hour, 2, filled);
            case "HH12", "HH" -> number(twelve, 2, filled);
            case "MI" -> number(time.getMinute(), 2, filled);
            case "SS" -> number(time.getSecond(), 2, filled);
            case "SSSSS", "SSSS" -> Integer.toString(time.toLocalTime().toSecondOfDay());
            case "MS" -> number(micros / 1000, 3, true);
            case "US" -> number(micros, 6, true);
            case "FF1", "FF2", "FF3", "FF4", "FF5", "FF6" ->
                number(micros, 6, true).substring(0, word.charAt(2) - '0');
            case "YYYY" -> number(year, 4, filled);
            case "Y,YYY" -> year / 1000 + "," + number(year % 1000, 3, true);
            case "YYY" -> number(year % 1000, 3, filled);
            case "YY" -> number(year % 100, 2, filled);
            case "Y" -> number(year % 10, 1, filled);
            case "IYYY" -> number(weekYear, 4, filled);
            case "IW" -> number(time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2, filled);
            case "MM" -> number(time.getMonthValue(), 2, filled);
            case "MONTH" -> name(month(time.getMonth()), written, filled);
            case "MON" -> name(month(time.getMonth()).substring(0, 3), written, false);
            case "RM" -> cased(ROMAN[time.getMonthValue() - 1], written, filled ? 4 : 0);
            case "DAY" -> name(day(time.getDayOfWeek()), written, filled);
            case "DY" -> name(day(time.getDayOfWeek()).substring(0, 3), written, false);
            case "DDD" -> number(time.getDayOfYear(), 3, filled);
            case "DD" -> number(time.getDayOfMonth(), 2, filled);
            case "D" -> Integer.toString(time.getDayOfWeek().getValue() % 7 + 1);
            case "ID" -> Integer.toString(time.getDayOfWeek().getValue());
            case "WW" -> number((time.getDayOfYear() - 1) / 7 + 1, 2, filled);
            case "W" -> Integer.toString((time.getDayOfMonth() - 1) / 7 + 1);
            case "Q" -> Integer.toString((time.getMonthValue() - 1) / 3 + 1);
            case "J" -> Long.toString(time.getLong(ChronoField.EPOCH_DAY) + 2_440_588);
            case "CC" -> number((year + 99) / 100, 2, filled);
            case "AM", "PM" -> cased(hour < 12 ? "AM" : "PM", written, 0);
            case "A.M.", "P.M." -> cased(hour < 12 ? "A.M." : "P.M.", written, 0);
            case "BC", "AD" -> cased(time.getYear() > 0 ? "AD" : "BC", written, 0);
            case "B.C.", "A.D." -> cased(time.getYear() > 0 ? "A.D." : "B.C.", written, 0);
            // A TIMESTAMP has no zone.
            default -> "";
        };
    }

    private static String month(Month month) {
        return month.getDisplayName(java.time.format.TextStyle.FULL, Locale.ENGLISH);
    }

    private static String day(DayOfWeek day) {
        return day.getDisplayName(java.time.format.TextStyle.FULL, Locale.ENGLISH);
    }

    private static String number(long value, int digits, boolean filled) {
        String text = Long.toString(value);
        return filled ? "0".repeat(Math.max(0, digits - text.length())) + text : text;
    }

    /** A name in the case of its word in the pattern: MONTH, Month or month. */
    private static String name(String name, String written, boolean filled) {
        boolean first = Character.isUpperCase(written.charAt(0));
        boolean second = Character.isUpperCase(written.charAt(1));
        String cased = first && second ? name.toUpperCase(Locale.ROOT) : first ? name : name.toLowerCase(Locale.ROOT);
        return filled ? cased + " ".repeat(LONGEST_NAME - cased.length()) : cased;
    }

    private static String cased(String text, String written, int width) {
        String cased = Character.isUpperCase(written.charAt(0)) ? text : text.toLowerCase(Locale.ROOT);
        return cased + " ".repeat(Math.max(0, width - cased.length()));
    }

    /** TO_CHAR of a DECIMAL or an integer. */
    public static long number(PartitionStore store, long unscaled, int scale, long pattern) {
        String text = Utf8.decode(store.memory(), pattern);
        Strings.pace(text.length());
        return Utf8.encode(new NumberPattern(text).text(BigDecimal.valueOf(unscaled, scale)), store);
    }

    /** TO_CHAR of a DECIMAL of more than 18 digits. */
    public static long number(PartitionStore store, BigDecimal value, long pattern) {
        String text = Utf8.decode(store.memory(), pattern);
        Strings.pace(text.length());
        return Utf8.encode(new NumberPattern(text).text(value), store);
    }

    /** TO_CHAR of a DOUBLE. */
    public static long number(PartitionStore store, double value, long pattern) {
        String text = Utf8.decode(store.memory(), pattern);
        Strings.pace(text.length());
        return Utf8.encode(new NumberPattern(text).text(new BigDecimal(Double.toString(value))), store);
    }

    /** A pattern for numbers, which is read once for each value. */
    static final class NumberPattern {
        private final String pattern;
        private boolean filled = true;
        private boolean bracketed;

        /** Whether the sign has a place of its own; otherwise it stands directly in front of the first digit. */
        private boolean hasSign;

        /** Whether a sign in front of the digits is written also of positive numbers. */
        private boolean leadingSign;

        private int whole;
        private int fraction;
        private int firstZero = Integer.MAX_VALUE;
        private int lastZeroOfFraction;

        NumberPattern(String pattern) {
            this.pattern = pattern;
            boolean behind = false;
            for (int at = 0; at < pattern.length(); at = next(at)) {
                switch (kind(at)) {
                    case '9', '0' -> {
                        if (behind) {
                            fraction++;
                            lastZeroOfFraction = kind(at) == '0' ? fraction : lastZeroOfFraction;
                        } else {
                            firstZero = kind(at) == '0' ? Math.min(firstZero, whole) : firstZero;
                            whole++;
                        }
                    }
                    case '.' -> behind = true;
                    case 'F' -> filled = false;
                    case 'P' -> bracketed = true;
                    case 'S' -> {
                        leadingSign = whole == 0 && !behind;
                        hasSign |= !leadingSign;
                    }
                    case 'M' -> hasSign = true;
                    default -> {}
                }
            }
        }

        /** The letter of the element at a place: F is FM, M is MI, P is PR, + is PL; others stand for themselves. */
        private char kind(int at) {
            char letter = Character.toUpperCase(pattern.charAt(at));
            boolean two = at + 1 < pattern.length();
            char second = two ? Character.toUpperCase(pattern.charAt(at + 1)) : ' ';
            return switch (letter) {
                case 'F' -> second == 'M' ? 'F' : 'x';
                case 'M' -> second == 'I' ? 'M' : 'x';
                case 'P' -> second == 'R' ? 'P' : second == 'L' ? '+' : 'x';
                case 'D', '.' -> '.';
                case 'G', ',' -> ',';
                case '9', '0', 'S', 'L', '"' -> letter;
                default -> 'x';
            };
        }

        private int next(int at) {
            return switch (kind(at)) {
                case 'F', 'M', 'P', '+' -> at + 2;
                case '"' -> {
                    int close = pattern.indexOf('"', at + 1);
                    yield close < 0 ? pattern.length() : close + 1;
                }
                default -> at + 1;
            };
        }

        String text(BigDecimal value) {
            BigDecimal rounded = value.setScale(fraction, RoundingMode.HALF_UP);
            boolean negative = rounded.signum() < 0;
            String digits = rounded.abs().unscaledValue().toString();
            digits = "0".repeat(Math.max(0, fraction - digits.length())) + digits;
            String wholeDigits = digits.substring(0, digits.length() - fraction);
            String behind = digits.substring(digits.length() - fraction);
            if (wholeDigits.equals("0") && fraction > 0) {
                wholeDigits = "";
            } else if (wholeDigits.isEmpty() && fraction == 0) {
                wholeDigits = "0";
            }
            if (!filled && wholeDigits.isEmpty() && whole > 0 && kept(behind) == 0) {
                wholeDigits = "0";
            }
            boolean overflow = wholeDigits.length() > whole;
            return written(
                    negative, overflow ? "#".repeat(whole) : wholeDigits, overflow ? "#".repeat(fraction) : behind);
        }

        private String written(boolean negative, String wholeDigits, String behind) {
            int kept = filled ? fraction : kept(behind);
            int first = Math.min(firstZero, whole - wholeDigits.length());
            StringBuilder out = new StringBuilder();
            boolean signed = hasSign;
            boolean point = false;
            int place = 0;
            for (int at = 0; at < pattern.length(); at = next(at)) {
                switch (kind(at)) {
                    case '9', '0' -> {
                        if (point) {
                            int digit = place++ - whole;
                            out.append(digit < kept ? String.valueOf(behind.charAt(digit)) : "");
                            break;
                        }
                        if (!signed && place >= first) {
                            signed = true;
                            sign(out, negative);
                        }
                        int digit = place++ - (whole - wholeDigits.length());
                        out.append(
                                digit >= 0
                                        ? String.valueOf(wholeDigits.charAt(digit))
                                        : place > first ? "0" : filled ? " " : "");
                    }
                    case '.' -> {
                        if (!signed) {
                            signed = true;
                            sign(out, negative);
                        }
                        point = true;
                        out.append('.');
                    }
                    case ',' -> out.append(place > first ? "," : filled ? " " : "");
                    case 'S' -> out.append(leadingSign ? "" : negative ? "-" : "+");
                    case 'M' -> out.append(negative ? "-" : filled ? " " : "");
                    case '+' -> out.append(!negative ? "+" : filled ? " " : "");
                    case 'L' -> out.append(filled ? " " : "");
                    case '"' -> out.append(pattern, at + 1, Math.max(at + 1, next(at) - 1));
                    case 'F' -> {}
                    case 'P' -> out.append(negative ? ">" : filled ? " " : "");
                    default -> out.append(pattern.charAt(at));
                }
            }
            return out.toString();
        }

        private void sign(StringBuilder out, boolean negative) {
            String minus = bracketed ? "<" : "-";
            String plus = leadingSign ? "+" : filled ? " " : "";
            out.append(negative ? minus : plus);
        }

        /** The digits of a fraction without zeros at its end, for which the pattern has a 9. */
        private int kept(String behind) {
            int kept = behind.length();
            while (kept > lastZeroOfFraction && behind.charAt(kept - 1) == '0') {
                kept--;
            }
            return kept;
        }
    }
}
