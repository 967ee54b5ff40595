package io.reprise.sql.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is known to be equal in a part of a plan. The inner side of an outer join is a part of its own: what holds there
 * (and in the parts around it) tells nothing about the rows outside.
 */
final class Equalities {
    private final Equalities around;
    private final List<String[]> pairs = new ArrayList<>();

    Equalities(Equalities around) {
        this.around = around;
    }

    void add(String one, String other) {
        if (one != null && other != null && !one.equals(other)) {
            pairs.add(new String[] {one, other});
        }
    }

    /** All that equals the given term, itself included. */
    Set<String> of(String term) {
        Set<String> found = new HashSet<>();
        if (term == null) {
            return found;
        }
        found.add(term);
        boolean grown = true;
        while (grown) {
            grown = false;
            for (Equalities part = this; part != null; part = part.around) {
                for (String[] pair : part.pairs) {
                    if (found.contains(pair[0]) != found.contains(pair[1])) {
                        found.add(pair[0]);
                        found.add(pair[1]);
                        grown = true;
                    }
                }
            }
        }
        return found;
    }
}
