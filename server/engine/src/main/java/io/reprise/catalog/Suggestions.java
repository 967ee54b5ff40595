package io.reprise.catalog;

import java.util.Collection;
import java.util.Locale;

/** Finds what a misspelt word was probably meant to be. */
public final class Suggestions {
    private static final int LONGEST_WORD = 64;

    private Suggestions() {}

    /** The end of a message: {@code "; did you mean ORDERS?"}, or nothing where no candidate is near. */
    public static String didYouMean(String found, Collection<String> candidates) {
        String best = null;
        int bestDistance = allowed(found) + 1;
        for (String candidate : candidates) {
            int distance = distance(found, candidate, bestDistance);
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return best == null ? "" : "; did you mean " + best + "?";
    }

    private static int allowed(String word) {
        return word.length() > LONGEST_WORD ? -1 : word.length() <= 2 ? 0 : word.length() <= 4 ? 1 : 2;
    }

    /** Insertions, deletions, replacements and swaps of neighbours that lead from a to b, ignoring case. */
    private static int distance(String a, String b, int limit) {
        if (Math.abs(a.length() - b.length()) >= limit) {
            return limit;
        }
        String from = a.toUpperCase(Locale.ROOT);
        String to = b.toUpperCase(Locale.ROOT);
        int[][] cost = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cell(cost, from, to, i, j);
            }
        }
        return cost[from.length()][to.length()];
    }

    private static int cell(int[][] cost, String from, String to, int i, int j) {
        int replaced = cost[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(least, 1 + cost[i - 2][j - 2]) : least;
    }
}
