package io.reprise.sql.place;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The equalities that hold in a part of a plan. The inner side of an outer join is a part of its own: its equalities, and those
 * of the parts around it, tell nothing about the rows outside.
 */
final class Equalities {
    private final Equalities around;
    private final List<String[]> pairs = new ArrayList<>();
    private final Map<String, Optional> optionals;

    Equalities(Equalities around) {
        this.around = around;
        optionals = around == null ? new HashMap<>() : around.optionals;
    }

    /** A column of an outer join's inner side, as the rows outside have it: NULL, or that column's value. */
    private record Optional(String inner, Equalities inside) {}

    /** Adds what a comparison demands, which is not true if one of both is NULL. */
    void add(String one, String other) {
        if (one != null && other != null && !one.equals(other)) {
            pairs.add(new String[] {one, other});
        }
    }

    /** Adds a column that is NULL, or equals one of an outer join's inner side, where other equalities hold. */
    void addOptional(String outer, String inner, Equalities inside) {
        optionals.put(outer, new Optional(inner, inside));
    }

    /** All terms that equal the given one, itself included. */
    Set<String> of(String term) {
        Set<String> found = new HashSet<>();
        if (term == null) {
            return found;
        }
        found.add(term);
        Set<Equalities> parts = new LinkedHashSet<>();
        addParts(this, parts);
        boolean grown = true;
        while (grown) {
            grown = false;
            for (Equalities part : List.copyOf(parts)) {
                for (String[] pair : part.pairs) {
                    if (found.contains(pair[0]) || found.contains(pair[1])) {
                        grown |= reach(pair[0], found, parts) | reach(pair[1], found, parts);
                    }
                }
            }
        }
        return found;
    }

    /** Adds a term of an equality. As it is not NULL, an optional one has a row of the inner side. */
    private boolean reach(String term, Set<String> found, Set<Equalities> parts) {
        boolean grown = found.add(term);
        Optional optional = optionals.get(term);
        if (optional != null) {
            grown |= found.add(optional.inner());
            grown |= addParts(optional.inside(), parts);
        }
        return grown;
    }

    private static boolean addParts(Equalities innermost, Set<Equalities> parts) {
        boolean grown = false;
        for (Equalities part = innermost; part != null; part = part.around) {
            grown |= parts.add(part);
        }
        return grown;
    }
}
