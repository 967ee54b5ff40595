package io.reprise.procedure;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Stands in for methods of the JDK that make a text as long as a number says, or that search a text in a time that grows
 * with the product of two lengths. The first are refused beyond a length; the second look at {@link LoopGuard} meanwhile.
 * At deployment a procedure's calls are woven to these. The receiver of the original call is the first parameter.
 * Application code never names this class.
 */
public final class BoundedTexts {
    /** Sixteen times as long as the longest string of a table. */
    static final int MOST_CHARACTERS = 1 << 24;

    /** Comparisons of characters that take no more than some milliseconds. */
    private static final long COMPARISONS = 1 << 24;

    private BoundedTexts() {}

    /** For {@link String#repeat}. */
    public static String repeat(String text, int count) {
        require((long) text.length() * count, "String.repeat");
        return text.repeat(count);
    }

    /** For {@link String#indent}. */
    public static String indent(String text, int spaces) {
        require((text.lines().count() + 1) * spaces, "String.indent");
        return text.indent(spaces);
    }

    /** For {@link String#format(Locale, String, Object...)}. */
    public static String format(Locale locale, String format, Object... arguments) {
        boolean specifier = false;
        for (int i = 0; i < format.length(); i++) {
            char next = format.charAt(i);
            if (specifier) {
                require(numberAt(format, i), "String.format");
                specifier = "-#+ ,(<$.".indexOf(next) >= 0 || isDigit(next);
            } else {
                specifier = next == '%';
            }
        }
        if (arguments != null) {
            for (Object argument : arguments) {
                if (argument instanceof BigDecimal number && !BoundedDecimals.isShort(number)) {
                    throw tooLong("String.format");
                }
            }
        }
        return String.format(locale, format, arguments);
    }

