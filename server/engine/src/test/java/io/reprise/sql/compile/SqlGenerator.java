package io.reprise.sql.compile;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Generates a schema, data and statements that both engines understand, from a seed. */
final class SqlGenerator {
    /** The kinds of values between which expressions do not mix. */
    private enum Type {
        NUMBER,
        DECIMAL,
        DOUBLE,
        STRING,
        TIME,
        DATE,
        BOOLEAN
    }

    private record Column(String name, Type type) {}

    private record Source(String alias, List<Column> columns) {}

    /**
     * A statement.
     *
     * @param sql for us
     * @param h2Sql for H2, with the parameters' values in place
     * @param parameters for us
     * @param ordered whether the order of the rows is determined
     * @param table the table that it writes, or null
     */
    record Generated(String sql, String h2Sql, List<Object> parameters, boolean ordered, String table) {}

    private static final List<Column> T_COLUMNS = List.of(
            new Column("id", Type.NUMBER),
            new Column("k", Type.NUMBER),
            new Column("g", Type.NUMBER),
            new Column("n", Type.NUMBER),
            new Column("d", Type.DECIMAL),
            new Column("x", Type.DOUBLE),
            new Column("s", Type.STRING),
            new Column("l", Type.STRING),
            new Column("ts", Type.TIME),
            new Column("dt", Type.DATE),
            new Column("b", Type.BOOLEAN));
    private static final List<Column> U_COLUMNS = List.of(
            new Column("a", Type.NUMBER),
            new Column("c", Type.NUMBER),
            new Column("v", Type.NUMBER),
            new Column("w", Type.STRING),
            new Column("e", Type.DECIMAL));
    private static final List<Column> R_COLUMNS =
            List.of(new Column("rid", Type.NUMBER), new Column("rname", Type.STRING), new Column("rv", Type.NUMBER));
    private static final String[] WORDS = {
        "",
        "a",
        "b",
        "ab",
        "abc",
        "ABC",
        "zebra",
        "Ärger",
        "x y",
        " lead",
        "trail ",
        "a%b",
        "under_score",
        "a much longer string that does not fit into a row",
        "日本",
        "0",
        "12",
        "-7"
    };

    private final Random random;
    private final boolean partitioned;
    private int aliases;

    SqlGenerator(long seed) {
        partitioned = seed % 2 == 0;
        random = new Random(seed * 0x9E3779B97F4A7C15L);
    }

    String ddl() {
        return tables(" USING ORDERED") + """
                CREATE INDEX t_k ON t (k);
                CREATE INDEX t_gn ON t (g, n);
                CREATE INDEX t_s ON t (s, id);
                CREATE INDEX t_d ON t (d);
                CREATE INDEX t_x ON t (x);
                CREATE INDEX t_ts ON t (ts);
                CREATE INDEX u_w ON u (w);
                CREATE INDEX u_v ON u (v);
                """ + (partitioned ? "PARTITION TABLE t ON COLUMN id;" : "");
    }

    List<String> h2Ddl() {
        return List.of(tables("").split(";\\s*"));
    }

    /** The tables; {@code kind} is what our primary keys have that others don't. */
    private static String tables(String kind) {
        String tables = """
                CREATE TABLE t (id INTEGER NOT NULL, k BIGINT, g SMALLINT NOT NULL, n INTEGER DEFAULT 4, d DECIMAL(10,2), x DOUBLE,
                  s VARCHAR(20) DEFAULT 'unnamed', l VARCHAR(200), ts TIMESTAMP, dt DATE, b BOOLEAN, PRIMARY KEY (id));
                CREATE TABLE u (a INTEGER NOT NULL, c TINYINT NOT NULL, v INTEGER, w VARCHAR(30), e DECIMAL(8,3) DEFAULT 1.25,
                  PRIMARY KEY (a, c)#);
                CREATE TABLE r (rid INTEGER NOT NULL, rname VARCHAR(20) NOT NULL, rv INTEGER, PRIMARY KEY (rid)#);
                """;
        return tables.replace("#", kind);
    }

