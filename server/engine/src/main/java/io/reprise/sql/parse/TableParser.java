package io.reprise.sql.parse;

import io.reprise.catalog.Ddl;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads what follows CREATE TABLE and ALTER TABLE. */
final class TableParser {
    private static final String GENERATED =
            "generated values are not supported; keep the next number in a table and let the procedure take it";
    private static final Map<String, String> REFUSED_ELEMENTS = Map.of(
            "ASSUMEUNIQUE",
            "ASSUMEUNIQUE is not supported; use UNIQUE with the partitioning column, or an index",
            "LIMIT",
            "LIMIT PARTITION ROWS is not supported; delete old rows in a procedure");
    private static final Map<String, String> REFUSED_ATTRIBUTES = Map.of(
            "GENERATED", GENERATED,
            "IDENTITY", GENERATED,
            "AUTO_INCREMENT", GENERATED,
            "COLLATE", "COLLATE is not supported: strings are compared by their bytes",
            "ASSUMEUNIQUE", REFUSED_ELEMENTS.get("ASSUMEUNIQUE"));
    private static final String[] AFTER_TYPE = {
        "NOT NULL", "NULL", "DEFAULT", "PRIMARY KEY", "UNIQUE", "REFERENCES", "CHECK", "','", "')'"
    };

    private final TokenCursor tokens;
    private final TypeParser types;
    private final List<Ddl.ColumnDefinition> columns = new ArrayList<>();
    private final List<Ddl.KeyDefinition> keys = new ArrayList<>();
    private final List<Ddl.ForeignKeyDefinition> foreignKeys = new ArrayList<>();
    private final List<Ddl.CheckDefinition> checks = new ArrayList<>();

    TableParser(TokenCursor tokens) {
        this.tokens = tokens;
        this.types = new TypeParser(tokens);
    }

    Ddl create() {
        boolean ifNotExists = tokens.accept("IF", "NOT", "EXISTS");
        Ddl.Name table = tokens.name("the name of the table");
        if (tokens.peek().isWord("AS")) {
            throw tokens.refused("CREATE TABLE AS is not supported; list the columns, then INSERT INTO ... SELECT");
        }
        tokens.expectSign('(');
        do {
            element();
        } while (tokens.acceptSign(','));
        tokens.expectSign(')');
        if (columns.isEmpty()) {
            throw new DdlException(table.at(), "table " + table + " has no columns");
        }
        OptionalInt id = OptionalInt.empty();
        if (tokens.accept("WITH", "ID")) {
            id = OptionalInt.of(tokens.integer("a table's id", Integer.MAX_VALUE - 1));
        }
        if (tokens.peek().isWord("PARTITION")) {
            throw tokens.refused("partitioning is a statement of its own: PARTITION TABLE " + table + " ON COLUMN ...");
        }
        tokens.expectEnd();
        return new Ddl.CreateTable(
                table,
                ifNotExists,
                List.copyOf(columns),
                List.copyOf(keys),
                List.copyOf(foreignKeys),
                List.copyOf(checks),
                id);
    }

    Ddl alter() {
        tokens.expect("TABLE");
        Ddl.Name table = tokens.name("the name of a table");
        if (tokens.accept("ADD")) {
            Optional<Ddl.ForeignKeyDefinition> key = foreignKey();
            if (key.isPresent()) {
                tokens.expectEnd();
                return new Ddl.AddForeignKey(table, key.get());
            }
            if (isCheck()) {
                Ddl.CheckDefinition check = ExpressionParser.check(tokens, constraintName());
                tokens.expectEnd();
                return new Ddl.AddCheck(table, check);
            }
            return new Ddl.AddColumn(table, added());
        }
        if (tokens.accept("DROP")) {
            if (tokens.accept("CONSTRAINT")) {
                boolean ifExists = tokens.accept("IF", "EXISTS");
                Ddl.Name constraint = tokens.name("the name of a constraint");
                ViewParser.cascade(tokens);
                tokens.expectEnd("CASCADE", "RESTRICT");
                return new Ddl.DropConstraint(table, constraint, ifExists);
            }
            return new Ddl.DropColumn(table, dropped());
        }
        String word = tokens.peek().text().toUpperCase(Locale.ROOT);
        if (List.of("ALTER", "MODIFY", "CHANGE", "RENAME", "SET").contains(word)) {
            throw tokens.refused("ALTER TABLE " + word + " is not supported; ADD a column, copy the values with UPDATE,"
                    + " and DROP the old one");
        }
        throw tokens.expected("ADD", "DROP");
    }

    /** [CONSTRAINT n] FOREIGN KEY, if that stands here. */
    private Optional<Ddl.ForeignKeyDefinition> foreignKey() {
        boolean named = tokens.peek().isWord("CONSTRAINT") && tokens.peek(2).isWord("FOREIGN");
        if (!named && !(tokens.peek().isWord("FOREIGN") && tokens.peek(1).isWord("KEY"))) {
            return Optional.empty();
        }
        return Optional.of(new ForeignKeyParser(tokens).ofTable(constraintName()));
    }

