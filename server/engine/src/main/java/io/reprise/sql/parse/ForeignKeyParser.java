package io.reprise.sql.parse;

import io.reprise.catalog.Ddl;
import io.reprise.catalog.ForeignKey;
import io.reprise.catalog.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads foreign keys, from REFERENCES on. */
final class ForeignKeyParser {
    private final TokenCursor tokens;

    ForeignKeyParser(TokenCursor tokens) {
        this.tokens = tokens;
    }

    /** FOREIGN KEY (columns) REFERENCES ... */
    Ddl.ForeignKeyDefinition ofTable(Optional<Ddl.Name> name) {
        Position at = tokens.expect("FOREIGN").at();
        tokens.expect("KEY");
        return references(name, names(), at);
    }

    /** REFERENCES parent [(columns)] and what follows. */
    Ddl.ForeignKeyDefinition references(Optional<Ddl.Name> name, List<Ddl.Name> columns, Position at) {
        tokens.expect("REFERENCES");
        Ddl.Name parent = tokens.relation("the name of a table");
        List<Ddl.Name> parentColumns = tokens.peek().isSign('(') ? names() : List.of();
        ForeignKey.Action onDelete = ForeignKey.Action.NO_ACTION;
        ForeignKey.Action onUpdate = ForeignKey.Action.NO_ACTION;
        boolean enforced = true;
        while (true) {
            if (tokens.accept("ON", "DELETE")) {
                onDelete = action();
            } else if (tokens.accept("ON", "UPDATE")) {
                onUpdate = action();
            } else if (tokens.accept("NOT", "ENFORCED")) {
                enforced = false;
            } else if (!acceptTiming()) {
                return new Ddl.ForeignKeyDefinition(
                        name, columns, parent, parentColumns, onDelete, onUpdate, enforced, at);
            }
        }
    }

    private boolean acceptTiming() {
        return tokens.accept("ENFORCED")
                || tokens.accept("MATCH", "SIMPLE")
                || tokens.accept("NOT", "DEFERRABLE")
                || tokens.accept("DEFERRABLE")
                || tokens.accept("INITIALLY", "DEFERRED")
                || tokens.accept("INITIALLY", "IMMEDIATE");
    }

    private ForeignKey.Action action() {
        if (tokens.accept("CASCADE")) {
            return ForeignKey.Action.CASCADE;
        } else if (tokens.accept("RESTRICT")) {
            return ForeignKey.Action.RESTRICT;
        } else if (tokens.accept("NO", "ACTION")) {
            return ForeignKey.Action.NO_ACTION;
        } else if (tokens.accept("SET", "NULL")) {
            return ForeignKey.Action.SET_NULL;
        } else if (tokens.accept("SET", "DEFAULT")) {
            return ForeignKey.Action.SET_DEFAULT;
        }
        throw tokens.expected("CASCADE", "RESTRICT", "NO ACTION", "SET NULL", "SET DEFAULT");
    }

    private List<Ddl.Name> names() {
        tokens.expectSign('(');
        List<Ddl.Name> names = new ArrayList<>();
        do {
            names.add(tokens.name("the name of a column"));
        } while (tokens.acceptSign(','));
        tokens.expectSign(')');
        return names;
    }
}
