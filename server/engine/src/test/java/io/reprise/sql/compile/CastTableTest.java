package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.SqlType;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.bind.SqlPlanningException;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.sql.plan.StatementPlanner;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * CAST from each type to each, of values at the edges, against what {@code BigDecimal} and {@code java.time} make of them: of
 * literals, of parameters, of columns that may be NULL and that can't be, in statements of a procedure that writes, and stored in a
 * column.
 */
final class CastTableTest {
    private static final String[] TYPES = {
        "BOOLEAN",
        "TINYINT",
        "SMALLINT",
        "INTEGER",
        "BIGINT",
        "DOUBLE",
        "DECIMAL(5,2)",
        "DECIMAL(3,3)",
        "DECIMAL(18,0)",
        "DECIMAL(18,6)",
        "DECIMAL(18,18)",
        "VARCHAR(4)",
        "VARCHAR(60)",
        "VARBINARY(3)",
        "VARBINARY(60)",
        "TIMESTAMP",
        "DATE",
        "TIME"
    };

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter TIME_AND_FRACTION =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);
    private static final DateTimeFormatter CLOCK = strict("H:m[:s[.SSSSSSS][.SSSSSS]]");
    private static final DateTimeFormatter CALENDAR = strict("uuuu-M-d");
    private static final String REFUSED = "refused";
    private static final Map<String, SqlType> BY_NAME = new HashMap<>();

    private final List<String> failures = new ArrayList<>();
    private final Map<String, CompiledStatement> writers = new HashMap<>();
    private TestDatabase database;

    private static DateTimeFormatter strict(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);
    }

    private static SqlType typeOf(String name) {
        return BY_NAME.computeIfAbsent(
                name,
                k -> CatalogScript.load("CREATE TABLE t (c " + k + ");")
                        .table("T")
                        .orElseThrow()
                        .columns()
                        .getFirst()
                        .type());
    }

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    @Test
    void shouldConvertAsTheOracleDoesFromEachTypeToEach() {
        StringBuilder ddl = new StringBuilder();
        for (int i = 0; i < TYPES.length; i++) {
            ddl.append("CREATE TABLE v" + i + " (id INTEGER NOT NULL PRIMARY KEY, c " + TYPES[i] + ", n " + TYPES[i]
                    + " NOT NULL);\n");
            ddl.append("CREATE TABLE w" + i + " (id INTEGER NOT NULL PRIMARY KEY, c " + TYPES[i] + ");\n");
        }
        database = new TestDatabase(ddl.toString());
        int casts = 0;
        for (int from = 0; from < TYPES.length; from++) {
            List<Object> values = values(TYPES[from]);
            for (int i = 0; i < values.size(); i++) {
                Object value = values.get(i);
                Object present = value == null ? values.getFirst() : value;
                database.run("INSERT INTO v" + from + " VALUES (?, ?, ?)", i, given(value), given(present));
            }
            for (int to = 0; to < TYPES.length; to++) {
                // A conversion that does not exist is refused by its types, whatever the value.
                boolean exists = exists(typeOf(TYPES[from]), typeOf(TYPES[to]));
                List<Object> compared = exists ? values : values.subList(0, 1);
                for (int i = 0; i < compared.size(); i++) {
                    compare(from, to, i, values.get(i), values.get(i) == null ? values.getFirst() : values.get(i));
                    casts++;
                }
                compareLiterals(from, to, compared);
            }
        }

        assertThat(casts).isGreaterThan(2000);
        assertThat(failures).as(failures.size() + " of " + casts).isEmpty();
    }

    /** Rows of long lists become data instead of code. */
    @Test
    void shouldMakeTruthValuesOfNumbersInLongLists() {
        database = new TestDatabase("CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, c BOOLEAN);");
        StringBuilder rows = new StringBuilder("(0, CAST(0 AS BOOLEAN))");
        for (int i = 1; i < 100; i++) {
            rows.append(", (").append(i).append(", CAST(").append(i * 256L).append(" AS BOOLEAN))");
        }

        database.run("INSERT INTO t VALUES " + rows);

        assertThat(database.value("SELECT COUNT(*) FROM t WHERE c = TRUE")).isEqualTo(99L);
        assertThat(database.value("SELECT COUNT(*) FROM t WHERE NOT c")).isEqualTo(1L);
    }

    private void compare(int from, int to, int id, Object value, Object present) {
        String type = TYPES[to];
        Object expected = expected(value, TYPES[from], type);
        String cast = "SELECT CAST(";
        check(cast + "CAST(? AS " + TYPES[from] + ") AS " + type + ")", expected, given(value));
        check(cast + "c AS " + type + ") FROM v" + from + " WHERE id = ?", expected, id);
        check(cast + "n AS " + type + ") FROM v" + from + " WHERE id = ?", expected(present, TYPES[from], type), id);
        checkForWriter(cast + "c AS " + type + ") FROM v" + from + " WHERE id = ?", expected, id);
        String insert = "INSERT INTO w" + to + " SELECT id, CAST(c AS " + type + ") FROM v" + from + " WHERE id = ?";
        checkStored(insert, to, expected, id);
    }

    /** Literals that convert share a statement, because planning takes longer than anything else here. */
    private void compareLiterals(int from, int to, List<Object> values) {
        List<String> casts = new ArrayList<>();
        List<Object> converted = new ArrayList<>();
        for (Object value : values) {
            Object expected = expected(value, TYPES[from], TYPES[to]);
            String cast = "CAST(" + literal(value, TYPES[from]) + " AS " + TYPES[to] + ")";
            if (expected instanceof ErrorCode || REFUSED.equals(expected) && value != null) {
                check("SELECT " + cast, expected);
                checkStored("INSERT INTO w" + to + " VALUES (1, " + cast + ")", to, expected);
            } else if (!REFUSED.equals(expected)) {
                // A NULL literal may be of any type.
                casts.add(cast);
                converted.add(expected);
            }
        }
        if (!casts.isEmpty()) {
            StringBuilder rows = new StringBuilder();
            for (int i = 0; i < casts.size(); i++) {
                rows.append(i == 0 ? "(" : ", (")
                        .append(i)
                        .append(", ")
                        .append(casts.get(i))
                        .append(')');
            }
            String select = "SELECT " + String.join(", ", casts);
            compare(select, converted, outcome(() -> database.run(select).getFirst()));
            String insert = "INSERT INTO w" + to + " VALUES " + rows;
            compare(insert, converted, outcome(() -> {
                database.run(insert);
                return column(database.run("SELECT c FROM w" + to + " ORDER BY id"));
            }));
            database.run("DELETE FROM w" + to);
        }
    }

    private static List<Object> column(List<List<Object>> rows) {
        List<Object> values = new ArrayList<>();
        for (List<Object> row : rows) {
            values.add(row.getFirst());
        }
        return values;
    }

    private void check(String sql, Object expected, Object... parameters) {
        compare(sql, expected, outcome(() -> database.value(sql, parameters)), parameters);
    }

    private void checkForWriter(String sql, Object expected, Object... parameters) {
        Object actual = outcome(() -> {
            CompiledStatement statement = writers.computeIfAbsent(
                    sql,
                    k -> StatementFactory.compile(StatementPlanner.planForWriter(database.catalog, k))
                            .create(database.store));
            TestDatabase.set(statement, 0, parameters[0]);
            statement.execute();
            return TestDatabase.rows(statement.found()).getFirst().getFirst();
        });
        compare(sql + " for a writer", expected, actual, parameters);
    }

    private void checkStored(String insert, int to, Object expected, Object... parameters) {
        Object actual = outcome(() -> {
            database.run(insert, parameters);
            return database.value("SELECT c FROM w" + to);
        });
        database.run("DELETE FROM w" + to);
        compare(insert, expected, actual, parameters);
    }

    private void compare(String sql, Object expected, Object actual, Object... parameters) {
        if (!String.valueOf(actual).equals(String.valueOf(expected))) {
            failures.add(
                    sql + " " + Arrays.deepToString(parameters) + ": expected " + expected + ", but was " + actual);
        }
    }

    private interface Run {
        Object run();
    }

    private static Object outcome(Run run) {
        try {
            return run.run();
        } catch (SqlPlanningException e) {
            return REFUSED;
        } catch (ProcedureException e) {
            return e.code();
        } catch (RuntimeException e) {
            return e;
        }
    }

    // The values

    /** Some are written with more digits than a DOUBLE has. */
    @SuppressWarnings("FloatingPointLiteralPrecision")
    private static List<Object> values(String type) {
        List<Object> values = new ArrayList<>();
        switch (typeOf(type).kind()) {
            case BOOLEAN -> values.addAll(List.of(true, false));
            case TINYINT -> numbers(values, "0", "1", "-1", "127", "-128");
            case SMALLINT -> numbers(values, "0", "1", "127", "128", "-129", "999", "-1000", "32767", "-32768");
            case INTEGER ->
                numbers(values, "0", "1", "-1", "128", "32768", "-32769", "1000", "2147483647", "-2147483648");
            case BIGINT ->
                numbers(
                        values,
                        "0",
                        "-1",
                        "2147483648",
                        "-2147483649",
                        "9007199254740993",
                        "999999999999",
                        "-1000000000000",
                        "999999999999999999",
                        "1000000000000000000",
                        "9223372036854775807",
                        "-9223372036854775808");
            case DOUBLE -> {
                for (double d : new double[] {
                    0,
                    0.5,
                    -0.5,
                    1.5,
                    2.5,
                    -2.5,
                    1.005,
                    0.9995,
                    127.49,
                    127.5,
                    -128.5,
                    999.995,
                    0.49999999999999994,
                    1e-7,
                    2147483647.5,
                    1e17,
                    1e18,
                    9.223372036854775e18,
                    9.223372036854775807e18,
                    -9.223372036854775808e18,
                    1e19,
                    4503599627370497.5,
                    1.7976931348623157e308,
                    4.9e-324,
                    123456789012.3456
                }) {
                    values.add(d);
                }
            }
            case DECIMAL -> decimals(values, typeOf(type));
            case VARCHAR -> {
                values.addAll(List.of("", " ", "1", "-1", "true", "1e2", "999", "0.5", "1.5", "128", "abc", "é€"));
                values.addAll(List.of("+1", "1.", ".5", "-", "1d", "NaN", "0x1", "😀😀"));
                if (type.equals("VARCHAR(60)")) {
                    values.addAll(List.of(
                            " 12.345 ",
                            "9223372036854775807.4",
                            "9223372036854775807.5",
                            "-9223372036854775808.5",
                            "1e19"));
                    values.addAll(List.of(
                            "0.0004999",
                            "0.9994999",
                            "0.9995",
                            "999.995",
                            "1e-400",
                            "1e400",
                            "1.7976931348623159e308"));
                    values.addAll(
                            List.of("2024-02-29", "2023-02-29", "2024-2-9", "0001-01-01", "9999-12-31", "-0001-01-01"));
                    values.addAll(
                            List.of("2024-02-29 23:59:59.999999", "2024-02-29T10:20", "2024-02-29 10:20:30.1234567"));
                    values.addAll(
                            List.of("2024-02-29 24:00:00", "2024-02-29 10:60", "2024-02-29 10:20:60", "2024-02-29 10"));
                    values.addAll(
                            List.of("2024-02-29 10:+2", "2024-02-29 10:-0:00", "2024-+2-29", "2024-02-29 10:20:30."));
                    values.addAll(List.of("2024-02-29x", "2024/02/29", "20240229", "2024-02-30 10:00", "٢٠٢٤-02-29"));
                    values.addAll(List.of("+12024-02-29", "tru", "yes", "TrUe ", "false", "1 2", "--1", "1e"));
                }
            }
            case VARBINARY -> {
                for (String hex : new String[] {"", "00", "31", "c3a9", "e282ac", "80", "ff", "c3", "eda080"}) {
                    values.add(HexFormat.of().parseHex(hex));
                }
                if (type.equals("VARBINARY(60)")) {
                    values.add("é€😀😀é€".getBytes(StandardCharsets.UTF_8));
                    values.add("2024-02-29".getBytes(StandardCharsets.UTF_8));
                }
            }
            case TIMESTAMP -> {
                for (String time : new String[] {
                    "1970-01-01T00:00:00",
                    "1969-12-31T23:59:59.999999",
                    "2024-02-29T13:45:59.123456",
                    "2024-02-29T13:45:59.100",
                    "0001-01-01T00:00:00",
                    "9999-12-31T23:59:59.999999"
                }) {
                    values.add(LocalDateTime.parse(time));
                }
            }
            case TIME -> {
                for (String time : new String[] {"00:00", "00:00:00.000001", "13:45:59.100", "23:59:59.999999"}) {
                    values.add(LocalTime.parse(time));
                }
            }
            case DATE -> {
                for (String date :
                        new String[] {"1970-01-01", "1969-12-31", "2024-02-29", "0001-01-01", "9999-12-31"}) {
                    values.add(LocalDate.parse(date));
                }
            }
        }
        values.add(null);
        return values;
    }

    private static void numbers(List<Object> values, String... numbers) {
        for (String number : numbers) {
            values.add(new BigDecimal(number));
        }
    }

    /** Of units of the last digit: those around what is rounded, and the largest. */
    private static void decimals(List<Object> values, SqlType type) {
        long largest = BigDecimal.TEN.pow(type.precision()).longValueExact() - 1;
        for (long unscaled : new long[] {0, 1, -1, 4, 5, -5, 49, 50, -50, 99, 149, 150, 994, 995, 12749, 12750}) {
            if (unscaled <= largest) {
                values.add(BigDecimal.valueOf(unscaled, type.scale()));
            }
        }
        values.add(BigDecimal.valueOf(largest, type.scale()));
        values.add(BigDecimal.valueOf(-largest, type.scale()));
        values.add(BigDecimal.valueOf((largest + 1) / 2, type.scale()));
    }

    private static String literal(Object value, String type) {
        return switch (value) {
            case null -> "CAST(NULL AS " + type + ")";
            case Boolean truth -> truth ? "TRUE" : "FALSE";
            case BigDecimal number -> number.toPlainString();
            case Double number -> number.toString().contains("E") ? number.toString() : number + "E0";
            case String text -> "'" + text + "'";
            case byte[] bytes -> "X'" + HexFormat.of().formatHex(bytes) + "'";
            case LocalDateTime time -> "TIMESTAMP '" + TIME_AND_FRACTION.format(time) + "'";
            case LocalDate date -> "DATE '" + date + "'";
            case LocalTime time -> "TIME '" + time + "'";
            default -> throw new AssertionError(value);
        };
    }

    /** A value as a parameter of its type is set. */
    private static Object given(Object value) {
        return switch (value) {
            case LocalDateTime time -> micros(time);
            case LocalDate date -> date.toEpochDay();
            case LocalTime time -> micros(time);
            case BigDecimal number when number.scale() == 0 -> number.longValueExact();
            case null -> null;
            default -> value;
        };
    }

    // The oracle

    /** The result of a conversion: a value as results have it, an error's code, or REFUSED. */
    private static Object expected(Object value, String fromType, String toType) {
        SqlType from = typeOf(fromType);
        SqlType to = typeOf(toType);
        if (!exists(from, to)) {
            return REFUSED;
        } else if (value == null) {
            return null;
        }
        try {
            return switch (to.kind()) {
                case BOOLEAN -> toBoolean(value);
                case TINYINT, SMALLINT, INTEGER, BIGINT -> toInteger(value, to);
                case DOUBLE -> toDouble(value);
                case DECIMAL -> toDecimal(value, to);
                case VARCHAR -> toText(value, to.precision());
                case VARBINARY -> toBytes(value, to.precision());
                case TIMESTAMP -> toTime(value);
                case DATE -> toDate(value);
                case TIME -> toTimeOfDay(value);
            };
        } catch (Failure e) {
            return e.code;
        }
    }

    private static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final ErrorCode code;

        Failure(ErrorCode code) {
            this.code = code;
        }
    }

    /** Numbers among each other, text and all, exact numbers to BOOLEAN, DATE and TIMESTAMP, TIMESTAMP to TIME; bytes and text only. */
    private static boolean exists(SqlType from, SqlType to) {
        if (from.kind() == to.kind() || from.kind() == SqlType.Kind.VARCHAR || to.kind() == SqlType.Kind.VARCHAR) {
            return true;
        }
        return switch (from.kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> isNumber(to) || to.kind() == SqlType.Kind.BOOLEAN;
            case DOUBLE -> isNumber(to);
            case TIMESTAMP -> to.kind() == SqlType.Kind.DATE || to.kind() == SqlType.Kind.TIME;
            case DATE -> to.kind() == SqlType.Kind.TIMESTAMP;
            case BOOLEAN, VARCHAR, VARBINARY, TIME -> false;
        };
    }

    private static boolean isNumber(SqlType type) {
        return switch (type.kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, DOUBLE, DECIMAL -> true;
            default -> false;
        };
    }

    private static Object toBoolean(Object value) {
        return switch (value) {
            case BigDecimal number -> number.signum() != 0;
            case String text ->
                switch (text.trim().toLowerCase(Locale.ROOT)) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw new Failure(ErrorCode.INVALID_VALUE);
                };
            default -> value;
        };
    }

    private static BigDecimal number(String text) {
        try {
            return new BigDecimal(text.trim());
        } catch (NumberFormatException e) {
            throw new Failure(ErrorCode.INVALID_VALUE);
        }
    }

    private static Object toInteger(Object value, SqlType to) {
        BigDecimal exact = switch (value) {
            case Boolean truth -> truth ? BigDecimal.ONE : BigDecimal.ZERO;
            case Double number -> new BigDecimal(number);
            case String text -> number(text);
            default -> (BigDecimal) value;
        };
        BigDecimal rounded = exact.setScale(0, RoundingMode.HALF_UP);
        if (rounded.toBigInteger().bitLength() >= to.kind().width() * 8) {
            throw new Failure(ErrorCode.NUMERIC_OVERFLOW);
        }
        return rounded.longValueExact();
    }

    private static Object toDouble(Object value) {
        double number = switch (value) {
            case String text -> number(text).doubleValue();
            case BigDecimal exact -> Double.parseDouble(exact.toString());
            default -> (Double) value;
        };
        if (Double.isInfinite(number)) {
            throw new Failure(ErrorCode.NUMERIC_OVERFLOW);
        }
        return number;
    }

    /** A DOUBLE is the number by which it is written. */
    private static Object toDecimal(Object value, SqlType to) {
        BigDecimal exact = switch (value) {
            case Double number -> new BigDecimal(number.toString());
            case String text -> number(text);
            default -> (BigDecimal) value;
        };
        BigDecimal rounded = exact.setScale(to.scale(), RoundingMode.HALF_UP);
        if (rounded.unscaledValue().abs().toString().length() > to.precision()) {
            throw new Failure(ErrorCode.NUMERIC_OVERFLOW);
        }
        return rounded;
    }

    private static Object toText(Object value, int characters) {
        if (value instanceof String text) {
            return cut(text, characters);
        } else if (value instanceof byte[] bytes) {
            try {
                return cut(
                        StandardCharsets.UTF_8
                                .newDecoder()
                                .decode(ByteBuffer.wrap(bytes))
                                .toString(),
                        characters);
            } catch (CharacterCodingException e) {
                throw new Failure(ErrorCode.INVALID_VALUE);
            }
        }
        String text = switch (value) {
            case Boolean truth -> truth ? "TRUE" : "FALSE";
            case BigDecimal number -> number.toPlainString();
            case LocalDateTime time ->
                (time.truncatedTo(ChronoUnit.SECONDS).equals(time) ? TIME : TIME_AND_FRACTION).format(time);
            case LocalTime time ->
                (time.truncatedTo(ChronoUnit.SECONDS).equals(time) ? TIME : TIME_AND_FRACTION)
                        .format(LocalDate.EPOCH.atTime(time))
                        .substring(11);
            default -> value.toString();
        };
        if (text.length() > characters) {
            throw new Failure(ErrorCode.VALUE_TOO_LONG);
        }
        return text;
    }

    private static String cut(String text, int characters) {
        return text.codePointCount(0, text.length()) <= characters
                ? text
                : text.substring(0, text.offsetByCodePoints(0, characters));
    }

    private static Object toBytes(Object value, int bytes) {
        byte[] all = value instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : (byte[]) value;
        return HexFormat.of().formatHex(Arrays.copyOf(all, Math.min(all.length, bytes)));
    }

    private static long micros(LocalDateTime time) {
        return ChronoUnit.MICROS.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), time);
    }

    private static Object toTime(Object value) {
        return switch (value) {
            case LocalDate date -> micros(date.atStartOfDay());
            case String text -> {
                String[] dateAndTime = text.trim().replace('T', ' ').split(" ", 2);
                try {
                    LocalTime time =
                            dateAndTime.length == 1 ? LocalTime.MIDNIGHT : LocalTime.parse(dateAndTime[1], CLOCK);
                    yield micros(date(dateAndTime[0]).atTime(time));
                } catch (DateTimeParseException e) {
                    throw new Failure(ErrorCode.INVALID_VALUE);
                }
            }
            default -> micros((LocalDateTime) value);
        };
    }

    private static long micros(LocalTime time) {
        return time.toNanoOfDay() / 1000;
    }

    private static Object toTimeOfDay(Object value) {
        return switch (value) {
            case LocalDateTime time -> micros(time.toLocalTime());
            case String text -> {
                String[] dateAndTime = text.trim().replace('T', ' ').split(" ", 2);
                try {
                    LocalTime time = LocalTime.parse(dateAndTime[dateAndTime.length - 1], CLOCK);
                    yield dateAndTime.length == 1 || date(dateAndTime[0]) != null ? micros(time) : 0;
                } catch (DateTimeParseException e) {
                    throw new Failure(ErrorCode.INVALID_VALUE);
                }
            }
            default -> micros((LocalTime) value);
        };
    }

    private static Object toDate(Object value) {
        return switch (value) {
            case LocalDateTime time -> time.toLocalDate().toEpochDay();
            case String text -> {
                try {
                    yield date(text.trim()).toEpochDay();
                } catch (DateTimeParseException e) {
                    throw new Failure(ErrorCode.INVALID_VALUE);
                }
            }
            default -> ((LocalDate) value).toEpochDay();
        };
    }

    private static LocalDate date(String text) {
        return LocalDate.parse(text, CALENDAR);
    }
}
