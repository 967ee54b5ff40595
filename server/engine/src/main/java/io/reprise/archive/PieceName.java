package io.reprise.archive;

import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of an archived piece of log.
 *
 * @param begin the position of its first byte
 * @param end the position at which the log goes on behind it
 */
public record PieceName(long begin, long end) implements Comparable<PieceName> {
    private static final String ENDING = ".piece";
    private static final int DIGITS = 16;
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{16}-[0-9a-f]{16}\\.piece");

    static Optional<PieceName> parse(String name) {
        return NAME.matcher(name).matches()
                ? Optional.of(new PieceName(
                        HexFormat.fromHexDigitsToLong(name, 0, DIGITS),
                        HexFormat.fromHexDigitsToLong(name, DIGITS + 1, 2 * DIGITS + 1)))
                : Optional.empty();
    }

    /** The name as text. */
    public String text() {
        return HexFormat.of().toHexDigits(begin) + "-" + HexFormat.of().toHexDigits(end) + ENDING;
    }

    @Override
    public int compareTo(PieceName other) {
        int first = Long.compare(begin, other.begin);
        return first == 0 ? Long.compare(end, other.end) : first;
    }
}
