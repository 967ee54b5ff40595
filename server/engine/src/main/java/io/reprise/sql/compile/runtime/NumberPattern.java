package io.reprise.sql.compile.runtime;

import io.reprise.storage.PartitionStore;
import java.math.BigDecimal;
import java.util.Locale;

/** TO_NUMBER: numbers read from texts by PostgreSQL's patterns, with a point for decimals and commas for groups. */
public final class NumberPattern {
    private static final String DATA = "0123456789+-.,";

    private final String text;
    private final StringBuilder digits = new StringBuilder();
    private int at;
    private boolean point;
    private boolean negative;
    private boolean signed;

    private NumberPattern(String text) {
        this.text = text;
    }

    /** The end of a quoted text. */
    private static int close(String pattern, int open) {
        int close = pattern.indexOf('"', open + 1);
        return close < 0 ? pattern.length() : close;
    }

    /** TO_NUMBER as the unscaled value of a decimal. */
    public static long number(PartitionStore store, long text, long pattern, int precision, int scale) {
        String by = Utf8.decode(store.memory(), pattern);
        NumberPattern read = new NumberPattern(Utf8.decode(store.memory(), text));
        Strings.pace(by.length());
        return Decimals.unscaled(read.by(by), precision, scale);
    }

    private BigDecimal by(String pattern) {
        String upper = pattern.toUpperCase(Locale.ROOT);
        for (int i = 0; i < upper.length(); i++) {
            i = field(upper, i);
        }
        boolean none = digits.isEmpty() || digits.toString().equals(".");
        if (none) {
            throw Errors.invalid("'" + text + "' has no number by the pattern '" + pattern + "'");
        }
        BigDecimal value = new BigDecimal(digits.toString());
        return negative ? value.negate() : value;
    }

    /** Reads the field of the pattern at a place. Returns the place of its last character. */
    private int field(String pattern, int from) {
        switch (pattern.charAt(from)) {
            case '9', '0' -> digit();
            case '.', 'D' -> decimalPoint();
            case ',', 'G' -> at += is(',') ? 1 : 0;
            case 'F' -> {
                // FM has no effect.
                return pattern.startsWith("FM", from) ? from + 1 : other(from);
            }
            case 'S' -> {
                sign();
                return pattern.startsWith("SG", from) ? from + 1 : from;
            }
            case 'M', 'P' -> {
                if (pattern.startsWith("PR", from)) {
                    at += is('>') ? 1 : 0;
                    return from + 1;
                } else if (pattern.startsWith("MI", from) || pattern.startsWith("PL", from)) {
                    sign();
                    return from + 1;
                }
                return other(from);
            }
            case 'V', 'E', 'R' -> {
                throw Errors.invalid("TO_NUMBER can't read V, EEEE and RN");
            }
            case 'T' -> {
                at = Math.min(text.length(), at + (pattern.startsWith("TH", from) ? 2 : 1));
                return pattern.startsWith("TH", from) ? from + 1 : from;
            }
            case '"' -> {
                int end = close(pattern, from);
                for (int i = from + 1; i < end; i++) {
                    other(i);
                }
                return end;
            }
            default -> {
                return other(from);
            }
        }
        return from;
    }

    private boolean is(char wanted) {
        return at < text.length() && text.charAt(at) == wanted;
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private void digit() {
        if (digits.isEmpty()) {
            skipBlanks();
            if (is('<')) {
                negative = true;
                at++;
            } else {
                sign();
            }
        }
        if (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            digits.append(text.charAt(at));
            at++;
        }
    }

    private void decimalPoint() {
        if (digits.isEmpty()) {
            sign();
        }
        if (is('.') && !point) {
            point = true;
            digits.append('.');
            at++;
        }
    }

    private void sign() {
        skipBlanks();
        if (!signed && (is('-') || is('+'))) {
            signed = true;
            negative |= is('-');
            at++;
        }
    }

    /** A character that is no field stands for one of the text that belongs to no number. */
    private int other(int from) {
        if (at < text.length() && DATA.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return from;
    }
}
