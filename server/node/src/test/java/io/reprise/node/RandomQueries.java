package io.reprise.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random tables, and queries of them that PostgreSQL and Reprise should answer alike. The documents' table of differences is avoided:
 * order of NULL, AVG of integers, texts of booleans and timestamps, GREATEST and LEAST.
 */
final class RandomQueries {
    private static final int DEPTH = 3;

    /** Patterns by which a day is written and read again. */
    private static final String[] DAYS = {
        "'YYYY-MM-DD'), 'YYYY-MM-DD'",
        "'DD Mon YYYY'), 'DD Mon YYYY'",
        "'FMDD/MM/YY'), 'DD/MM/YY'",
        "'YYYYMMDD'), 'YYYYMMDD'",
        "'YYYY DDD'), 'YYYY DDD'"
    };

    private final Random random;

    RandomQueries(long seed) {
        random = new Random(seed);
    }

    /** The types of expressions. */
    private enum Type {
        INTEGER("a", "b", "c", "id"),
        DECIMAL("d", "e"),
        WIDE("p", "q"),
        DOUBLE("f"),
        TEXT("s", "v"),
        TIMESTAMP("t"),
        DATE("w"),
        TIME("k"),
        BOOLEAN("x"),
        INTEGERS("g"),
        TEXTS("h");

        private final String[] columns;

        Type(String... columns) {
            this.columns = columns;
        }
    }

    /** The tables and their rows. */
    List<String> tables() {
        List<String> statements = new ArrayList<>();
        statements.add(
                "CREATE TABLE t (id INT PRIMARY KEY, a INT, b BIGINT, c SMALLINT, d DECIMAL(10,2), e DECIMAL(6,3),"
                        + " f DOUBLE PRECISION, s TEXT, v VARCHAR(10), t TIMESTAMP, w DATE, k TIME, x BOOLEAN, g INT[], h TEXT[],"
                        + " p NUMERIC(30,4), q NUMERIC(38,10))");
        statements.add("CREATE TABLE u (id INT PRIMARY KEY, a INT, s TEXT, d DECIMAL(8,2))");
        for (int i = 1; i <= 12; i++) {
            statements.add("INSERT INTO t VALUES (" + i + ", " + literal(Type.INTEGER) + ", " + literal(Type.INTEGER)
                    + ", " + literal(Type.INTEGER) + ", " + literal(Type.DECIMAL) + ", " + literal(Type.DECIMAL) + ", "
                    + literal(Type.DOUBLE) + ", " + literal(Type.TEXT) + ", " + literal(Type.TEXT) + ", "
                    + literal(Type.TIMESTAMP) + ", " + literal(Type.DATE) + ", " + literal(Type.TIME) + ", "
                    + literal(Type.BOOLEAN) + ", " + literal(Type.INTEGERS) + ", " + literal(Type.TEXTS) + ", "
                    + literal(Type.WIDE) + ", " + literal(Type.WIDE) + ")");
        }
        for (int i = 1; i <= 8; i++) {
            statements.add("INSERT INTO u VALUES (" + i + ", " + literal(Type.INTEGER) + ", " + literal(Type.TEXT)
                    + ", " + literal(Type.DECIMAL) + ")");
        }
        return statements;
    }

