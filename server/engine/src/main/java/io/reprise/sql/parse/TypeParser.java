package io.reprise.sql.parse;

import io.reprise.catalog.DdlException;
import io.reprise.catalog.Limits;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Suggestions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads column types. */
final class TypeParser {
    private static final List<String> NAMES = List.of(
            "BOOLEAN",
            "TINYINT",
            "SMALLINT",
            "INTEGER",
            "BIGINT",
            "REAL",
            "DOUBLE",
            "DECIMAL(p,s)",
            "VARCHAR(n)",
            "TEXT",
            "VARBINARY(n)",
            "UUID",
            "JSON",
            "TIMESTAMP",
            "TIMESTAMPTZ",
            "DATE",
            "TIME");
    private static final List<String> WORDS = List.of(
            "BOOLEAN",
            "TINYINT",
            "SMALLINT",
            "INTEGER",
            "INT",
            "BIGINT",
            "DOUBLE",
            "FLOAT",
            "DECIMAL",
            "NUMERIC",
            "VARCHAR",
            "CHAR",
            "CHARACTER",
            "TEXT",
            "VARBINARY",
            "BYTEA",
            "TIMESTAMP",
            "DATE",
            "TIME",
            "BOOL",
            "INT2",
            "INT4",
            "INT8",
            "FLOAT8",
            "FLOAT4",
            "REAL",
            "JSON",
            "JSONB",
            "UUID",
            "TIMESTAMPTZ");
    private static final Map<String, String> FOREIGN = Map.ofEntries(
            Map.entry("MEDIUMINT", "INTEGER"),
            Map.entry("LONG", "BIGINT"),
            Map.entry("NUMBER", "DECIMAL(p,s)"),
            Map.entry("DEC", "DECIMAL(p,s)"),
            Map.entry("MONEY", "DECIMAL(p,s)"),
            Map.entry("STRING", "TEXT"),
            Map.entry("CLOB", "TEXT"),
            Map.entry("NCHAR", "VARCHAR(n)"),
            Map.entry("NVARCHAR", "VARCHAR(n)"),
            Map.entry("BLOB", "VARBINARY(n)"),
            Map.entry("BINARY", "VARBINARY(n)"),
            Map.entry("DATETIME", "TIMESTAMP"),
            Map.entry("TIMETZ", "TIME"));

    private final TokenCursor tokens;

    TypeParser(TokenCursor tokens) {
        this.tokens = tokens;
    }

    /** The type of a column that numbers itself, if SERIAL or its like stands here. */
    Optional<SqlType> serial() {
        SqlType.Kind kind = tokens.peek().kind() != Token.Kind.WORD
                ? null
                : switch (tokens.peek().text().toUpperCase(Locale.ROOT)) {
                    case "SERIAL", "SERIAL4" -> SqlType.Kind.INTEGER;
                    case "BIGSERIAL", "SERIAL8" -> SqlType.Kind.BIGINT;
                    case "SMALLSERIAL", "SERIAL2" -> SqlType.Kind.SMALLINT;
                    default -> null;
                };
        if (kind == null) {
            return Optional.empty();
        }
        tokens.next();
        return Optional.of(SqlType.of(kind));
    }

    /** A type, perhaps of arrays: {@code INTEGER[]}, {@code INTEGER ARRAY}. */
    SqlType type() {
        SqlType type = single();
        boolean array = false;
        while (tokens.peek().isSign('[') || tokens.peek().isWord("ARRAY")) {
            array = true;
            if (!tokens.accept("ARRAY")) {
                tokens.next();
                length(tokens);
            } else if (tokens.acceptSign('[')) {
                length(tokens);
            }
        }
        return array ? SqlType.array(type) : type;
    }

    /** The length of an array, which has no effect, and the bracket behind it. */
    private static void length(TokenCursor tokens) {
        if (!tokens.peek().isSign(']')) {
            tokens.integer("the number of elements", Integer.MAX_VALUE);
        }
        tokens.expectSign(']');
    }

