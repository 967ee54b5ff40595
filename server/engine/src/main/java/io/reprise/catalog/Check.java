package io.reprise.catalog;

import java.util.List;

/**
 * A CHECK constraint: a condition over the columns of one row, which no written row may violate. NULL does not violate it.
 *
 * @param name unique among the table's checks and foreign keys
 * @param condition the text
 * @param words the words of the text that may be names of columns
 */
public record Check(String name, String condition, List<String> words) {
    /** Keeps a copy. */
    public Check {
        words = List.copyOf(words);
    }

    /** Whether the condition may name a column; a word that stands for something else counts too. */
    public boolean mayName(String column) {
        return words.contains(column);
    }
}
