package io.reprise.session;

import java.math.BigDecimal;

/**
 * Limits of the numbers that clients send, which are PostgreSQL's: 1e2000000000 is short, but to round it or to write it
 * out would take minutes and gigabytes.
 */
final class Numeric {
    private static final int MOST_BEFORE_POINT = 131_072;
    private static final int MOST_BEHIND_POINT = 16_383;

    private Numeric() {}

    /** Reads a number. Throws NumberFormatException where the text is none. */
    static BigDecimal parse(String text) {
        if (text.length() > MOST_BEFORE_POINT + MOST_BEHIND_POINT) {
            throw overflow();
        }
        return require(new BigDecimal(text));
    }

    /** Reads a literal of a statement, which is a number in any case. */
    static BigDecimal literal(String text) {
        try {
            return parse(text);
        } catch (NumberFormatException e) {
            throw overflow();
        }
    }

    /** The number, if it is within the limits. */
    private static BigDecimal require(BigDecimal number) {
        if ((long) number.precision() - number.scale() > MOST_BEFORE_POINT || number.scale() > MOST_BEHIND_POINT) {
            throw overflow();
        }
        return number;
    }

    private static SessionException overflow() {
        return new SessionException(
                "22003",
                "value overflows numeric format: a number has up to " + MOST_BEFORE_POINT
                        + " digits before the point and " + MOST_BEHIND_POINT + " behind it");
    }
}
