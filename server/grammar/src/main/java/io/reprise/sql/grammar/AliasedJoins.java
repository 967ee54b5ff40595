package io.reprise.sql.grammar;

import org.apache.calcite.sql.SqlNode;

/** The generated grammar with aliases behind joins in parentheses, which Calcite's template refuses. */
public class AliasedJoins extends StatementGrammar {
    /** Reads the tokens of a text. */
    public AliasedJoins(StatementGrammarTokenManager tokens) {
        super(tokens);
    }

    @Override
    SqlNode checkNotJoin(SqlNode table) {
        return table;
    }
}
