package io.reprise.access;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rights of a user. Immutable. A connection keeps the one of its user, so that a call costs a look at a field; only
 * who may call nothing but certain procedures costs a search among their names.
 */
public final class Rights {
    /** The right to do everything. */
    public static final Rights ALL = new Rights(EnumSet.allOf(Right.class), Collections.emptySortedSet());

    /** The right to do nothing. */
    public static final Rights NONE = new Rights(EnumSet.noneOf(Right.class), Collections.emptySortedSet());

    private static final String WORDS =
            Stream.of(Right.values()).map(Right::word).collect(Collectors.joining(", "));

    private final EnumSet<Right> rights;
    private final SortedSet<String> procedures;
    private final boolean callsAll;
    private final boolean reads;

    private Rights(EnumSet<Right> rights, SortedSet<String> procedures) {
        this.rights = rights;
        this.procedures = procedures;
        callsAll = rights.contains(Right.CALL);
        reads = rights.contains(Right.READ);
    }

    /** These and nothing else. */
    public static Rights of(Right... rights) {
        EnumSet<Right> set = EnumSet.noneOf(Right.class);
        set.addAll(List.of(rights));
        return new Rights(set, Collections.emptySortedSet());
    }

    /** Reads words such as {@code call}, {@code call:Deposit}, {@code administer}. */
    public static Rights parse(Collection<String> words) {
        EnumSet<Right> rights = EnumSet.noneOf(Right.class);
        TreeSet<String> procedures = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String word : words) {
            String[] parts = word.split(":", 2);
            Right right = right(parts[0]);
            if (parts.length == 1) {
                rights.add(right);
            } else if (right == Right.CALL && parts[1].matches("[\\p{L}\\p{N}_$]+")) {
                procedures.add(parts[1]);
            } else {
                throw new IllegalArgumentException("'" + word
                        + "' is no role; only 'call' has a name behind it, that of" + " a procedure: call:Deposit");
            }
        }
        return new Rights(rights, procedures);
    }

    private static Right right(String word) {
        try {
            return Right.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + word + "' is no role; there are " + WORDS + ", and call:NAME for a single procedure", e);
        }
    }

    /** Whether this is allowed. */
    public boolean has(Right right) {
        return rights.contains(right)
                || right == Right.READ && rights.contains(Right.SQL)
                || right == Right.WATCH && rights.contains(Right.ADMINISTER);
    }

    /** Whether this procedure may be called. */
    public boolean calls(String procedure, boolean readOnly) {
        return callsAll || reads && readOnly || procedures.contains(procedure);
    }

    /** As {@link #parse} reads it, with commas between. */
    @Override
    public String toString() {
        StringJoiner words = new StringJoiner(",");
        rights.forEach(right -> words.add(right.word()));
        procedures.forEach(procedure -> words.add(Right.CALL.word() + ":" + procedure));
        return words.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Rights that && toString().equals(that.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }
}
