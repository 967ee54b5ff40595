package io.reprise.command;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The digits of a DECIMAL column of a foreign schema.
 *
 * @param digits all of them
 * @param scale those behind the point
 */
record DumpDecimal(int digits, int scale) {
    private static final Pattern TYPE = Pattern.compile("DECIMAL\\((\\d+),(\\d+)\\)");
    private static final int MOST_DIGITS = 38;

    /** The most digits of one that is a number of 64 bits; it can divide tables. */
    private static final int MOST_IN_WORD = 18;

    /** Those of a type of our DDL; empty: it is no DECIMAL. */
    static Optional<DumpDecimal> of(String type) {
        Matcher matcher = TYPE.matcher(type);
        return matcher.matches()
                ? Optional.of(new DumpDecimal(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    /** Whether it has more digits than a number of 64 bits. */
    boolean isWide() {
        return digits > MOST_IN_WORD;
    }

    /** One with the digits of both on each side of the point, as far as 38 have room. */
    DumpDecimal with(DumpDecimal other) {
        int most = Math.max(scale, other.scale);
        int before = Math.max(digits - scale, other.digits - other.scale);
        return new DumpDecimal(Math.min(MOST_DIGITS, before + most), most);
    }

    /** The type whose values can divide tables. */
    String narrowed() {
        return scale == 0 ? "BIGINT" : "DECIMAL(" + MOST_IN_WORD + "," + Math.min(scale, MOST_IN_WORD) + ")";
    }

    @Override
    public String toString() {
        return "DECIMAL(" + digits + "," + scale + ")";
    }
}
