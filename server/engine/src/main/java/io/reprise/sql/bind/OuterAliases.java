package io.reprise.sql.bind;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.validate.DelegatingScope;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * Aliases of outer queries with the name of a table, or of a query of WITH, in the FROM of an inner one.
 *
 * <p>An alias hides the table's name as a qualifier of columns only. Calcite looks up a simple name in FROM among these aliases
 * too, when it validates the table and when it expands a star, and would take the columns of the table with the alias.
 */
final class OuterAliases {
    private OuterAliases() {}

    /** Whether an item in the FROM of a scope's query is a table with the name of an outer query's alias. */
    static boolean include(SqlValidatorScope scope, SqlNode from, SqlNameMatcher names) {
        if (!(scope instanceof DelegatingScope inner) || !(from instanceof SqlIdentifier table)) {
            return false;
        }
        SqlValidatorScope.ResolvedImpl resolved = new SqlValidatorScope.ResolvedImpl();
        inner.getParent().resolve(table.names, names, false, resolved);
        return resolved.count() > 0;
    }

    /** Qualifies the name of a validated table, so that Calcite finds no alias by it. The table's namespace is bound already. */
    static void distinguish(SqlIdentifier table) {
        if (table.isSimple()) {
            table.setNames(List.of(SqlKind.TABLE_REF.name(), table.getSimple()), null);
        }
    }
}
