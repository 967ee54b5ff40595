package io.reprise.sql.bind;

import io.reprise.catalog.Catalog;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * The names that WITH gives to queries, while {@link TableReferences} goes through a statement. A name hides tables and views.
 *
 * <p>Names of the catalog stand for tables after the resolution. A query whose name the catalog has therefore gets another one, so that
 * a table of this name, written with its schema or in a view, stays the table.
 */
final class WithNames {
    /** The beginning of names that replace those of the catalog. */
    private static final String OWN = "$WITH";

    private final Catalog catalog;
    private final Deque<Map<String, SqlIdentifier>> scopes = new ArrayDeque<>();
    private int count;

    WithNames(Catalog catalog) {
        this.catalog = catalog;
    }

    /** A WITH begins. */
    void open() {
        scopes.push(new TreeMap<>());
    }

    /** The WITH that began last ends. */
    void close() {
        scopes.pop();
    }

    /** The name that a query keeps or gets. */
    SqlIdentifier named(SqlIdentifier name) {
        String simple = name.getSimple();
        if (scopes.element().containsKey(simple)) {
            throw PlanningErrors.at(name.getParserPosition(), simple + " is named twice in WITH");
        }
        return catalog.hasRelation(simple) || simple.startsWith(OWN)
                ? new SqlIdentifier(OWN + count++, name.getParserPosition())
                : name;
    }

    /** The queries behind this one, and the body of the WITH, may use the name. */
    void add(SqlIdentifier name, SqlIdentifier own) {
        scopes.element().put(name.getSimple(), own);
    }

    /** The query that a name in FROM stands for; null if it is no name of a WITH around it. */
    SqlIdentifier find(SqlIdentifier name) {
        if (name.isSimple()) {
            for (Map<String, SqlIdentifier> scope : scopes) {
                SqlIdentifier own = scope.get(name.getSimple());
                if (own != null) {
                    return new SqlIdentifier(own.getSimple(), name.getParserPosition());
                }
            }
        }
        return null;
    }

    /** A query of a WITH in FROM, under the name that the statement has for it. */
    static SqlNode underAlias(SqlIdentifier written, SqlIdentifier query) {
        return written.getSimple().equals(query.getSimple())
                ? written
                : SqlStdOperatorTable.AS.createCall(written.getParserPosition(), query, written);
    }
}
