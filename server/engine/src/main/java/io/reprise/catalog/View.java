package io.reprise.catalog;

import java.util.List;

/**
 * A view: a query that statements name in FROM as if it were a table. It is planned within each statement that names it.
 *
 * @param name as declared, upper case unless quoted
 * @param columns names for the query's columns; none: the query's own
 * @param query the text
 * @param words the words of the text that may be names of tables and views
 */
public record View(String name, List<String> columns, String query, List<String> words) {
    /** Keeps copies. */
    public View {
        columns = List.copyOf(columns);
        words = List.copyOf(words);
    }

    /** Whether the text may name a table or view; a name that stands for something else in it counts too. */
    public boolean mayName(String table) {
        return words.contains(table);
    }
}
