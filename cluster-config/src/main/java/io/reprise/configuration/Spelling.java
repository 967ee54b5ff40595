package io.reprise.configuration;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that a misspelt one resembles. */
final class Spelling {
    private Spelling() {}

    /** The word that is nearest to what was written, if it is near enough to have been meant. */
    static Optional<String> nearest(String written, Collection<String> words) {
        String best = null;
        int least = Math.max(2, written.length() / 3) + 1;
        for (String word : words) {
            int distance = distance(written.toLowerCase(Locale.ROOT), word.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                best = word;
            }
        }
        return Optional.ofNullable(best);
    }

    /** The number of letters that have to be added, left out or replaced. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