    List<String> inserts() {
        List<String> inserts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            inserts.add("INSERT INTO t VALUES (" + i + ", " + orNull(number()) + ", " + random.nextInt(6) + ", "
                    + orNull(small()) + ", " + orNull(decimal(5)) + ", " + orNull(doubleLiteral()) + ", "
                    + orNull(word(20)) + ", " + orNull(word(200)) + ", " + orNull(time()) + ", " + orNull(date()) + ", "
                    + orNull(random.nextBoolean() ? "TRUE" : "FALSE") + ")");
        }
        for (int a = 0; a < 15; a++) {
            for (int c = 0; c < 1 + random.nextInt(4); c++) {
                inserts.add("INSERT INTO u VALUES (" + a + ", " + c + ", " + orNull(small()) + ", " + orNull(word(30))
                        + ", " + orNull(decimal(4)) + ")");
            }
        }
        for (int i = 0; i < 6; i++) {
            inserts.add("INSERT INTO r VALUES (" + i + ", " + word(20) + ", " + orNull(small()) + ")");
        }
        return inserts;
    }

    Generated next() {
        parameters.clear();
        parameterLiterals.clear();
        aliases = 0;
        int kind = random.nextInt(22);
        if (kind < 3) {
            return update();
        }
        if (kind == 3) {
            return delete();
        }
        if (kind == 4) {
            return insert();
        }
        if (kind == 5) {
            return upsert();
        }
        if (kind < 8) {
            return finish(kind == 6 ? orderedBehindLookup() : aggregateQuery(), null);
        }
        return finish(kind < 10 ? union() : kind == 10 ? aggregateQuery() : query(true), null);
    }

    // Parameters: written as ?n? while the text grows; we get ?, H2 gets the literal.

    private final List<Object> parameters = new ArrayList<>();
    private final List<String> parameterLiterals = new ArrayList<>();

    private String parameter(Object value, String literal) {
        parameters.add(value);
        parameterLiterals.add(literal);
        return "?" + (parameters.size() - 1) + "?";
    }

    private Generated finish(Text text, String table) {
        String sql = text.sql();
        StringBuilder ours = new StringBuilder();
        StringBuilder theirs = new StringBuilder();
        List<Object> values = new ArrayList<>();
        int at = 0;
        for (int mark = sql.indexOf('?'); mark >= 0; mark = sql.indexOf('?', at)) {
            int end = sql.indexOf('?', mark + 1);
            int number = Integer.parseInt(sql.substring(mark + 1, end));
            ours.append(sql, at, mark).append('?');
            theirs.append(sql, at, mark).append(parameterLiterals.get(number));
            values.add(parameters.get(number));
            at = end + 1;
        }
        ours.append(sql.substring(at));
        theirs.append(sql.substring(at));
        return new Generated(ours.toString(), theirs.toString(), values, text.ordered(), table);
    }

    private record Text(String sql, boolean ordered) {}

    // Literals

    private String orNull(String literal) {
        return random.nextInt(6) == 0 ? "NULL" : literal;
    }

    private String small() {
        return String.valueOf(random.nextInt(21) - 10);
    }

    private String number() {
        return switch (random.nextInt(8)) {
            case 0 -> String.valueOf(Integer.MAX_VALUE);
            case 1 -> String.valueOf(random.nextInt());
            default -> small();
        };
    }

    private String decimal(int digits) {
        return new BigDecimal(random.nextInt((int) Math.pow(10, digits)) - (int) Math.pow(10, digits) / 2)
                .movePointLeft(2)
                .toPlainString();
    }

    private String doubleLiteral() {
        return (random.nextInt(2001) - 1000) / 8.0 + "E0";
    }

    private String word(int length) {
        String word = WORDS[random.nextInt(WORDS.length)];
        int characters = word.codePointCount(0, word.length());
        return "'" + (characters > length ? word.substring(0, word.offsetByCodePoints(0, length)) : word) + "'";
    }

    private String date() {
        return "DATE '" + java.time.LocalDate.of(2024, 1, 1).plusDays(random.nextInt(800) - 400) + "'";
    }

    private String time() {
        return "TIMESTAMP '" + java.time.LocalDate.of(2024, 1, 1).plusDays(random.nextInt(800) - 400)
                + String.format(" %02d:%02d:%02d", random.nextInt(24), random.nextInt(60), random.nextInt(60))
                + (random.nextBoolean() ? String.format(".%06d", random.nextInt(1_000_000)) : "") + "'";
    }

    private String literal(Type type) {
        return switch (type) {
            case NUMBER -> small();
            case DECIMAL -> decimal(4);
            case DOUBLE -> doubleLiteral();
            case STRING -> word(20);
            case TIME -> time();
            case DATE -> date();
            case BOOLEAN -> random.nextBoolean() ? "TRUE" : "FALSE";
        };
    }

    // Expressions

    private String column(Type type, List<Source> sources) {
        List<String> candidates = new ArrayList<>();
        for (Source source : sources) {
            for (Column column : source.columns()) {
                if (column.type() == type) {
                    candidates.add(source.alias() + "." + column.name());
                }
            }
        }
        return candidates.isEmpty() ? literal(type) : candidates.get(random.nextInt(candidates.size()));
    }

    private String expression(Type type, List<Source> sources, int depth) {
        if (depth <= 0 || random.nextInt(3) == 0) {
            return random.nextInt(5) == 0 ? literal(type) : column(type, sources);
        }
        int next = depth - 1;
        if (random.nextInt(6) == 0) {
            return switch (random.nextInt(3)) {
                case 0 ->
                    "CASE WHEN " + condition(sources, next) + " THEN " + expression(type, sources, next)
                            + (random.nextBoolean() ? " ELSE " + expression(type, sources, next) : "") + " END";
                case 1 ->
                    "COALESCE("
                            + (type == Type.NUMBER && random.nextBoolean()
                                    ? intParameter(random.nextInt(21) - 10)
                                    : column(type, sources))
                            + ", " + expression(type, sources, next) + ")";
                default -> "NULLIF(" + column(type, sources) + ", " + expression(type, sources, next) + ")";
            };
        }
        return switch (type) {
            case NUMBER -> numberExpression(sources, next);
            case DECIMAL ->
                switch (random.nextInt(5)) {
                    case 0 -> "(" + expression(Type.DECIMAL, sources, 0) + " * " + small() + ")";
                    case 1 -> "ABS(" + expression(Type.DECIMAL, sources, next) + ")";
                    case 2 -> "-" + column(Type.DECIMAL, sources);
                    default ->
                        "(" + expression(Type.DECIMAL, sources, next) + (random.nextBoolean() ? " + " : " - ")
                                + expression(Type.DECIMAL, sources, next) + ")";
                };
            case DOUBLE ->
                switch (random.nextInt(5)) {
                    case 2 ->
                        new String[] {"SIN", "COS", "ATAN", "DEGREES", "RADIANS"}[random.nextInt(5)] + "("
                                + column(Type.DOUBLE, sources) + ")";
                    case 0 -> "ABS(" + expression(Type.DOUBLE, sources, next) + ")";
                    case 1 ->
                        "CAST(" + expression(random.nextBoolean() ? Type.NUMBER : Type.DECIMAL, sources, next)
                                + " AS DOUBLE PRECISION)";
                    default ->
                        "(" + expression(Type.DOUBLE, sources, next)
                                + new String[] {" + ", " - ", " * "}[random.nextInt(3)]
                                + expression(Type.DOUBLE, sources, next) + ")";
                };
            case STRING -> stringExpression(sources, next);
            case TIME ->
                random.nextBoolean()
                        ? random.nextInt(3) > 0
                                ? column(Type.TIME, sources)
                                : "DATEADD("
                                        + new String[] {"YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "SECOND"}
                                                [random.nextInt(7)]
                                        + ", " + small() + ", " + column(Type.TIME, sources) + ")"
                        : "(" + expression(Type.TIME, sources, 0) + (random.nextBoolean() ? " + " : " - ")
                                + "INTERVAL '"
                                + random.nextInt(40) + "' "
                                + new String[] {"DAY", "HOUR", "MINUTE", "SECOND", "MONTH", "YEAR"}[random.nextInt(6)]
                                + ")";
            case DATE ->
                random.nextBoolean()
                        ? column(Type.DATE, sources)
                        : "CAST(" + expression(Type.TIME, sources, next) + " AS DATE)";
            case BOOLEAN -> "(" + condition(sources, next) + ")";
        };
    }

    private String numberExpression(List<Source> sources, int next) {
        return switch (random.nextInt(12)) {
            case 0 -> "ABS(" + expression(Type.NUMBER, sources, next) + ")";
            case 1 -> "MOD(" + expression(Type.NUMBER, sources, 0) + ", " + (1 + random.nextInt(9)) + ")";
            case 2 -> "CHAR_LENGTH(" + expression(Type.STRING, sources, next) + ")";
            case 3 ->
                "EXTRACT(" + new String[] {"YEAR", "MONTH", "DAY", "HOUR", "MINUTE"}[random.nextInt(5)] + " FROM "
                        + expression(Type.TIME, sources, next) + ")";
            case 4 -> "(" + expression(Type.NUMBER, sources, next) + " / " + expression(Type.NUMBER, sources, 0) + ")";
            case 5 -> "SIGN(" + expression(Type.NUMBER, sources, next) + ")";
            case 6 -> "POSITION(" + word(3) + " IN " + expression(Type.STRING, sources, next) + ")";
            case 7 -> "CAST(" + column(Type.DECIMAL, sources) + " AS INTEGER)";
            case 8 -> "CAST(FLOOR(" + expression(Type.DECIMAL, sources, 0) + ") AS INTEGER)";
            default ->
                "(" + expression(Type.NUMBER, sources, next) + new String[] {" + ", " - ", " * "}[random.nextInt(3)]
                        + expression(Type.NUMBER, sources, next) + ")";
        };
    }

    private String stringExpression(List<Source> sources, int next) {
        String s = expression(Type.STRING, sources, next);
        return switch (random.nextInt(11)) {
            case 0 -> "UPPER(" + s + ")";
            case 1 -> "LOWER(" + s + ")";
            case 2 -> "SUBSTRING(" + s + " FROM " + (random.nextInt(5) + 1) + " FOR " + random.nextInt(6) + ")";
            case 3 -> "TRIM(" + s + ")";
            case 4 -> "REPLACE(" + s + ", 'a', 'xy')";
            case 5 -> "LEFT(" + s + ", " + random.nextInt(5) + ")";
            case 6 -> "RIGHT(" + s + ", " + random.nextInt(5) + ")";
            case 7 -> "SUBSTRING(" + s + " FROM " + (random.nextInt(5) + 1) + ")";
            case 8 -> (random.nextBoolean() ? "LPAD(" : "RPAD(") + s + ", " + (1 + random.nextInt(12)) + ", 'ü')";
            default -> "(" + s + " || " + expression(Type.STRING, sources, next) + ")";
        };
    }

    private Type comparableType() {
        return Type.values()[random.nextInt(6)];
    }

    private String condition(List<Source> sources, int depth) {
        if (depth > 0 && random.nextInt(3) == 0) {
            String left = condition(sources, depth - 1);
            return switch (random.nextInt(5)) {
                case 0, 1 -> "(" + left + " AND " + condition(sources, depth - 1) + ")";
                case 2, 3 -> "(" + left + " OR " + condition(sources, depth - 1) + ")";
                default -> "NOT (" + left + ")";
            };
        }
        if (depth > 1 && random.nextInt(6) == 0) {
            return subQueryCondition(sources, depth);
        }
        Type type = comparableType();
        String a = expression(type, sources, depth);
        return switch (random.nextInt(12)) {
            case 0 -> a + " IS NULL";
            case 1 -> a + " IS NOT NULL";
            case 2 ->
                a + (random.nextBoolean() ? "" : " NOT") + " IN (" + literal(type) + ", " + literal(type) + ", "
                        + literal(type) + ")";
            case 3 -> a + " BETWEEN " + literal(type) + " AND " + literal(type);
            case 4 ->
                column(Type.STRING, sources) + (random.nextBoolean() ? "" : " NOT") + " LIKE "
                        + new String[] {"'a%'", "'%b'", "'_b%'", "'%'", "''", "'%r%r%'", "'Ä%'", "'__'"}
                                [random.nextInt(8)];
            case 5 -> column(Type.BOOLEAN, sources);
            case 7 ->
                expression(Type.NUMBER, sources, depth - 1)
                        + comparison()
                        + expression(Type.DECIMAL, sources, depth - 1);
            case 6 ->
                a
                        + (random.nextBoolean() ? " IS DISTINCT FROM " : " IS NOT DISTINCT FROM ")
                        + expression(type, sources, depth - 1);
            default -> a + comparison() + expression(type, sources, depth - 1);
        };
    }

    private String comparison() {
        return new String[] {" = ", " = ", " <> ", " < ", " <= ", " > ", " >= "}[random.nextInt(7)];
    }

    private String subQueryCondition(List<Source> outer, int depth) {
        Source inner = source();
        List<Source> both = new ArrayList<>(outer);
        both.add(inner);
        String from = " FROM " + table(inner) + " WHERE " + condition(both, depth - 2);
        String x = column(Type.NUMBER, List.of(inner));
        return switch (random.nextInt(4)) {
            case 0 ->
                (random.nextBoolean() ? "" : "NOT ") + "EXISTS (SELECT 1" + from + " AND " + x + " = "
                        + column(Type.NUMBER, outer) + ")";
            case 1 ->
                expression(Type.NUMBER, outer, 0) + (random.nextBoolean() ? "" : " NOT") + " IN (SELECT " + x + from
                        + ")";
            case 2 -> expression(Type.NUMBER, outer, 1) + comparison() + "(SELECT MAX(" + x + ")" + from + ")";
            default -> "(SELECT COUNT(*)" + from + ")" + comparison() + random.nextInt(4);
        };
    }

    /** A sub-query that gives one number for each row outside. */
    private String correlated(List<Source> outer) {
        Source inner = source();
        String value = column(Type.NUMBER, List.of(inner));
        String aggregate = new String[] {"MAX(", "MIN(", "COUNT("}[random.nextInt(3)] + value + ")";
        return "(SELECT " + aggregate + " FROM " + table(inner) + " WHERE " + column(Type.NUMBER, List.of(inner))
                + comparison() + column(Type.NUMBER, outer) + ")";
    }

    /** A condition that an index can serve, often with parameters. */
    private String indexCondition(Source source) {
        String alias = source.alias() + ".";
        if (source.columns() == T_COLUMNS) {
            return switch (random.nextInt(10)) {
                case 0, 1 -> alias + "id = " + intParameter(random.nextInt(70));
                case 2 -> alias + "k = " + intParameter(random.nextInt(21) - 10);
                case 3 ->
                    alias + "g = " + intParameter(random.nextInt(7)) + " AND " + alias + "n" + comparison()
                            + intParameter(random.nextInt(21) - 10);
                case 4 -> alias + "s" + comparison() + stringParameter();
                case 5 -> alias + "d" + comparison() + decimalParameter();
                case 6 -> alias + "x BETWEEN " + doubleLiteral() + " AND " + doubleLiteral();
                case 7 -> alias + "ts" + comparison() + time();
                case 8 -> alias + "id IN (" + random.nextInt(70) + ", " + random.nextInt(70) + ")";
                default ->
                    alias + "id > " + intParameter(random.nextInt(60)) + " AND " + alias + "id <= "
                            + intParameter(random.nextInt(60));
            };
        }
        if (source.columns() == U_COLUMNS) {
            return switch (random.nextInt(4)) {
                case 0 -> alias + "a = " + intParameter(random.nextInt(16));
                case 1 ->
                    alias + "a = " + intParameter(random.nextInt(16)) + " AND " + alias + "c = "
                            + intParameter(random.nextInt(4));
                case 2 -> alias + "w" + comparison() + stringParameter();
                default -> alias + "v" + comparison() + intParameter(random.nextInt(21) - 10);
            };
        }
        return alias + "rid" + comparison() + intParameter(random.nextInt(7));
    }

    private String intParameter(int value) {
        return random.nextInt(10) == 0 ? parameter(null, "NULL") : parameter(value, String.valueOf(value));
    }

    private String stringParameter() {
        String literal = word(20);
        return random.nextBoolean() ? literal : parameter(literal.substring(1, literal.length() - 1), literal);
    }

    private String decimalParameter() {
        // Sometimes with more digits than any column has.
        String literal = decimal(4) + (random.nextInt(3) == 0 ? "05" : "");
        return random.nextBoolean() ? literal : parameter(new BigDecimal(literal), literal);
    }

    // Queries

    private Source source() {
        String alias = "q" + aliases++;
        return switch (random.nextInt(5)) {
            case 0, 1 -> new Source(alias, T_COLUMNS);
            case 2, 3 -> new Source(alias, U_COLUMNS);
            default -> new Source(alias, R_COLUMNS);
        };
    }

    private static String table(Source source) {
        String name = source.columns() == T_COLUMNS ? "t" : source.columns() == U_COLUMNS ? "u" : "r";
        return name + " " + source.alias();
    }

    /** FROM and WHERE; adds the sources. */
    private String from(List<Source> sources) {
        Source first = source();
        sources.add(first);
        StringBuilder from = new StringBuilder(" FROM ").append(table(first));
        int joins = random.nextInt(4) == 0 ? 2 : random.nextInt(2);
        for (int i = 0; i < joins; i++) {
            Source next = source();
            List<Source> left = List.copyOf(sources);
            sources.add(next);
            from.append(random.nextInt(3) > 0 ? " JOIN " : random.nextInt(3) > 0 ? " LEFT JOIN " : " RIGHT JOIN ")
                    .append(table(next))
                    .append(" ON ");
            from.append(column(Type.NUMBER, left)).append(" = ").append(column(Type.NUMBER, List.of(next)));
            if (random.nextInt(3) == 0) {
                from.append(" AND ").append(condition(sources, 1));
            }
        }
        if (random.nextInt(6) > 0) {
            from.append(" WHERE ");
            from.append(random.nextBoolean() ? indexCondition(first) : condition(sources, 3));
            if (random.nextBoolean()) {
                from.append(" AND ").append(condition(sources, 2));
            }
        }
        return from.toString();
    }

    private Text query(boolean orderAllowed) {
        List<Source> sources = new ArrayList<>();
        String from = from(sources);
        int columns = 1 + random.nextInt(4);
        StringBuilder select = new StringBuilder("SELECT ");
        boolean distinct = random.nextInt(6) == 0;
        if (distinct) {
            select.append("DISTINCT ");
        }
        // By columns alone the order may be that of an index.
        boolean plain = random.nextInt(4) == 0;
        for (int i = 0; i < columns; i++) {
            Type type = plain ? Type.NUMBER : Type.values()[random.nextInt(7)];
            select.append(i == 0 ? "" : ", ")
                    .append(
                            plain
                                    ? column(type, sources)
                                    : type == Type.NUMBER && random.nextInt(6) == 0
                                            ? correlated(sources)
                                            : expression(type, sources, 2))
                    .append(" AS o")
                    .append(i);
        }
        boolean order = orderAllowed && (plain || random.nextInt(3) == 0);
        if (!order) {
            return new Text(select + from, false);
        }
        return new Text(select + from + orderBy(columns), true);
    }

    /**
     * In the order of an index of the second table, of which the first one's only row leaves a part: read upwards or
     * downwards, it needs no sort.
     */
    private Text orderedBehindLookup() {
        Source first = source();
        Source second =
                random.nextBoolean() ? new Source("q" + aliases++, T_COLUMNS) : new Source("q" + aliases++, U_COLUMNS);
        boolean t = second.columns() == T_COLUMNS;
        String[] index = t ? new String[][] {{"g", "n"}, {"s", "id"}}[random.nextInt(2)] : new String[] {"a", "c"};
        String ordered = second.alias() + "." + index[1];
        Type type = index[0].equals("s") ? Type.STRING : Type.NUMBER;
        String key = switch (first.columns().size()) {
            case 11 -> first.alias() + ".id = " + intParameter(random.nextInt(60));
            case 3 -> first.alias() + ".rid = " + intParameter(random.nextInt(6));
            default ->
                first.alias() + ".a = " + intParameter(random.nextInt(15)) + " AND " + first.alias() + ".c = "
                        + intParameter(random.nextInt(2));
        };
        String from = " FROM " + table(first) + (random.nextBoolean() ? " JOIN " : " LEFT JOIN ") + table(second)
                + " ON " + second.alias() + "." + index[0] + " = " + column(type, List.of(first))
                + (random.nextInt(4) == 0 ? " AND " + condition(List.of(second), 0) : "") + " WHERE " + key;
        if (random.nextInt(3) == 0) {
            return new Text("SELECT " + (random.nextBoolean() ? "MAX(" : "MIN(") + ordered + ") AS o0" + from, true);
        }
        String select = "SELECT " + ordered + " AS o0, " + column(Type.NUMBER, List.of(first)) + " AS o1" + from;
        String order = random.nextBoolean() ? " DESC NULLS LAST" : " NULLS FIRST";
        return new Text(select + " ORDER BY 1" + order + (random.nextBoolean() ? ", 2" : "") + limit(), true);
    }

    private String orderBy(int columns) {
        StringBuilder order = new StringBuilder(" ORDER BY ");
        int rotation = random.nextInt(columns);
        for (int i = 0; i < columns; i++) {
            boolean descending = random.nextBoolean();
            order.append(i == 0 ? "" : ", ")
                    .append((i + rotation) % columns + 1)
                    .append(descending ? " DESC" : "")
                    .append(random.nextBoolean() ? " NULLS FIRST" : " NULLS LAST");
        }
        return order + limit();
    }

    private String limit() {
        return switch (random.nextInt(4)) {
            case 0 -> " LIMIT " + random.nextInt(12);
            case 1 -> " LIMIT " + random.nextInt(12) + " OFFSET " + random.nextInt(5);
            default -> "";
        };
    }

    private Text aggregateQuery() {
        List<Source> sources = new ArrayList<>();
        String from = from(sources);
        int groups = random.nextInt(3);
        StringBuilder select = new StringBuilder("SELECT ");
        StringBuilder groupBy = new StringBuilder();
        for (int i = 0; i < groups; i++) {
            String key = column(Type.values()[random.nextInt(7)], sources);
            if (!key.contains(".")
                    || key.startsWith("'")
                    || Character.isDigit(key.charAt(0))
                    || key.startsWith("-")
                    || key.startsWith("TIME")) {
                key = column(Type.NUMBER, sources);
            }
            select.append(key).append(" AS g").append(i).append(", ");
            groupBy.append(i == 0 ? " GROUP BY " : ", ").append(key);
        }
        int calls = 1 + random.nextInt(3);
        for (int i = 0; i < calls; i++) {
            select.append(i == 0 ? "" : ", ")
                    .append(aggregate(sources))
                    .append(" AS a")
                    .append(i);
        }
        String having = groups > 0 && random.nextInt(3) == 0 ? " HAVING " + having(sources) : "";
        boolean order = random.nextInt(3) == 0;
        return new Text(select + from + groupBy + having + (order ? orderBy(groups + calls) : ""), order);
    }

    private String having(List<Source> sources) {
        return switch (random.nextInt(4)) {
            case 0 -> aggregate(sources) + " IS NOT NULL AND COUNT(*)" + comparison() + random.nextInt(5);
            case 1 -> "SUM(" + column(Type.NUMBER, sources) + ") + COUNT(*) * 2" + comparison() + small();
            case 2 ->
                "CASE WHEN COUNT(*) > 1 THEN MAX(" + column(Type.NUMBER, sources) + ") ELSE 0 END" + comparison()
                        + small();
            default ->
                "NOT (MIN(" + column(Type.NUMBER, sources) + ")" + comparison() + "MAX(" + column(Type.DECIMAL, sources)
                        + ") OR " + aggregate(sources) + " IS NULL)";
        };
    }

    private String aggregate(List<Source> sources) {
        String distinct = random.nextInt(4) == 0 ? "DISTINCT " : "";
        return switch (random.nextInt(8)) {
            case 0 -> "COUNT(*)";
            case 1 -> "COUNT(" + distinct + expression(comparableType(), sources, 1) + ")";
            case 2 -> "SUM(" + distinct + expression(Type.NUMBER, sources, 1) + ")";
            case 3 -> "SUM(" + distinct + expression(Type.DECIMAL, sources, 1) + ")";
            case 4 -> "SUM(" + distinct + expression(Type.DOUBLE, sources, 1) + ")";
            case 5 -> "AVG(" + distinct + "CAST(" + expression(Type.NUMBER, sources, 1) + " AS DOUBLE PRECISION))";
            case 6 -> "MIN(" + expression(comparableType(), sources, 1) + ")";
            default -> "MAX(" + expression(comparableType(), sources, 1) + ")";
        };
    }

    private Text union() {
        Type[] types = new Type[1 + random.nextInt(3)];
        for (int i = 0; i < types.length; i++) {
            types[i] = comparableType();
        }
        String sql = unionPart(types) + setOperator() + unionPart(types);
        if (random.nextInt(3) == 0) {
            String other = unionPart(types);
            sql = random.nextBoolean()
                    ? "(" + sql + ")" + setOperator() + other
                    : other + setOperator() + "(" + sql + ")";
        }
        boolean order = random.nextBoolean();
        return new Text(sql + (order ? orderBy(types.length) : ""), order);
    }

    private String setOperator() {
        return new String[] {" UNION ALL ", " UNION ", " UNION ", " INTERSECT ", " EXCEPT "}[random.nextInt(5)];
    }

    private String unionPart(Type[] types) {
        List<Source> sources = new ArrayList<>();
        String from = from(sources);
        StringBuilder select = new StringBuilder("SELECT ");
        for (int i = 0; i < types.length; i++) {
            select.append(i == 0 ? "" : ", ")
                    .append(expression(types[i], sources, 1))
                    .append(" AS o")
                    .append(i);
        }
        return select + from;
    }

    // Writes

    private String writeWhere(Source target) {
        return random.nextInt(3) > 0
                ? indexCondition(target) + (random.nextBoolean() ? " AND " + condition(List.of(target), 2) : "")
                : condition(List.of(target), 3);
    }

    private static Source target(List<Column> columns, String name) {
        return new Source(name, columns);
    }

    private Generated update() {
        boolean t = random.nextBoolean();
        Source target = t ? target(T_COLUMNS, "t") : target(U_COLUMNS, "u");
        List<Source> sources = List.of(target);
        List<String> sets = new ArrayList<>();
        if (t) {
            sets.add("n = " + orNull("CASE WHEN n > 100 THEN 0 ELSE n + " + random.nextInt(3) + " END"));
            sets.add("s = LEFT(" + expression(Type.STRING, sources, 1) + ", 20)");
            sets.add("l = s, s = LEFT(l, 20)");
            sets.add("d = " + orNull(decimal(4)));
            sets.add("x = x / 2.0E0");
            sets.add("n = (SELECT COUNT(*) FROM u q WHERE q.a" + comparison() + "t.g)");
            sets.add("b = " + condition(sources, 1));
            sets.add("g = MOD(g + 1, 6)");
            sets.add("ts = " + expression(Type.TIME, sources, 0) + ", dt = " + expression(Type.DATE, sources, 0));
        } else {
            sets.add("v = " + orNull(small()));
            sets.add("w = LEFT(" + expression(Type.STRING, sources, 1) + ", 30)");
            sets.add("c = CAST(MOD(c + 1, 5) AS TINYINT)");
            sets.add("e = e + 1.5");
            sets.add("v = (SELECT MAX(q.rv) FROM r q WHERE q.rid" + comparison() + "u.c)");
        }
        String sql = "UPDATE " + target.alias() + " SET " + sets.get(random.nextInt(sets.size())) + " WHERE "
                + writeWhere(target);
        return finish(new Text(sql, false), target.alias());
    }

    private Generated delete() {
        Source target = random.nextBoolean() ? target(T_COLUMNS, "t") : target(U_COLUMNS, "u");
        String some = target.alias().equals("t") ? "MOD(t.id, 5) = " + random.nextInt(5) : "u.c = " + random.nextInt(4);
        return finish(
                new Text("DELETE FROM " + target.alias() + " WHERE " + some + " AND " + writeWhere(target), false),
                target.alias());
    }

    private int nextId = 1000;

    private Generated insert() {
        if (random.nextBoolean()) {
            String sql = "INSERT INTO t VALUES (" + intParameter0(random.nextInt(80)) + ", " + orNull(number()) + ", "
                    + random.nextInt(6) + ", " + orNull(small()) + ", " + orNull(decimal(5)) + ", "
                    + orNull(doubleLiteral()) + ", " + stringParameter() + ", " + stringParameter() + ", "
                    + orNull(time())
                    + ", " + orNull(date()) + ", TRUE)";
            return finish(new Text(sql, false), "t");
        }
        nextId += 100;
        String sql = "INSERT INTO u (a, c, v, w, e) SELECT u.a + " + nextId
                + ", u.c, u.v, u.w, u.e FROM u WHERE u.a < 100 AND " + writeWhere(target(U_COLUMNS, "u"));
        return finish(new Text(sql, false), "u");
    }

    /** H2's MERGE ... KEY (...) is our UPSERT, but for the primary key, which it has to be told. */
    private Generated upsert() {
        boolean t = random.nextBoolean();
        Source target = t ? target(T_COLUMNS, "t") : target(U_COLUMNS, "u");
        List<String> keys = t ? List.of("id") : List.of("a", "c");
        List<String> names = new ArrayList<>(keys);
        if (t) {
            names.add("g");
        }
        for (Column column : target.columns()) {
            if (!names.contains(column.name()) && random.nextInt(3) == 0) {
                names.add(column.name());
            }
        }
        java.util.Collections.shuffle(names, random);
        boolean query = random.nextInt(3) == 0;
        List<String> values = new ArrayList<>();
        for (String name : names) {
            Type type = target.columns().stream()
                    .filter(column -> column.name().equals(name))
                    .findFirst()
                    .orElseThrow()
                    .type();
            values.add(
                    switch (name) {
                        case "id" -> query ? "rid + " + random.nextInt(70) : intParameter0(random.nextInt(80));
                        case "a" -> query ? "rid + " + random.nextInt(12) : intParameter0(random.nextInt(18));
                        case "c", "g" -> String.valueOf(random.nextInt(5));
                        case "v" -> query ? "rv" : orNull(small());
                        default -> orNull(literal(type));
                    });
        }
        String source = query
                ? "SELECT " + String.join(", ", values) + " FROM r"
                : "VALUES (" + String.join(", ", values) + ")";
        String columns = target.alias() + " (" + String.join(", ", names) + ") ";
        Generated ours = finish(new Text("UPSERT INTO " + columns + source, false), target.alias());
        String key = "KEY (" + String.join(", ", keys) + ") ";
        return new Generated(
                ours.sql(),
                ours.h2Sql().replace("UPSERT INTO " + columns, "MERGE INTO " + columns + key),
                ours.parameters(),
                false,
                target.alias());
    }

    private String intParameter0(int value) {
        return parameter(value, String.valueOf(value));
    }
}
