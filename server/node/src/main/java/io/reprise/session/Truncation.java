package io.reprise.session;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.ForeignKey;
import io.reprise.catalog.QualifiedName;
import io.reprise.catalog.SearchPath;
import io.reprise.catalog.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A TRUNCATE of several tables, or one with options. The session runs it as one statement for each table.
 *
 * @param written the names of the tables, as written
 * @param restarts whether the tables' sequences begin anew
 * @param cascades whether tables whose foreign keys name these are emptied too
 */
record Truncation(List<RelationName> written, boolean restarts, boolean cascades) {
    /** Whether a statement is one; a plain TRUNCATE TABLE of one table is a statement of the engine. */
    static boolean isOne(ClientStatement statement) {
        boolean qualified =
                statement.tokens().size() == 6 && statement.tokens().get(3).isSign('.');
        return statement.word(0).equals("TRUNCATE")
                && !(statement.word(1).equals("TABLE") && (statement.tokens().size() == 4 || qualified));
    }

    static Truncation parse(ClientStatement statement) {
        List<RelationName> tables = new ArrayList<>();
        int at = statement.word(1).equals("TABLE") ? 2 : 1;
        do {
            at += statement.tokens().get(at).isSign(',') ? 1 : 0;
            at += statement.word(at).equals("ONLY") ? 1 : 0;
            tables.add(RelationName.at(statement, at));
            at = tables.getLast().end();
            at += statement.tokens().get(at).isSign('*') ? 1 : 0;
        } while (statement.tokens().get(at).isSign(','));
        boolean restarts = statement.word(at).equals("RESTART");
        if (restarts || statement.word(at).equals("CONTINUE")) {
            if (!statement.word(at + 1).equals("IDENTITY")) {
                throw SessionException.syntax(
                        "expected IDENTITY", statement.tokens().get(at + 1).start());
            }
            at += 2;
        }
        boolean cascades = statement.word(at).equals("CASCADE");
        at += cascades || statement.word(at).equals("RESTRICT") ? 1 : 0;
        if (statement.tokens().get(at).kind() != Token.Kind.END) {
            throw SessionException.syntax(
                    "expected the end of TRUNCATE", statement.tokens().get(at).start());
        }
        return new Truncation(List.copyOf(tables), restarts, cascades);
    }

    /** The tables to empty, those that name others by foreign keys in front of these. */
    List<String> inOrder(Catalog catalog, SearchPath path) {
        Set<String> all = new LinkedHashSet<>();
        written.forEach(table -> all.add(table.in(catalog, path)));
        for (int before = 0; cascades && before < all.size(); ) {
            before = all.size();
            catalog.tables().values().stream()
                    .filter(table ->
                            table.foreignKeys().stream().map(ForeignKey::parent).anyMatch(all::contains))
                    .map(Table::name)
                    .toList()
                    .forEach(all::add);
        }
        List<String> ordered = new ArrayList<>(all);
        ordered.sort(Comparator.comparingInt((String name) -> depth(catalog, name, new LinkedHashSet<>()))
                .reversed());
        return ordered;
    }

    /** The length of the longest chain of parents. */
    private static int depth(Catalog catalog, String name, Set<String> passed) {
        if (!passed.add(name)) {
            return 0;
        }
        int depth = catalog.table(name).stream()
                .flatMap(table -> table.foreignKeys().stream())
                .mapToInt(key -> 1 + depth(catalog, key.parent(), passed))
                .max()
                .orElse(0);
        passed.remove(name);
        return depth;
    }

    /** A statement for one of the tables. */
    static ClientStatement of(String table) {
        return ClientStatement.split("TRUNCATE TABLE " + RelationName.quoted(table))
                .getFirst();
    }

    /** The statements that let the tables' sequences begin anew. */
    static List<String> restarts(Catalog catalog, List<String> emptied) {
        return catalog.tables().values().stream()
                .filter(table -> table.sequence()
                        .flatMap(sequence -> sequence.owner())
                        .filter(owner -> emptied.contains(owner.table()))
                        .isPresent())
                .map(table -> "ALTER SEQUENCE " + QualifiedName.quoted(table.name()) + " RESTART")
                .toList();
    }
}
