package io.reprise.command;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The values of a call's arguments, as they are typed. */
final class ArgumentText {
    private static final Pattern TIMESTAMP = Pattern.compile("timestamp *'([^']*)'", Pattern.CASE_INSENSITIVE);
    private static final Pattern DATE = Pattern.compile("date *'([^']*)'", Pattern.CASE_INSENSITIVE);
    private static final Pattern TIME = Pattern.compile("time *'([^']*)'", Pattern.CASE_INSENSITIVE);
    private static final Pattern ELEMENT = Pattern.compile("\\s*('(?:[^']|'')*+'|[^,'\\[\\]]+?)\\s*(,|$)");

    private ArgumentText() {}

    /** The value that a text means: a word without another meaning is a string. */
    static Object value(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.equals("null")) {
            return null;
        }
        if (lower.equals("true") || lower.equals("false")) {
            return Boolean.valueOf(lower);
        }
        if (isQuoted(text)) {
            return unquoted(text);
        }
        if (lower.matches("x'([0-9a-f]{2})*'")) {
            return HexFormat.of().parseHex(text, 2, text.length() - 1);
        }
        Matcher timestamp = TIMESTAMP.matcher(text);
        if (timestamp.matches()) {
            return timestamp(timestamp.group(1));
        }
        Matcher time = TIME.matcher(text);
        if (time.matches()) {
            return time(time.group(1));
        }
        Matcher date = DATE.matcher(text);
        if (date.matches()) {
            return date(date.group(1));
        }
        return text.startsWith("[") && text.endsWith("]") ? array(text) : number(text);
    }

    private static boolean isQuoted(String text) {
        return text.length() >= 2 && text.startsWith("'") && text.endsWith("'");
    }

    private static String unquoted(String text) {
        return text.substring(1, text.length() - 1).replace("''", "'");
    }

    private static Object number(String text) {
        if (text.matches("[+-]?[0-9]+")) {
            BigInteger whole = new BigInteger(text);
            return whole.bitLength() < Long.SIZE ? (Object) whole.longValue() : new BigDecimal(whole);
        }
        if (text.matches("[+-]?[0-9]*\\.?[0-9]+")) {
            return new BigDecimal(text);
        }
        if (text.matches("[+-]?[0-9]*\\.?[0-9]+[eE][+-]?[0-9]{1,3}")) {
            return Double.valueOf(text);
        }
        return text;
    }

    private static Instant timestamp(String text) {
        try {
            String iso = text.strip().replace(' ', 'T');
            return LocalDateTime.parse(iso.endsWith("Z") ? iso.substring(0, iso.length() - 1) : iso)
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no time; write it as in TIMESTAMP '2026-03-01 12:00:00.5'", e);
        }
    }

    private static LocalTime time(String text) {
        try {
            return LocalTime.parse(text.strip());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + text + "' is no time of day; write it as in TIME '12:00:00.5'", e);
        }
    }

    private static LocalDate date(String text) {
        try {
            return LocalDate.parse(text.strip());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + text + "' is no date; write it as in DATE '2026-03-01'", e);
        }
    }

    /** Integers give a long[], numbers a double[], and everything else a String[]; the server converts where nothing is lost. */
    private static Object array(String text) {
        String inner = text.substring(1, text.length() - 1);
        if (inner.isBlank()) {
            return new long[0];
        }
        List<String> elements = new ArrayList<>();
        Matcher element = ELEMENT.matcher(inner);
        int at = 0;
        while (at < inner.length() && element.find(at) && element.start() == at) {
            elements.add(element.group(1));
            at = element.end();
            if (element.group(2).isEmpty()) {
                return typed(elements);
            }
        }
        throw new IllegalArgumentException(
                text + " is no array; write it as in [1, 2] or ['a', 'b'], and a string that begins with [ in"
                        + " quotation marks: '[...]'");
    }

    private static Object typed(List<String> elements) {
        if (elements.stream().allMatch(element -> !isQuoted(element) && number(element) instanceof Long)) {
            return elements.stream()
                    .mapToLong(element -> (Long) number(element))
                    .toArray();
        }
        if (elements.stream().allMatch(element -> !isQuoted(element) && number(element) instanceof Number)) {
            return elements.stream()
                    .mapToDouble(element -> ((Number) number(element)).doubleValue())
                    .toArray();
        }
        return elements.stream()
                .map(element -> isQuoted(element) ? unquoted(element) : element)
                .toArray(String[]::new);
    }
}
