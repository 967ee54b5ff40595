package io.reprise.sql.parse;

import io.reprise.catalog.Ddl;
import io.reprise.catalog.SqlType;
import java.util.Optional;

/** Reads what follows ALTER TABLE t and ALTER or RENAME. */
final class AlterParser {
    private final TokenCursor tokens;
    private final Ddl.Name table;

    AlterParser(TokenCursor tokens, Ddl.Name table) {
        this.tokens = tokens;
        this.table = table;
    }

    /** ALTER [COLUMN] c, and the change. */
    Ddl column(TypeParser types, DefaultParser defaults) {
        tokens.accept("COLUMN");
        Ddl.Name column = tokens.name("the name of a column");
        Ddl change;
        if (tokens.accept("SET", "DEFAULT")) {
            change = new Ddl.SetDefault(table, column, Optional.of(defaults.value()));
        } else if (tokens.accept("DROP", "DEFAULT")) {
            change = new Ddl.SetDefault(table, column, Optional.empty());
        } else if (tokens.accept("SET", "NOT", "NULL")) {
            change = new Ddl.SetNotNull(table, column, true);
        } else if (tokens.accept("DROP", "NOT", "NULL")) {
            change = new Ddl.SetNotNull(table, column, false);
        } else if (tokens.accept("TYPE") || tokens.accept("SET", "DATA", "TYPE")) {
            SqlType type = types.type();
            if (tokens.peek().isWord("USING")) {
                throw tokens.refused(
                        "USING is not supported; ADD a column, copy the values with UPDATE, and DROP the old" + " one");
            }
            change = new Ddl.SetType(table, column, type);
        } else {
            throw tokens.expected("SET DEFAULT", "DROP DEFAULT", "SET NOT NULL", "DROP NOT NULL", "TYPE");
        }
        tokens.expectEnd();
        return change;
    }

    /** Reads a default. */
    @FunctionalInterface
    interface DefaultParser {
        /** The default at the cursor. */
        Ddl.Default value();
    }

    /** RENAME TO t, or RENAME [COLUMN] c TO d. */
    Ddl rename() {
        if (tokens.accept("TO")) {
            Ddl.Name name = tokens.unqualified("the name of a table");
            tokens.expectEnd();
            return new Ddl.RenameTable(table, tokens.beside(table, name));
        }
        if (tokens.peek().isWord("CONSTRAINT")) {
            throw tokens.refused("a constraint can't be renamed; DROP it, and ADD it with the other name");
        }
        tokens.accept("COLUMN");
        Ddl.Name column = tokens.name("the name of a column");
        tokens.expect("TO");
        Ddl.Name name = tokens.name("the name of a column");
        tokens.expectEnd();
        return new Ddl.RenameColumn(table, column, name);
    }
}