    /** One query, whose rows come in a certain order. */
    String next() {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 ->
                "SELECT id, " + expression(type(), DEPTH) + " AS c0, " + expression(type(), DEPTH)
                        + " AS c1 FROM t ORDER BY id";
            case 3, 4 -> "SELECT id FROM t WHERE " + expression(Type.BOOLEAN, DEPTH) + " ORDER BY id";
            case 5 -> groups();
            case 6 -> joins();
            default -> windows();
        };
    }

    private String groups() {
        String key = pick("a", "c", "s", "x", "w", "k", "g", "h", "p");
        return "SELECT " + key + ", COUNT(*) AS n, SUM(" + pick("a", "d", "c", "p", "q", "p + q") + ") AS x1, MIN("
                + pick("s", "a", "t", "d", "p")
                + ") AS x2, MAX(" + pick("v", "e", "w", "b", "k", "g", "q") + ") AS x3, COUNT(DISTINCT "
                + pick("a", "s", "x", "q")
                + ") AS x4, BOOL_OR(x) AS x5 FROM t WHERE " + expression(Type.BOOLEAN, 2) + " GROUP BY " + key
                + " ORDER BY " + key + " NULLS FIRST";
    }

    private String joins() {
        if (random.nextBoolean()) {
            return "SELECT " + pick("a", "p", "q") + " AS z FROM t "
                    + pick("UNION", "UNION ALL", "EXCEPT", "INTERSECT", "EXCEPT ALL", "INTERSECT ALL")
                    + " SELECT " + pick("a", "d") + " FROM u ORDER BY 1 NULLS FIRST";
        }
        return "SELECT t.id, u.id AS i2, u.s AS s2 FROM t " + pick("", "LEFT ", "RIGHT ", "FULL ") + "JOIN u ON "
                + pick(
                        "t.a = u.a",
                        "t.s = u.s",
                        "t.id = u.id AND t.x",
                        "t.d = u.d",
                        "t.a = u.id",
                        "t.p = u.d",
                        "t.q = u.a")
                + " ORDER BY t.id NULLS FIRST, u.id NULLS FIRST";
    }

    private String windows() {
        return "SELECT id, " + pick("SUM", "MIN", "MAX", "COUNT") + "(" + pick("a", "d", "p", "q") + ") OVER ("
                + pick("", "PARTITION BY x ", "PARTITION BY c ")
                + "ORDER BY id) AS y, LAG(s) OVER (ORDER BY id) AS g FROM t"
                + " ORDER BY id";
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private Type type() {
        return Type.values()[random.nextInt(Type.values().length)];
    }

    private String literal(Type type) {
        if (random.nextInt(7) == 0) {
            return "NULL";
        }
        return value(type);
    }

    private String value(Type type) {
        return switch (type) {
            case INTEGER -> pick("0", "1", "2", "3", "5", "7", "10", "-1", "-4", "100", "32767");
            case DECIMAL -> pick("0.5", "1.25", "-2.75", "10.00", "99.99", "0.005", "3.0");
            case WIDE ->
                pick(
                        "0",
                        "1.25",
                        "-2.75",
                        "99.9900",
                        "12345678901234567890.1234",
                        "-99999999999999999999999999.9999",
                        "1000000000000000000",
                        "0.0005");
            case DOUBLE -> pick("1.5", "2.5", "-2.0", "100.0");
            case TEXT -> pick("''", "'a'", "'abc'", "'Abc'", "'b c'", "'x_y%'", "'zzz'");
            case TIMESTAMP ->
                pick(
                        "TIMESTAMP '2020-01-31 12:30:45'",
                        "TIMESTAMP '1999-12-31 23:59:59.5'",
                        "TIMESTAMP '2024-02-29 00:00:00'");
            case DATE -> pick("DATE '2020-02-29'", "DATE '1999-12-31'", "DATE '2024-03-01'");
            case TIME -> pick("TIME '00:00'", "TIME '12:30:45'", "TIME '23:59:59.5'");
            case BOOLEAN -> pick("TRUE", "FALSE");
            case INTEGERS ->
                pick("'{1,2,3}'::int[]", "'{}'::int[]", "ARRAY[5, NULL, 1]", "'{NULL}'::int[]", "ARRAY[7]");
            case TEXTS -> pick("'{a,abc}'::text[]", "ARRAY['b c', NULL]", "'{}'::text[]", "'{\"NULL\",\"\"}'::text[]");
        };
    }

    private String expression(Type type, int depth) {
        if (depth == 0 || random.nextInt(5) == 0) {
            return random.nextInt(3) > 0 || type == Type.DOUBLE ? pick(type.columns) : value(type);
        }
        int below = depth - 1;
        return switch (type) {
            case INTEGER -> integer(below);
            case DECIMAL -> decimal(below);
            case WIDE -> wide(below);
            case DOUBLE -> real(below);
            case TEXT -> text(below);
            case TIMESTAMP -> timestamp(below);
            case DATE ->
                random.nextInt(3) == 0
                        ? "TO_DATE(TO_CHAR(" + expression(Type.TIMESTAMP, below) + ", " + pick(DAYS) + ")"
                        : random.nextBoolean()
                                ? "CAST(" + expression(Type.TIMESTAMP, below) + " AS DATE)"
                                : "COALESCE(" + expression(Type.DATE, below) + ", " + expression(Type.DATE, below)
                                        + ")";
            case TIME -> timeOfDay(below);
            case BOOLEAN -> condition(below);
            case INTEGERS -> array(Type.INTEGERS, "a", below);
            case TEXTS -> array(Type.TEXTS, "s", below);
        };
    }

    /** An array of a column's type and others like it. */
    private String array(Type type, String element, int below) {
        String one = expression(type, below);
        return switch (random.nextInt(8)) {
            case 0 -> "(" + one + " || " + expression(type, below) + ")";
            case 1 -> "ARRAY_APPEND(" + one + ", " + element + ")";
            case 2 -> "ARRAY_PREPEND(" + element + ", " + one + ")";
            case 3 -> "ARRAY_REMOVE(" + one + ", " + element + ")";
            case 4 -> "COALESCE(" + one + ", " + expression(type, below) + ")";
            case 5 -> "CASE WHEN " + expression(Type.BOOLEAN, below) + " THEN " + one + " END";
            case 6 -> "ARRAY[" + element + ", " + element + "]";
            default -> "ARRAY_CAT(" + one + ", " + expression(type, below) + ")";
        };
    }

    private String conditionOfArrays(int below) {
        String numbers = expression(Type.INTEGERS, below);
        String texts = expression(Type.TEXTS, below);
        return switch (random.nextInt(6)) {
            case 0 -> "(" + numbers + pick(" = ", " < ", " >= ", " <> ") + expression(Type.INTEGERS, below) + ")";
            case 1 -> "(" + texts + pick(" = ", " > ", " <= ") + expression(Type.TEXTS, below) + ")";
            case 2 -> "(a " + pick("=", "<>", "<", ">=") + pick(" ANY ", " ALL ") + "(" + numbers + "))";
            case 3 -> "(s " + pick("=", "<>", ">") + pick(" ANY ", " ALL ") + "(" + texts + "))";
            case 4 -> "(" + numbers + pick(" @> ", " <@ ", " && ") + expression(Type.INTEGERS, below) + ")";
            default -> "(" + texts + pick(" @> ", " && ") + expression(Type.TEXTS, below) + ")";
        };
    }

    private String timeOfDay(int below) {
        String one = expression(Type.TIME, below);
        return switch (random.nextInt(4)) {
            case 0 -> "CAST(" + expression(Type.TIMESTAMP, below) + " AS TIME)";
            case 1 -> "(" + one + pick(" + ", " - ") + "INTERVAL '" + random.nextInt(40) + " hours')";
            case 2 -> "COALESCE(" + one + ", " + expression(Type.TIME, below) + ")";
            default -> "CASE WHEN " + expression(Type.BOOLEAN, below) + " THEN " + one + " ELSE k END";
        };
    }

    private String integer(int below) {
        String one = expression(Type.INTEGER, below);
        return switch (random.nextInt(12)) {
            case 10 ->
                random.nextBoolean()
                        ? "CARDINALITY(" + expression(Type.INTEGERS, below) + ")"
                        : "ARRAY_LENGTH(" + expression(Type.TEXTS, below) + ", 1)";
            case 11 -> "(" + expression(Type.INTEGERS, below) + ")[" + (1 + random.nextInt(3)) + "]";
            case 9 ->
                "CAST(EXTRACT(" + pick("HOUR", "MINUTE") + " FROM " + expression(Type.TIME, below) + ") AS INTEGER)";
            case 0 -> "(" + one + pick(" + ", " - ", " * ") + expression(Type.INTEGER, below) + ")";
            case 1 -> "LENGTH(" + expression(Type.TEXT, below) + ")";
            case 2 -> "COALESCE(" + one + ", " + expression(Type.INTEGER, below) + ")";
            case 3 -> "ABS(" + one + ")";
            case 4 -> "CASE WHEN " + expression(Type.BOOLEAN, below) + " THEN " + one + " ELSE b END";
            case 5 -> "NULLIF(" + one + ", " + expression(Type.INTEGER, below) + ")";
            case 6 -> "MOD(" + one + ", 7)";
            case 7 -> "(" + one + " / 3)";
            default -> "CAST(" + expression(Type.DECIMAL, below) + " AS BIGINT)";
        };
    }

    private String decimal(int below) {
        String one = expression(Type.DECIMAL, below);
        return switch (random.nextInt(6)) {
            case 5 -> "TO_NUMBER(" + pick("'12.5'", "'-3'", "'1,234.56'") + ", '9G999D99')";
            case 0 -> "(" + one + pick(" + ", " - ") + expression(Type.DECIMAL, below) + ")";
            case 1 -> "ABS(" + one + ")";
            case 2 -> "COALESCE(" + one + ", " + expression(Type.DECIMAL, below) + ")";
            case 3 -> "CAST(" + expression(Type.INTEGER, below) + " AS DECIMAL(14, 2))";
            default -> "CASE WHEN " + expression(Type.BOOLEAN, below) + " THEN " + one + " END";
        };
    }

    private String wide(int below) {
        String one = expression(Type.WIDE, below);
        return switch (random.nextInt(11)) {
            case 0 -> "(" + one + pick(" + ", " - ") + expression(Type.WIDE, below) + ")";
            case 1 -> "(" + one + pick(" + ", " - ") + expression(Type.DECIMAL, below) + ")";
            case 2 -> "COALESCE(" + one + ", " + expression(Type.WIDE, below) + ")";
            case 3 -> "CASE WHEN " + expression(Type.BOOLEAN, below) + " THEN " + one + " END";
            case 4 -> "ABS(" + one + ")";
            case 5 -> "CAST(" + expression(Type.INTEGER, below) + " AS NUMERIC(25, 3))";
            case 6 -> "CAST(" + one + " AS NUMERIC(" + pick("28, 2", "36, 8") + "))";
            case 7 -> "(- " + one + ")";
            case 8 -> "(" + pick("p", "q") + " * " + pick("2", "a", "-0.5") + ")";
            case 9 -> "MOD(" + pick("p", "q") + ", 7.5)";
            default -> pick("ROUND", "TRUNC") + "(" + one + ", " + random.nextInt(3) + ")";
        };
    }

    private String real(int below) {
        return switch (random.nextInt(3)) {
            case 0 ->
                "(" + expression(Type.DOUBLE, below) + pick(" + ", " - ", " * ") + expression(Type.DOUBLE, below) + ")";
            case 1 -> "CAST(" + expression(Type.INTEGER, below) + " AS DOUBLE PRECISION)";
            default -> "ABS(" + expression(Type.DOUBLE, below) + ")";
        };
    }

    private String text(int below) {
        String one = expression(Type.TEXT, below);
        return switch (random.nextInt(13)) {
            case 12 ->
                random.nextBoolean()
                        ? "(" + expression(Type.TEXTS, below) + ")[" + (1 + random.nextInt(2)) + "]"
                        : "ARRAY_TO_STRING(" + expression(Type.INTEGERS, below) + ", '-', '?')";
            case 0 -> "(" + one + " || " + expression(Type.TEXT, below) + ")";
            case 1 -> pick("UPPER", "LOWER", "INITCAP", "REVERSE", "TRIM") + "(" + one + ")";
            case 2 -> "SUBSTRING(" + one + " FROM " + (1 + random.nextInt(3)) + " FOR " + random.nextInt(4) + ")";
            case 3 -> "COALESCE(" + one + ", " + expression(Type.TEXT, below) + ")";
            case 4 ->
                "REPLACE(" + one + ", " + expression(Type.TEXT, below) + ", " + expression(Type.TEXT, below) + ")";
            case 5, 6 -> pick("LEFT", "RIGHT") + "(" + one + ", " + (random.nextInt(6) - 2) + ")";
            case 7 -> "CAST(" + expression(Type.INTEGER, below) + " AS VARCHAR)";
            case 8 -> pick("LPAD", "RPAD") + "(" + one + ", 5, '*')";
            case 9 -> "REPEAT(" + one + ", 2)";
            case 10 -> "CAST(" + pick("d", "w") + " AS VARCHAR(20))";
            default -> "BTRIM(" + one + ")";
        };
    }

    private String timestamp(int below) {
        String one = expression(Type.TIMESTAMP, below);
        return switch (random.nextInt(4)) {
            case 0 -> "(" + one + " + INTERVAL '" + (random.nextInt(80) - 40) + " days')";
            case 1 -> "(" + one + " - INTERVAL '" + random.nextInt(20) + " months')";
            case 2 ->
                "DATE_TRUNC('" + pick("year", "quarter", "month", "week", "day", "hour", "minute") + "', " + one + ")";
            default -> "CAST(" + expression(Type.DATE, below) + " AS TIMESTAMP)";
        };
    }

    private String condition(int below) {
        String one = expression(Type.INTEGER, below);
        return switch (random.nextInt(16)) {
            case 15 ->
                "(" + expression(Type.WIDE, below) + pick(" = ", " <> ", " < ", " >= ")
                        + expression(random.nextBoolean() ? Type.WIDE : Type.INTEGER, below) + ")";
            case 14 ->
                "(" + expression(Type.WIDE, below) + " IN (" + value(Type.WIDE) + ", " + literal(Type.WIDE) + "))";
            case 13 -> conditionOfArrays(below);
            case 12 ->
                "(" + expression(Type.TIME, below) + pick(" < ", " >= ", " = ") + expression(Type.TIME, below) + ")";
            case 0, 1 ->
                "(" + one + pick(" = ", " <> ", " < ", " <= ", " > ", " >= ") + expression(Type.INTEGER, below) + ")";
            case 2 ->
                "(" + expression(Type.TEXT, below) + pick(" = ", " <> ", " < ") + expression(Type.TEXT, below) + ")";
            case 3 ->
                "(" + expression(Type.BOOLEAN, below) + pick(" AND ", " OR ") + expression(Type.BOOLEAN, below) + ")";
            case 4 -> "(NOT " + expression(Type.BOOLEAN, below) + ")";
            case 5 -> "(" + expression(type(), below) + pick(" IS NULL", " IS NOT NULL") + ")";
            case 6 -> "(" + one + " IN (" + value(Type.INTEGER) + ", " + literal(Type.INTEGER) + "))";
            case 7 ->
                "(" + expression(Type.DECIMAL, below) + " BETWEEN -2.75 AND " + expression(Type.DECIMAL, below) + ")";
            case 8 ->
                "(" + expression(Type.TEXT, below) + " LIKE " + pick("'a%'", "'%b%'", "'_b_'", "'%'", "'A%c'") + ")";
            case 9 -> "(" + one + " IS DISTINCT FROM " + expression(Type.INTEGER, below) + ")";
            case 10 ->
                "(" + expression(Type.TIMESTAMP, below) + pick(" < ", " >= ") + expression(Type.TIMESTAMP, below) + ")";
            default ->
                pick(
                        "(" + one + " NOT IN (SELECT a FROM u WHERE a IS NOT NULL))",
                        "(" + one + " IN (SELECT a FROM u))",
                        "EXISTS (SELECT 1 FROM u WHERE u.a = t.a)");
        };
    }
}
