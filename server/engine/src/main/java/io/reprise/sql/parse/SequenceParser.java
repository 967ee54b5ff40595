package io.reprise.sql.parse;

import io.reprise.catalog.Ddl;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.Sequence;
import io.reprise.catalog.SqlType;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads sequences: their own statements, and the options of identity columns. */
final class SequenceParser {
    private static final int MOST_CACHED = 1_000_000;

    private final TokenCursor tokens;
    private Optional<SqlType> type = Optional.empty();
    private OptionalLong start = OptionalLong.empty();
    private OptionalLong increment = OptionalLong.empty();
    private OptionalLong min = OptionalLong.empty();
    private OptionalLong max = OptionalLong.empty();
    private int cache = 1;
    private boolean cycle;
    private boolean setsOwner;
    private boolean restarts;
    private OptionalLong restart = OptionalLong.empty();
    private Optional<Ddl.SequenceOwner> owner = Optional.empty();
    private Sequence.Identity identity = Sequence.Identity.NONE;

    SequenceParser(TokenCursor tokens) {
        this.tokens = tokens;
    }

    /** The options of a column that numbers itself without any. */
    static Ddl.SequenceOptions serial() {
        return new SequenceParser(null).options();
    }

    Ddl create() {
        boolean ifNotExists = tokens.accept("IF", "NOT", "EXISTS");
        Ddl.Name name = tokens.newRelation("the name of the sequence");
        if (tokens.accept("AS")) {
            type = Optional.of(new TypeParser(tokens).type());
        }
        while (option()) {
            continue;
        }
        if (tokens.accept("GENERATED")) {
            identity = identity(tokens);
        }
        ownedBy();
        OptionalInt id = OptionalInt.empty();
        if (tokens.accept("WITH", "ID")) {
            id = OptionalInt.of(tokens.integer("a sequence's id", Integer.MAX_VALUE - 1));
        }
        tokens.expectEnd("START", "INCREMENT", "MINVALUE", "MAXVALUE", "CACHE", "CYCLE", "OWNED BY");
        return new Ddl.CreateSequence(name, ifNotExists, options(), id);
    }

    Ddl alter() {
        boolean ifExists = tokens.accept("IF", "EXISTS");
        Ddl.Name name = tokens.relation("the name of a sequence");
        if (tokens.accept("RESTART")) {
            restarts = true;
            if (tokens.accept("WITH") || number()) {
                restart = OptionalLong.of(value("the next value"));
            }
        }
        ownedBy();
        if (!restarts && !setsOwner) {
            throw tokens.expected("RESTART", "OWNED BY");
        }
        tokens.expectEnd("OWNED BY");
        return new Ddl.AlterSequence(name, ifExists, restarts, restart, setsOwner, owner);
    }

    /** The clause behind GENERATED, with the options in parentheses. */
    Ddl.SequenceOptions identityColumn() {
        identity = identity(tokens);
        tokens.expect("AS");
        tokens.expect("IDENTITY");
        if (tokens.acceptSign('(')) {
            if (tokens.accept("SEQUENCE", "NAME")) {
                tokens.newRelation("the name of the sequence");
            }
            while (option()) {
                continue;
            }
            tokens.expectSign(')');
        }
        return options();
    }

    private static Sequence.Identity identity(TokenCursor tokens) {
        if (tokens.accept("ALWAYS")) {
            if (tokens.peek(1).isSign('(')) {
                throw tokens.refused("computed columns are not supported; use a view, or a DEFAULT");
            }
            return Sequence.Identity.ALWAYS;
        } else if (tokens.accept("BY", "DEFAULT")) {
            return Sequence.Identity.BY_DEFAULT;
        }
        throw tokens.expected("ALWAYS", "BY DEFAULT");
    }

    private boolean option() {
        if (tokens.accept("START")) {
            tokens.accept("WITH");
            start = OptionalLong.of(value("the first value"));
        } else if (tokens.accept("INCREMENT")) {
            tokens.accept("BY");
            increment = OptionalLong.of(value("the increment"));
        } else if (tokens.accept("MINVALUE")) {
            min = OptionalLong.of(value("the least value"));
        } else if (tokens.accept("MAXVALUE")) {
            max = OptionalLong.of(value("the greatest value"));
        } else if (tokens.accept("CACHE")) {
            cache = Math.max(1, tokens.integer("the number of values that are reserved", MOST_CACHED));
        } else if (tokens.accept("CYCLE")) {
            cycle = true;
        } else {
            return tokens.accept("NO", "MINVALUE") || tokens.accept("NO", "MAXVALUE") || tokens.accept("NO", "CYCLE");
        }
        return true;
    }

    private void ownedBy() {
        if (!tokens.accept("OWNED", "BY")) {
            return;
        }
        setsOwner = true;
        if (tokens.accept("NONE")) {
            return;
        }
        owner = Optional.of(tokens.ownedColumn());
    }

    private boolean number() {
        return tokens.peek().kind() == Token.Kind.NUMBER || tokens.peek().isSign('-');
    }

    private long value(String what) {
        boolean negative = tokens.acceptSign('-');
        Token token = tokens.peek();
        if (token.kind() != Token.Kind.NUMBER) {
            throw tokens.expected(what);
        }
        try {
            long value = Long.parseLong((negative ? "-" : "") + token.text());
            tokens.next();
            return value;
        } catch (NumberFormatException e) {
            throw new DdlException(
                    token.at(), "expected " + what + ", a whole number of 64 bits, but found " + token.describe());
        }
    }

    private Ddl.SequenceOptions options() {
        return new Ddl.SequenceOptions(type, start, increment, min, max, cache, cycle, identity, owner);
    }
}