    private Optional<Ddl.Name> constraintName() {
        return tokens.accept("CONSTRAINT") ? Optional.of(tokens.name("the name of the constraint")) : Optional.empty();
    }

    /** Whether [CONSTRAINT n] CHECK stands here. */
    private boolean isCheck() {
        return tokens.peek().isWord("CHECK")
                || tokens.peek().isWord("CONSTRAINT") && tokens.peek(2).isWord("CHECK");
    }

    private Ddl.ColumnDefinition added() {
        refuseConstraint();
        tokens.accept("COLUMN");
        column(false);
        if (tokens.peek().isWord("BEFORE")
                || tokens.peek().isWord("AFTER")
                || tokens.peek().isWord("FIRST")) {
            throw tokens.refused(
                    "a column is added as the last one; leave " + tokens.peek().describe() + " out");
        }
        tokens.expectEnd("NOT NULL", "NULL", "DEFAULT");
        return columns.getFirst();
    }

    /** Those that no table can have are refused as in CREATE TABLE, where they don't belong either. */
    private void refuseConstraint() {
        Token first = tokens.peek();
        Token kind = first.isWord("CONSTRAINT") ? tokens.peek(2) : first;
        String refusal = kind.kind() == Token.Kind.WORD
                ? REFUSED_ELEMENTS.get(kind.text().toUpperCase(Locale.ROOT))
                : null;
        if (refusal != null) {
            throw new DdlException(kind.at(), refusal);
        } else if (isKeyElement(first)) {
            throw tokens.refused(
                    "constraints can't be added; CREATE UNIQUE INDEX has the effect of UNIQUE, a PRIMARY KEY"
                            + " belongs into CREATE TABLE");
        }
    }

    private Ddl.Name dropped() {
        if (isKeyElement(tokens.peek())) {
            throw tokens.refused("a constraint is dropped by its name: DROP CONSTRAINT and the name");
        }
        tokens.accept("COLUMN");
        Ddl.Name column = tokens.name("the name of a column");
        if (tokens.peek().isWord("CASCADE")) {
            throw tokens.refused("CASCADE is not supported; DROP the indexes that contain " + column + " first");
        }
        tokens.expectEnd();
        return column;
    }

    private void element() {
        Token first = tokens.peek();
        String refusal = first.kind() == Token.Kind.WORD
                ? REFUSED_ELEMENTS.get(first.text().toUpperCase(Locale.ROOT))
                : null;
        if (refusal != null) {
            throw tokens.refused(refusal);
        }
        Optional<Ddl.ForeignKeyDefinition> foreignKey = foreignKey();
        if (foreignKey.isPresent()) {
            foreignKeys.add(foreignKey.get());
            if (!tokens.peek().isSign(',') && !tokens.peek().isSign(')')) {
                throw tokens.expected("ON DELETE", "ON UPDATE", "','", "')'");
            }
            return;
        }
        if (isCheck()) {
            checks.add(ExpressionParser.check(tokens, constraintName()));
            if (!tokens.peek().isSign(',') && !tokens.peek().isSign(')')) {
                throw tokens.expected("','", "')'");
            }
            return;
        }
        if (!isKeyElement(first)) {
            column(true);
            return;
        }
        Optional<Ddl.Name> name = constraintName();
        Token at = tokens.peek();
        String constraint = at.text().toUpperCase(Locale.ROOT);
        if (REFUSED_ELEMENTS.containsKey(constraint)) {
            throw tokens.refused(REFUSED_ELEMENTS.get(constraint));
        }
        boolean primary = primaryOrUnique("PRIMARY KEY", "UNIQUE");
        List<Ddl.Name> keyColumns = DdlParser.keyColumns(tokens);
        // Of several columns the first ones are looked for too, which takes an ordered index.
        Index.Kind kind = DdlParser.kind(tokens, keyColumns.size() > 1 ? Index.Kind.ORDERED : Index.Kind.HASH);
        keys.add(new Ddl.KeyDefinition(name, primary, keyColumns, kind, at.at()));
        if (!tokens.peek().isSign(',') && !tokens.peek().isSign(')')) {
            throw tokens.expected("USING", "','", "')'");
        }
    }

    private static boolean isKeyElement(Token token) {
        return token.isWord("CONSTRAINT") || token.isWord("PRIMARY") || token.isWord("UNIQUE");
    }

    private boolean primaryOrUnique(String... choices) {
        if (tokens.accept("PRIMARY")) {
            tokens.expect("KEY");
            return true;
        }
        if (!tokens.accept("UNIQUE")) {
            throw tokens.expected(choices);
        }
        return false;
    }

