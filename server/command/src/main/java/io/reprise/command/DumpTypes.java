package io.reprise.command;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The types and defaults of PostgreSQL and VoltDB, as Reprise has them. */
final class DumpTypes {
    private static final Pattern SIZED =
            Pattern.compile("([a-z0-9 ]+?)\\s*\\(\\s*(\\d+)\\s*(?:,\\s*(\\d+)\\s*)?[a-z ]*\\)(.*)");
    private static final int MOST_DIGITS = 38;
    private static final Pattern LITERAL =
            Pattern.compile("(?is)('(?:[^']|'')*+'|[-+]?[0-9.]+|true|false|null)(::.*)?");
    private static final Pattern NOW =
            Pattern.compile("(?i)(now\\(\\)|now|current_timestamp|localtimestamp|transaction_timestamp\\(\\))(::.*)?");

    private DumpTypes() {}

    /** Reprise's type for a foreign one; differences are told. */
    static String type(String foreign, Consumer<String> told) {
        String type = foreign.toLowerCase(Locale.ROOT)
                .replaceAll("\\s+", " ")
                .replaceAll(" ?\\( ?", "(")
                .strip();
        if (type.endsWith("[]")) {
            return type(type.replaceAll("(\\[\\])+$", ""), told) + "[]";
        }
        Matcher sized = SIZED.matcher(type);
        boolean hasSize = sized.matches();
        String base = hasSize ? sized.group(1).strip() + sized.group(4) : type;
        String size = hasSize ? "(" + sized.group(2) + ")" : "";
        return switch (base) {
            case "tinyint", "smallint", "integer", "bigint", "boolean", "date", "time", "text" ->
                base.toUpperCase(Locale.ROOT);
            case "int2", "smallserial" -> "SMALLINT";
            case "int", "int4", "serial" -> "INTEGER";
            case "int8", "bigserial" -> "BIGINT";
            case "bool" -> "BOOLEAN";
            case "real", "float4" -> "REAL";
            case "float", "float8", "double", "double precision" -> "DOUBLE";
            case "numeric", "decimal" -> decimal(sized, hasSize, told);
            case "money" -> "DECIMAL(18,2)";
            case "varchar", "character varying" -> hasSize ? "VARCHAR" + size : "TEXT";
            case "char", "character", "bpchar" -> hasSize ? "CHAR" + size : "CHAR(1)";
            case "bytea" -> "BYTEA";
            case "varbinary" -> hasSize ? "VARBINARY" + size : "BYTEA";
            case "timestamp", "timestamp without time zone" -> "TIMESTAMP";
            case "time without time zone" -> "TIME";
            case "timestamptz", "timestamp with time zone" -> "TIMESTAMPTZ";
            case "uuid", "json", "jsonb" -> base.toUpperCase(Locale.ROOT);
            default -> other(foreign, "TEXT", told);
        };
    }

    private static String decimal(Matcher sized, boolean hasSize, Consumer<String> told) {
        if (!hasSize) {
            told.accept("NUMERIC without digits becomes DECIMAL(18,6)");
            return "DECIMAL(18,6)";
        }
        int digits = Integer.parseInt(sized.group(2));
        int scale = sized.group(3) == null ? 0 : Integer.parseInt(sized.group(3));
        if (digits > MOST_DIGITS) {
            told.accept("NUMERIC(" + digits + "," + scale + ") becomes DECIMAL(" + MOST_DIGITS + ","
                    + Math.min(scale, MOST_DIGITS) + ")");
        }
        return "DECIMAL(" + Math.min(digits, MOST_DIGITS) + "," + Math.min(scale, MOST_DIGITS) + ")";
    }

    private static String other(String foreign, String type, Consumer<String> told) {
        told.accept("type " + foreign + " becomes " + type);
        return type;
    }

    /** Reprise's default for a foreign one; empty if there is none, which is told. */
    static String otherwise(String foreign, Consumer<String> told) {
        String expression = foreign.strip();
        Matcher literal = LITERAL.matcher(expression);
        if (literal.matches()) {
            return literal.group(1);
        }
        if (NOW.matcher(expression).matches()) {
            return "NOW";
        }
        told.accept("DEFAULT " + expression + " is left out; the application or a procedure has to give the value");
        return "";
    }
}