    private SqlType single() {
        Token token = tokens.peek();
        if (token.kind() != Token.Kind.WORD) {
            throw tokens.expected("a type");
        }
        String word = token.text().toUpperCase(Locale.ROOT);
        if (!WORDS.contains(word)) {
            throw unknown(token, word);
        }
        tokens.next();
        return switch (word) {
            case "INT", "INT4" -> SqlType.of(SqlType.Kind.INTEGER);
            case "INT2" -> SqlType.of(SqlType.Kind.SMALLINT);
            case "INT8" -> SqlType.of(SqlType.Kind.BIGINT);
            case "BOOL" -> SqlType.of(SqlType.Kind.BOOLEAN);
            case "DOUBLE" -> {
                tokens.accept("PRECISION");
                yield SqlType.of(SqlType.Kind.DOUBLE);
            }
            case "REAL", "FLOAT4" -> SqlType.REAL;
            case "JSON" -> SqlType.JSON;
            case "JSONB" -> SqlType.JSONB;
            case "UUID" -> SqlType.UUID;
            case "TIMESTAMPTZ" -> SqlType.TIMESTAMPTZ;
            case "FLOAT", "FLOAT8" -> SqlType.of(SqlType.Kind.DOUBLE);
            case "DECIMAL", "NUMERIC" -> decimal();
            case "TEXT" -> SqlType.TEXT;
            case "BYTEA" -> SqlType.varbinary(SqlType.MAX_STRING_BYTES);
            case "VARCHAR" -> varchar(word);
            case "CHAR" -> character(word);
            case "CHARACTER" -> tokens.accept("VARYING") ? varchar("VARCHAR") : character(word);
            case "TIMESTAMP" -> {
                passDigits();
                tokens.accept("WITHOUT", "TIME", "ZONE");
                yield tokens.accept("WITH", "TIME", "ZONE") ? SqlType.TIMESTAMPTZ : SqlType.of(SqlType.Kind.TIMESTAMP);
            }
            case "TIME" -> {
                passDigits();
                tokens.accept("WITHOUT", "TIME", "ZONE");
                yield SqlType.of(SqlType.Kind.TIME);
            }
            case "VARBINARY" -> SqlType.varbinary(length(word, SqlType.MAX_STRING_BYTES, "bytes"));
            default -> SqlType.of(SqlType.Kind.valueOf(word));
        };
    }

    /** Digits of seconds are accepted, and microseconds are kept. */
    private void passDigits() {
        if (tokens.acceptSign('(')) {
            tokens.integer("the number of digits", Integer.MAX_VALUE);
            tokens.expectSign(')');
        }
    }

    private SqlType varchar(String word) {
        return tokens.peek().isSign('(')
                ? SqlType.varchar(length(word, Limits.VARCHAR_CHARACTERS, "characters"))
                : SqlType.TEXT;
    }

    private SqlType character(String word) {
        return tokens.peek().isSign('(')
                ? SqlType.varchar(length(word, Limits.VARCHAR_CHARACTERS, "characters"))
                : SqlType.varchar(1);
    }

    private DdlException unknown(Token token, String word) {
        String instead = FOREIGN.get(word);
        String suggestion = instead == null ? Suggestions.didYouMean(word, WORDS) : "; use " + instead;
        return tokens.refused("unknown type " + token.describe()
                + (suggestion.isEmpty() ? "; the types are " + String.join(", ", NAMES) : suggestion));
    }

    private SqlType decimal() {
        if (!tokens.acceptSign('(')) {
            return SqlType.decimal(SqlType.MAX_WORD_PRECISION, SqlType.DEFAULT_DECIMAL_SCALE);
        }
        Token at = tokens.peek();
        int precision = tokens.integer("the number of digits", Integer.MAX_VALUE);
        if (precision < 1 || precision > SqlType.MAX_DECIMAL_PRECISION) {
            throw new DdlException(
                    at.at(),
                    "a DECIMAL has 1 to " + SqlType.MAX_DECIMAL_PRECISION + " digits, but this one has " + precision);
        }
        int scale = 0;
        if (tokens.acceptSign(',')) {
            Token scaleAt = tokens.peek();
            scale = tokens.integer("the number of digits after the point", Integer.MAX_VALUE);
            if (scale > precision) {
                throw new DdlException(
                        scaleAt.at(),
                        "a DECIMAL of " + precision + " digits can't have " + scale + " of them after the point");
            }
        }
        tokens.expectSign(')');
        return SqlType.decimal(precision, scale);
    }

    private int length(String word, int max, String unit) {
        if (!tokens.peek().isSign('(')) {
            throw tokens.refused(word + " needs its greatest length in " + unit + ": " + word + "(n)");
        }
        tokens.next();
        Token at = tokens.peek();
        int length = tokens.integer("the number of " + unit, Integer.MAX_VALUE);
        if (length < 1 || length > max) {
            throw new DdlException(
                    at.at(), "a " + word + " has 1 to " + max + " " + unit + ", but this one has " + length);
        }
        if (tokens.peek().isWord("BYTES")) {
            throw tokens.refused(
                    "the length of a " + word + " counts characters of up to 4 bytes each; leave BYTES out");
        }
        tokens.accept("CHARACTERS");
        tokens.expectSign(')');
        return length;
    }
}
