package io.reprise.catalog;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The properties of a sequence. Its state is a replicated table with the sequence's name and at most one row: the last value that has
 * been handed out, or reserved by a node. Without a row nothing has been.
 *
 * @param type of its values: SMALLINT, INTEGER or BIGINT
 * @param start the first value
 * @param increment the distance of values, not 0
 * @param min the least value
 * @param max the greatest value
 * @param cache the number of values that a node reserves at once; 1 leaves the number to the node
 * @param cycle whether the least value follows the greatest one
 * @param identity the column's kind if an identity column owns the sequence
 * @param owner the column that owns it, with which it is dropped
 */
public record Sequence(
        SqlType type,
        long start,
        long increment,
        long min,
        long max,
        int cache,
        boolean cycle,
        Identity identity,
        Optional<Owner> owner) {
    /** The column of the state with the last value. */
    public static final String LAST_VALUE = "LAST_VALUE";

    /** The key of the state's row, which is 0. */
    public static final String LOG_COUNT = "LOG_CNT";

    /** The column of the state that is false if the last value is still to be handed out. */
    public static final String IS_CALLED = "IS_CALLED";

    private static final Pattern NEXT_VALUE =
            Pattern.compile("(?i)\\(\\s*NEXTVAL\\s*\\(\\s*'((?:[^']|'')++)'(?:\\s*::\\s*REGCLASS)?\\s*\\)\\s*\\)");

    /** A name in quotes or without. Possessive, since a group that could give back takes stack for each character. */
    private static final String PART = "(\"(?:[^\"]|\"\")++\"|[^\".]++)";

    /** A name, perhaps with a schema in front. */
    private static final Pattern NAME = Pattern.compile("(?:" + PART + "\\.)?" + PART);

    /** Whether a sequence gives an identity column its values. */
    public enum Identity {
        NONE,
        BY_DEFAULT,
        ALWAYS
    }

    /** A column of a table, by names. */
    public record Owner(String table, String column) {}

    /** The sequence with another owner. */
    Sequence ownedBy(Optional<Owner> newOwner) {
        return new Sequence(type, start, increment, min, max, cache, cycle, identity, newOwner);
    }

    /** The sequence with another first value. */
    Sequence startingAt(long newStart) {
        return new Sequence(type, newStart, increment, min, max, cache, cycle, identity, owner);
    }

    /** Whether a column owns it. */
    boolean isOwnedBy(String table, String column) {
        return owner.equals(Optional.of(new Owner(table, column)));
    }

    /** The sequence whose next value a default takes; empty for another default. */
    public static Optional<String> ofDefault(String expression) {
        Matcher matcher = NEXT_VALUE.matcher(expression);
        return matcher.matches() ? Optional.of(named(matcher.group(1).replace("''", "'"))) : Optional.empty();
    }

    /** The catalog's name that a text means, as it would be read in a statement; a schema may stand before it. */
    public static String named(String text) {
        Matcher parts = NAME.matcher(text);
        if (!parts.matches()) {
            return text.toUpperCase(Locale.ROOT);
        }
        String name = part(parts.group(2));
        return parts.group(1) == null ? name : QualifiedName.of(part(parts.group(1)), name);
    }

    private static String part(String written) {
        return written.startsWith("\"")
                ? written.substring(1, written.length() - 1).replace("\"\"", "\"")
                : written.toUpperCase(Locale.ROOT);
    }

    /** The expression of a default that takes the next value of a sequence. */
    public static String nextValueOf(String sequence) {
        return "(NEXTVAL(" + Literals.quote('"' + sequence.replace("\"", "\"\"") + '"') + "))";
    }
}