    private void column(boolean inCreate) {
        Ddl.Name name = tokens.name("the name of a column");
        SqlType type = types.type();
        Optional<Ddl.Default> defaultLiteral = Optional.empty();
        boolean notNull = false;
        boolean nullable = false;
        while (isAttribute(tokens.peek(), inCreate)) {
            Token attribute = tokens.peek();
            if (tokens.accept("DEFAULT")) {
                if (defaultLiteral.isPresent()) {
                    throw new DdlException(attribute.at(), "column " + name + " has a DEFAULT already");
                }
                defaultLiteral = Optional.of(defaultValue());
            } else if (tokens.accept("NULL")) {
                nullable = true;
            } else if (tokens.accept("NOT")) {
                tokens.expect("NULL");
                notNull = true;
            } else if (isCheck()) {
                checks.add(ExpressionParser.check(tokens, constraintName()));
            } else if (tokens.peek().isWord("REFERENCES") || isNamedReference()) {
                foreignKeys.add(
                        new ForeignKeyParser(tokens).references(constraintName(), List.of(name), attribute.at()));
            } else {
                boolean primary = primaryOrUnique(AFTER_TYPE);
                Index.Kind kind = DdlParser.kind(tokens, Index.Kind.HASH);
                keys.add(new Ddl.KeyDefinition(Optional.empty(), primary, List.of(name), kind, attribute.at()));
                notNull |= primary;
            }
            if (notNull && nullable) {
                throw new DdlException(
                        attribute.at(),
                        "column " + name + " can't be both NULL and NOT NULL (a primary key is NOT NULL)");
            }
        }
        columns.add(new Ddl.ColumnDefinition(name, type, notNull, defaultLiteral));
    }

    /** Whether one more attribute of a column follows; throws where what follows can't be one. */
    private boolean isAttribute(Token token, boolean inCreate) {
        boolean ends = inCreate ? token.isSign(',') || token.isSign(')') : !isNullOrDefault(token);
        if (token.kind() == Token.Kind.WORD) {
            String word = token.text().toUpperCase(Locale.ROOT);
            if (REFUSED_ATTRIBUTES.containsKey(word)) {
                throw tokens.refused(REFUSED_ATTRIBUTES.get(word));
            }
            if (!inCreate && token.isWord("REFERENCES")) {
                throw tokens.refused("a column can't be added with a foreign key; add it, then ADD FOREIGN KEY");
            }
            if (!inCreate && isCheck()) {
                throw tokens.refused("a column can't be added with a check; add it, then ADD CHECK");
            }
            if (!inCreate && (token.isWord("PRIMARY") || token.isWord("UNIQUE"))) {
                throw tokens.refused("a column can't be added as a key; add it, then CREATE UNIQUE INDEX on it");
            }
        }
        if (ends) {
            return false;
        }
        boolean reference = token.isWord("REFERENCES") || isNamedReference() || isCheck();
        if (!reference && !isNullOrDefault(token) && !token.isWord("PRIMARY") && !token.isWord("UNIQUE")) {
            throw tokens.expected(AFTER_TYPE);
        }
        return true;
    }

    private boolean isNamedReference() {
        return tokens.peek().isWord("CONSTRAINT") && tokens.peek(2).isWord("REFERENCES");
    }

    private static boolean isNullOrDefault(Token token) {
        return token.isWord("NOT") || token.isWord("NULL") || token.isWord("DEFAULT");
    }

    /** A literal, or else an expression. */
    private Ddl.Default defaultValue() {
        int mark = tokens.mark();
        Token first = tokens.peek();
        DdlException problem = null;
        try {
            Ddl.Default literal = defaultLiteral();
            if (ExpressionParser.endsDefault(tokens.peek())) {
                return literal;
            }
        } catch (DdlException e) {
            problem = e;
        }
        tokens.reset(mark);
        if (!ExpressionParser.mayBeExpression(tokens)) {
            throw problem == null ? tokens.expected("a literal or an expression") : problem;
        }
        return new Ddl.Default("(" + ExpressionParser.defaultExpression(tokens) + ")", first.at());
    }

    private Ddl.Default defaultLiteral() {
        Token first = tokens.peek();
        String sign = tokens.acceptSign('-') ? "-" : "";
        if (sign.isEmpty()) {
            tokens.acceptSign('+');
        }
        Token token = tokens.peek();
        String literal = switch (token.kind()) {
            case NUMBER -> sign + tokens.next().text();
            case STRING, BINARY -> tokens.next().text();
            case WORD -> word(token);
            default -> throw tokens.expected("a literal");
        };
        if (first != token && token.kind() != Token.Kind.NUMBER) {
            throw new DdlException(token.at(), "expected a number, but found " + token.describe());
        }
        return new Ddl.Default(literal, first.at());
    }

    private String word(Token token) {
        String word = token.text().toUpperCase(Locale.ROOT);
        switch (word) {
            case "TRUE", "FALSE", "NULL", "CURRENT_TIMESTAMP" -> tokens.next();
            case "NOW" -> {
                tokens.next();
                if (tokens.acceptSign('(')) {
                    tokens.expectSign(')');
                }
            }
            case "DATE", "TIMESTAMP" -> {
                tokens.next();
                if (tokens.peek().kind() != Token.Kind.STRING) {
                    throw tokens.expected("a literal such as " + word + " '2025-12-31'");
                }
                return tokens.next().text();
            }
            default -> throw tokens.expected("a literal", "NULL", "TRUE", "FALSE", "CURRENT_TIMESTAMP", "NOW");
        }
        return word;
    }
}