    /** The width or precision that begins at an index; of a larger one than allowed its first digits. */
    private static long numberAt(String format, int index) {
        long number = 0;
        for (int i = index; i < format.length() && isDigit(format.charAt(i)) && number <= MOST_CHARACTERS; i++) {
            number = number * 10 + format.charAt(i) - '0';
        }
        return number;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** For {@link String#contains}. */
    public static boolean contains(String text, CharSequence part) {
        return indexOf(text, part.toString()) >= 0;
    }

    /** For {@link String#indexOf(String)}. */
    public static int indexOf(String text, String part) {
        return indexOf(text, part, 0);
    }

    /** For {@link String#indexOf(String, int)}. */
    public static int indexOf(String text, String part, int from) {
        return isShort(text.length(), part)
                ? text.indexOf(part, from)
                : indexOf(text, part, Math.clamp(from, 0, text.length()), text.length());
    }

    /** For {@link String#indexOf(String, int, int)}. */
    public static int indexOf(String text, String part, int from, int to) {
        if (isShort(text.length(), part)) {
            return text.indexOf(part, from, to);
        }
        Objects.checkFromToIndex(from, to, text.length());
        long step = step(part);
        for (long at = from; at <= to - part.length(); at += step) {
            LoopGuard.check();
            int found = text.indexOf(part, (int) at, (int) Math.min(to, at + step + part.length() - 1));
            if (found >= 0) {
                return found;
            }
        }
        return -1;
    }

    /** For {@link String#lastIndexOf(String)}. */
    public static int lastIndexOf(String text, String part) {
        return lastIndexOf(text, part, text.length());
    }

    /** For {@link String#lastIndexOf(String, int)}. */
    public static int lastIndexOf(String text, String part, int from) {
        if (isShort(text.length(), part)) {
            return text.lastIndexOf(part, from);
        }
        int step = (int) step(part);
        for (int at = Math.min(from, text.length() - part.length()); at >= 0; at -= step) {
            LoopGuard.check();
            int first = Math.max(0, at - step + 1);
            int found = text.substring(first, at + part.length()).lastIndexOf(part);
            if (found >= 0) {
                return first + found;
            }
        }
        return -1;
    }

    /** For {@link String#replace(CharSequence, CharSequence)}. */
    public static String replace(String text, CharSequence target, CharSequence replacement) {
        String part = target.toString();
        String by = replacement.toString();
        long places = part.isEmpty() ? text.length() + 1L : text.length() / part.length();
        if (isShort(text.length(), part) && text.length() + places * by.length() <= MOST_CHARACTERS) {
            return text.replace(part, by);
        }
        if (part.isEmpty()) {
            throw tooLong("String.replace");
        }
        StringBuilder result = new StringBuilder();
        int from = 0;
        for (int at = indexOf(text, part); at >= 0; at = indexOf(text, part, from)) {
            LoopGuard.check();
            result.append(text, from, at).append(by);
            require(result.length(), "String.replace");
            from = at + part.length();
        }
        return from == 0 ? text : result.append(text, from, text.length()).toString();
    }

    /** For {@link StringBuilder#indexOf(String)}. */
    public static int indexOf(StringBuilder text, String part) {
        return indexOf(text, part, 0);
    }

    /** For {@link StringBuilder#indexOf(String, int)}. */
    public static int indexOf(StringBuilder text, String part, int from) {
        return isShort(text.length(), part) ? text.indexOf(part, from) : indexOf(text.toString(), part, from);
    }

    /** For {@link StringBuilder#lastIndexOf(String)}. */
    public static int lastIndexOf(StringBuilder text, String part) {
        return lastIndexOf(text, part, text.length());
    }

    /** For {@link StringBuilder#lastIndexOf(String, int)}. */
    public static int lastIndexOf(StringBuilder text, String part, int from) {
        return isShort(text.length(), part) ? text.lastIndexOf(part, from) : lastIndexOf(text.toString(), part, from);
    }

    /** For {@link StringBuffer#indexOf(String)}. */
    public static int indexOf(StringBuffer text, String part) {
        return indexOf(text.toString(), part);
    }

    /** For {@link StringBuffer#indexOf(String, int)}. */
    public static int indexOf(StringBuffer text, String part, int from) {
        return indexOf(text.toString(), part, from);
    }

    /** For {@link StringBuffer#lastIndexOf(String)}. */
    public static int lastIndexOf(StringBuffer text, String part) {
        return lastIndexOf(text.toString(), part);
    }

    /** For {@link StringBuffer#lastIndexOf(String, int)}. */
    public static int lastIndexOf(StringBuffer text, String part, int from) {
        return lastIndexOf(text.toString(), part, from);
    }

    /** For {@link StringBuilder#repeat(CharSequence, int)}. */
    public static StringBuilder repeat(StringBuilder to, CharSequence text, int count) {
        require(to.length() + lengthOf(text) * count, "StringBuilder.repeat");
        return to.repeat(text, count);
    }

    /** For {@link StringBuilder#repeat(int, int)}. */
    public static StringBuilder repeat(StringBuilder to, int codePoint, int count) {
        require(to.length() + 2L * count, "StringBuilder.repeat");
        return to.repeat(codePoint, count);
    }

    /** For {@link StringBuffer#repeat(CharSequence, int)}. */
    public static StringBuffer repeat(StringBuffer to, CharSequence text, int count) {
        require(to.length() + lengthOf(text) * count, "StringBuffer.repeat");
        return to.repeat(text, count);
    }

    /** For {@link StringBuffer#repeat(int, int)}. */
    public static StringBuffer repeat(StringBuffer to, int codePoint, int count) {
        require(to.length() + 2L * count, "StringBuffer.repeat");
        return to.repeat(codePoint, count);
    }

    /** For {@link StringBuilder#setLength}. */
    public static void setLength(StringBuilder text, int length) {
        text.setLength(capacity(length));
    }

    /** For {@link StringBuffer#setLength}. */
    public static void setLength(StringBuffer text, int length) {
        text.setLength(capacity(length));
    }

    /** For {@link StringBuilder#ensureCapacity}. */
    public static void ensureCapacity(StringBuilder text, int capacity) {
        text.ensureCapacity(capacity(capacity));
    }

    /** For {@link StringBuffer#ensureCapacity}. */
    public static void ensureCapacity(StringBuffer text, int capacity) {
        text.ensureCapacity(capacity(capacity));
    }

    /** For {@link Collections#nCopies}: the JDK goes through the copies one by one. */
    public static <T> List<T> nCopies(int count, T value) {
        if (count > MOST_CHARACTERS) {
            throw new IllegalArgumentException("Collections.nCopies of " + count
                    + " elements is too long: a procedure makes up to " + MOST_CHARACTERS);
        }
        return Collections.nCopies(count, value);
    }

    /** For the first capacity of a builder. */
    public static int capacity(int count) {
        require(count, "a StringBuilder");
        return count;
    }

    private static boolean isShort(int length, String part) {
        return (long) length * part.length() <= COMPARISONS;
    }

    private static long step(String part) {
        return Math.max(1, COMPARISONS / part.length());
    }

    private static long lengthOf(CharSequence text) {
        return text == null ? "null".length() : text.length();
    }

    private static void require(long characters, String method) {
        if (characters > MOST_CHARACTERS) {
            throw tooLong(method);
        }
    }

    private static IllegalArgumentException tooLong(String method) {
        return new IllegalArgumentException(method + " would make a text of more than " + MOST_CHARACTERS
                + " characters, which is the most in a procedure");
    }
}
