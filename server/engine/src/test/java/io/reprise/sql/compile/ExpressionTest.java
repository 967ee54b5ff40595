package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExpressionTest {
    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE single (id INTEGER NOT NULL PRIMARY KEY, i INTEGER, t TINYINT, b BIGINT, n INTEGER, d DECIMAL(10,2),
              e DECIMAL(18,6), x DOUBLE, s VARCHAR(40), nul VARCHAR(10), ts TIMESTAMP, dt DATE, y BOOLEAN, bin VARBINARY(8));
            """);

    ExpressionTest() {
        database.run(
                "INSERT INTO single VALUES (1, 7, 100, 9000000000000000000, NULL, 12.34, 0.000001, 2.5, 'Grüße, Welt',"
                        + " NULL, TIMESTAMP '2024-02-29 13:45:59.123456', DATE '2024-02-29', TRUE, X'00FF10')");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Object eval(String expression, Object... parameters) {
        return database.value("SELECT " + expression + " FROM single", parameters);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "i + 1 # 8",
                "i - 10 # -3",
                "i * i # 49",
                "i / 2 # 3",
                "-i / 2 # -3",
                "i % 4 # 3",
                "MOD(-i, 4) # -3",
                "-i # -7",
                "i + n # NULL",
                "n * 0 # NULL",
                "ABS(-i) # 7",
                "SIGN(-i) # -1",
                "t + 27 # 127",
                "9223372036854775807 # 9223372036854775807",
                "-9223372036854775808 # -9223372036854775808",
                "b = 9000000000000000000 # true",
                "b < 9223372036854775807 # true",
                "CAST('9223372036854775807' AS BIGINT) - 9223372036854775806 # 1",
                "123456789012345678 # 123456789012345678",
                "1234567890123456789 # 1234567890123456789",
                "d + 1 # 13.34",
                "d * 2 # 24.68",
                "d * d # 152.2756",
                "d / 3 # 4.1133333333",
                "d - 0.005 # 12.335",
                "ROUND(d, 1) # 12.3",
                "ROUND(12.345, 2) # 12.35",
                "ROUND(-12.345, 2) # -12.35",
                "FLOOR(d) # 12",
                "CEIL(d) # 13",
                "FLOOR(-d) # -13",
                "CEIL(-d) # -12",
                "TRUNCATE(d, 1) # 12.3",
                "ROUND(i, -1) # 10",
                "x * 2 # 5.0",
                "x + i # 9.5",
                "SQRT(x * 10) # 5.0",
                "POWER(2, 10) # 1024.0",
                "x = 2.5 # true",
                "FLOOR(x) # 2.0",
                "CHAR_LENGTH(s) # 11",
                "OCTET_LENGTH(s) # 13",
                "UPPER(s) # GRÜSSE, WELT",
                "LOWER(s) # grüße, welt",
                "SUBSTRING(s FROM 3 FOR 3) # üße",
                "SUBSTRING(s FROM 9) # elt",
                "SUBSTRING(s FROM -1 FOR 4) # Gr",
                "POSITION('Welt' IN s) # 8",
                "POSITION('zz' IN s) # 0",
                "REPLACE(s, 'ß', 'ss') # Grüsse, Welt",
                "LEFT(s, 3) # Grü",
                "RIGHT(s, 3) # elt",
                "LEFT('abcde', -2) # abc",
                "RIGHT('abcde', -2) # cde",
                "LEFT('ab', -3) || RIGHT('ab', -3) || RIGHT('ab', -9223372036854775807) || '.' # .",
                "TRIM(BOTH 't' FROM 'tatort') # ator",
                "TRIM('  a ') # a",
                "TRIM(LEADING 'ä' FROM 'ääb') # b",
                "REPEAT('ab', 3) # ababab",
                "s || '!' # Grüße, Welt!",
                "s || nul # NULL",
                "s LIKE 'Gr%Welt' # true",
                "s LIKE 'Gr__e%' # true",
                "s LIKE '%x%' # false",
                "nul LIKE '%' # NULL",
                "'100%' LIKE '100!%' ESCAPE '!' # true",
                "'100x' LIKE '100!%' ESCAPE '!' # false",
                "s NOT LIKE '%lt' # false",
                "CASE WHEN i = 7 THEN 'seven' WHEN 1 / n = 1 THEN 'x' ELSE 'other' END # seven",
                "CASE i WHEN 1 THEN 10 WHEN 7 THEN 70 END # 70",
                "CASE WHEN i = 8 THEN 1 END # NULL",
                "COALESCE(n, i, 5) # 7",
                "COALESCE(nul, 'none') # none",
                "NULLIF(i, 7) # NULL",
                "NULLIF(i, 8) # 7",
                "i = 7 AND n = 1 # NULL",
                "i = 8 AND n = 1 # false",
                "i = 7 OR n = 1 # true",
                "i = 8 OR n = 1 # NULL",
                "NOT (n = 1) # NULL",
                "(n = 1) IS NULL # true",
                "(n = 1) IS NOT TRUE # true",
                "(i = 7) IS TRUE # true",
                "(i = 7) IS FALSE # false",
                "(n = 1) IS NOT FALSE # true",
                "(n = 1) IS UNKNOWN # true",
                "n IS DISTINCT FROM NULL # false",
                "i IS DISTINCT FROM n # true",
                "i IS NOT DISTINCT FROM 7 # true",
                "i IN (1, 7) # true",
                "i NOT IN (1, 2) # true",
                "i NOT IN (1, NULL) # NULL",
                "i BETWEEN 7 AND 9 # true",
                "i NOT BETWEEN 8 AND 9 # true",
                "d = 12.340 # true",
                "d > 12 # true",
                "i < 7.5 # true",
                "x > d # false",
                "CAST(d AS INTEGER) # 12",
                "CAST(12.5 AS INTEGER) # 13",
                "CAST(-12.5 AS BIGINT) # -13",
                "CAST(x AS INTEGER) # 3",
                "CAST('42' AS INTEGER) # 42",
                "CAST('9223372036854775806.5' AS BIGINT) # 9223372036854775807",
                "CAST('1e-2147483647' AS INTEGER) # 0",
                "CAST('1e-10000000' AS DECIMAL(5,2)) # 0.00",
                "CAST('0.005' AS DECIMAL(5,2)) # 0.01",
                "CAST('1.25' AS DECIMAL) # 1.250000",
                "CAST(d AS NUMERIC) + CAST(1.5 AS DECIMAL) # 13.840000",
                "CAST(1.5 AS DECIMAL(3)) # 2",
                "CAST('0.0049' AS DECIMAL(5,2)) # 0.00",
                "CAST('0e2147483647' AS DECIMAL(5,2)) # 0.00",
                "CAST('1e-2147483647' AS DOUBLE) # 0.0",
                "CAST(' 1.50 ' AS DECIMAL(5,2)) # 1.50",
                "CAST(i AS VARCHAR(10)) # 7",
                "CAST(d AS VARCHAR(10)) # 12.34",
                "CAST(d AS DOUBLE) # 12.34",
                "CAST(s AS VARCHAR(3)) # Grü",
                "CAST(X'47C3BC' AS VARCHAR(10)) # Gü",
                "CAST(X'E282AC' AS VARCHAR(1)) # €",
                "CAST(X'F09F9880' AS VARCHAR(1)) = '😀' # true",
                "CAST(X'' AS VARCHAR(10)) || '|' # |",
                "CAST(CAST(s AS VARBINARY(40)) AS VARCHAR(40)) = s # true",
                "CAST('true' AS BOOLEAN) # true",
                "CAST(y AS VARCHAR(5)) # TRUE",
                "CAST(dt AS VARCHAR(10)) # 2024-02-29",
                "CAST(ts AS VARCHAR(30)) # 2024-02-29 13:45:59.123456",
                "CAST(ts AS DATE) = dt # true",
                "CAST('2024-02-29' AS DATE) = dt # true",
                "CAST(dt AS TIMESTAMP) < ts # true",
                "CAST('2024-02-29 13:45:59.123456' AS TIMESTAMP) = ts # true",
                "CAST(d AS DECIMAL(10,1)) # 12.3",
                "EXTRACT(YEAR FROM ts) # 2024",
                "EXTRACT(MONTH FROM dt) # 2",
                "EXTRACT(DAY FROM dt) # 29",
                "EXTRACT(HOUR FROM ts) # 13",
                "EXTRACT(MINUTE FROM ts) # 45",
                "EXTRACT(SECOND FROM ts) # 59",
                "EXTRACT(DOY FROM dt) # 60",
                "EXTRACT(WEEK FROM dt) # 9",
                "EXTRACT(QUARTER FROM dt) # 1",
                "FLOOR(ts TO DAY) = TIMESTAMP '2024-02-29 00:00:00' # true",
                "FLOOR(ts TO MONTH) = TIMESTAMP '2024-02-01 00:00:00' # true",
                "CEIL(ts TO HOUR) = TIMESTAMP '2024-02-29 14:00:00' # true",
                "ts + INTERVAL '1' DAY = TIMESTAMP '2024-03-01 13:45:59.123456' # true",
                "dt + INTERVAL '1' YEAR = DATE '2025-02-28' # true",
                "dt - INTERVAL '1' MONTH = DATE '2024-01-29' # true",
                "ts + INTERVAL '0.0005' SECOND = TIMESTAMP '2024-02-29 13:45:59.123956' # true",
                "ts + INTERVAL ' 0.0005 ' SECOND = TIMESTAMP '2024-02-29 13:45:59.123956' # true",
                "ts - INTERVAL '0.123456' SECOND = TIMESTAMP '2024-02-29 13:45:59' # true",
                "ts - INTERVAL -'0.000004' SECOND = TIMESTAMP '2024-02-29 13:45:59.12346' # true",
                "ts + INTERVAL '-1.000456' SECOND = TIMESTAMP '2024-02-29 13:45:58.123' # true",
                "ts + INTERVAL '1.0009995' SECOND(2, 7) = TIMESTAMP '2024-02-29 13:46:00.124456' # true",
                "ts + INTERVAL '0.000004' SECOND * 11 = TIMESTAMP '2024-02-29 13:45:59.1235' # true",
                "ts + INTERVAL '1 00:00:00.000001' DAY TO SECOND = TIMESTAMP '2024-03-01 13:45:59.123457' # true",
                "ts + INTERVAL '10.000544' SECOND > TIMESTAMP '2024-02-29 13:46:09.123' # true",
                "ts - INTERVAL '90' MINUTE = TIMESTAMP '2024-02-29 12:15:59.123456' # true",
                "GREATEST(i, 9, 3) # 9",
                "LEAST(i, 9, 3) # 3",
                "GREATEST(i, n) # NULL",
                "BITAND(i, 5) # 5",
                "BITOR(i, 8) # 15",
                "BITXOR(i, 1) # 6",
                "EXP(0) # 1.0",
                "LN(1) # 0.0",
                "LOG10(1000) # 3.0",
                "DATEADD(DAY, 1, ts) = TIMESTAMP '2024-03-01 13:45:59.123456' # true",
                "DATEADD(MONTH, 12, dt) = DATE '2025-02-28' # true",
                "DATEADD(MICROS, -123456, ts) = TIMESTAMP '2024-02-29 13:45:59' # true",
                "TIMESTAMPADD(MILLISECOND, i, ts) = TIMESTAMP '2024-02-29 13:45:59.130456' # true",
                "TIMESTAMPADD(DAY, n, ts) # NULL",
                "TIMESTAMPDIFF(DAY, ts, TIMESTAMP '2024-03-31 13:45:59.123455') # 30",
                "TIMESTAMPDIFF(MONTH, ts, TIMESTAMP '2023-12-29 13:45:59.123456') # -2",
                "DATEDIFF(YEAR, dt, DATE '2028-02-28') # 3",
                "DATEDIFF(HOUR, dt, ts) # 13",
                "DATEDIFF(MICROSECOND, TIMESTAMP '2024-02-29 13:45:59', ts) # 123456",
                "TIMESTAMPDIFF(DAY, NULL, ts) # NULL",
                "SINCE_EPOCH(SECOND, ts) # 1709214359",
                "SINCE_EPOCH(MILLIS, ts) # 1709214359123",
                "TO_TIMESTAMP(MICROSECOND, 1709214359123456) = ts # true",
                "TO_TIMESTAMP(MILLISECOND, -1) = TIMESTAMP '1969-12-31 23:59:59.999' # true",
                "FROM_UNIXTIME(86400) = TIMESTAMP '1970-01-02 00:00:00' # true",
                "TRUNCATE(DAY, ts) = TIMESTAMP '2024-02-29 00:00:00' # true",
                "TRUNCATE(MONTH, dt) = DATE '2024-02-01' # true",
                "TRUNCATE(WEEK, dt) = DATE '2024-02-26' # true",
                "TRUNCATE(WEEK, DATE '2024-03-03') = DATE '2024-02-26' # true",
                "TRUNCATE(WEEK, DATE '2024-03-04') = DATE '2024-03-04' # true",
                "DATE_TRUNC('WEEK', ts) = TIMESTAMP '2024-02-26 00:00:00' # true",
                "CEIL(DATE '2024-03-05' TO WEEK) = DATE '2024-03-11' # true",
                "TRUNCATE(MILLIS, ts) = TIMESTAMP '2024-02-29 13:45:59.123' # true",
                "DAY(ts) + 1 # 30",
                "WEEK(dt) # 9",
                "WEEKOFYEAR(dt) # 9",
                "WEEKDAY(dt) # 3",
                "DAYOFWEEK(dt) # 5",
                "EXTRACT(DOW FROM ts) # 5",
                "EXTRACT(ISODOW FROM ts) # 4",
                "EXTRACT(MILLISECOND FROM ts) # 59123",
                "EXTRACT(MICROSECOND FROM ts) # 59123456",
                "EXTRACT(EPOCH FROM ts) # 1709214359",
                "EXTRACT(DECADE FROM ts) # 202",
                "EXTRACT(CENTURY FROM ts) # 21",
                "EXTRACT(MILLENNIUM FROM ts) # 3",
                "EXTRACT(ISOYEAR FROM ts) # 2024",
                "PI() # 3.141592653589793",
                "SIN(0) # 0.0",
                "COS(0) # 1.0",
                "TAN(0) # 0.0",
                "COT(ATAN(1)) # 1.0000000000000002",
                "ASIN(1) * 2 = PI() # true",
                "ACOS(1) # 0.0",
                "ATAN2(0, 1) # 0.0",
                "DEGREES(PI()) # 180.0",
                "RADIANS(180) # 3.141592653589793",
                "BITNOT(i) # -8",
                "BIT_SHIFT_LEFT(i, 60) # 8070450532247928832",
                "BIT_SHIFT_LEFT(i, 64) # 0",
                "BIT_SHIFT_RIGHT(-i, 60) # 15",
                "BIT_SHIFT_RIGHT(i, n) # NULL",
                "ASCII(SUBSTRING(s FROM 3)) # 252",
                "ASCII('') # 0",
                "CHR(8364) # €",
                "SPACE(2) || 'x' # `  x`",
                "LPAD('ü7', 5) # `   ü7`",
                "LPAD('7', 4, 'äb') # äbä7",
                "RPAD(s, 14, '.-') # Grüße, Welt.-.",
                "RPAD(s, 2, '*') # Gr",
                "LPAD(s, -1) || '|' # |",
                "REVERSE(s) # tleW ,eßürG",
                "INITCAP('ärger und O2-welt') # Ärger Und O2-Welt",
                "OVERLAY(s PLACING 'oo' FROM 3) # Grooe, Welt",
                "OVERLAY(s PLACING 'X' FROM 2 FOR 9) # GXt",
                "OVERLAY(s PLACING '!' FROM 40) # Grüße, Welt!",
                "OVERLAY(s PLACING nul FROM 4) # NULL",
                "DECODE(i, 1, 'one', 7, 'seven', 'many') # seven",
                "DECODE(n, 1, 'one', NULL, 'none') # none",
                "DECODE(i, 1, 'one') # NULL",
                "LPAD(nul, 3) # NULL",
                "RPAD(s, n) # NULL",
                "REVERSE(nul) # NULL",
                "INITCAP(nul) # NULL",
                "CHR(n) # NULL",
                "ASCII(nul) # NULL",
                "SPACE(n) # NULL",
                "REPEAT(nul, 2) # NULL",
                "SIN(n) # NULL",
                "BITNOT(n) # NULL",
                "TRUNCATE(DAY, CAST(NULL AS TIMESTAMP)) # NULL",
                "DATEADD(MICROSECOND, n, ts) # NULL",
                "bin = X'00FF10' # true",
                "OCTET_LENGTH(bin) # 3",
                "y AND TRUE # true",
                "NOT y # false",
                "e * 1000000 # 1.000000"
            })
    void shouldComputeWhatSqlSays(String expression, String expected) {
        Object value = eval(expression);

        String text = value instanceof BigDecimal decimal ? decimal.toPlainString() : String.valueOf(value);
        if (value instanceof BigDecimal decimal && decimal.compareTo(new BigDecimal(expected)) == 0) {
            return;
        }
        assertThat(text).isEqualTo(expected.equals("NULL") ? "null" : expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "i / 0 # DIVISION_BY_ZERO",
                "i % 0 # DIVISION_BY_ZERO",
                "d / 0 # DIVISION_BY_ZERO",
                "x / 0 # DIVISION_BY_ZERO",
                "b + b # NUMERIC_OVERFLOW",
                "b * 2 # NUMERIC_OVERFLOW",
                "-b - b # NUMERIC_OVERFLOW",
                "i + 2147483647 # NUMERIC_OVERFLOW",
                "CAST(i * 100 AS TINYINT) # NUMERIC_OVERFLOW",
                "CAST(b AS INTEGER) # NUMERIC_OVERFLOW",
                "CAST(1e300 AS BIGINT) # NUMERIC_OVERFLOW",
                "CAST(d AS DECIMAL(3,2)) # NUMERIC_OVERFLOW",
                "CAST(s AS INTEGER) # INVALID_VALUE",
                "CAST(X'80' AS VARCHAR(10)) # INVALID_VALUE",
                "CAST(X'C3' AS VARCHAR(10)) # INVALID_VALUE",
                "CAST(X'C080' AS VARCHAR(10)) # INVALID_VALUE",
                "CAST(X'EDA080' AS VARCHAR(10)) # INVALID_VALUE",
                "CAST(X'F4908080' AS VARCHAR(10)) # INVALID_VALUE",
                "CAST(X'F880808080' AS VARCHAR(10)) # INVALID_VALUE",
                "LPAD(s, 5, CAST(bin AS VARCHAR(10))) # INVALID_VALUE",
                "CAST('1e2147483647' AS DECIMAL(5,2)) # NUMERIC_OVERFLOW",
                "CAST('-1e2147483647' AS BIGINT) # NUMERIC_OVERFLOW",
                "CAST('9223372036854775807.5' AS BIGINT) # NUMERIC_OVERFLOW",
                "CAST('1e2147483647' AS DOUBLE) # NUMERIC_OVERFLOW",
                "CAST(REPEAT('7', 100000) AS DOUBLE) # INVALID_VALUE",
                "CAST('0.' || REPEAT('7', 100000) AS DECIMAL(5,2)) # INVALID_VALUE",
                "SQRT(-x) # INVALID_VALUE",
                "CAST(s AS DATE) # INVALID_VALUE",
                "CAST('2023-02-29' AS DATE) # INVALID_VALUE",
                "LN(i - 7) # INVALID_VALUE",
                "CAST(s AS BOOLEAN) # INVALID_VALUE",
                "CAST(s AS TIMESTAMP) # INVALID_VALUE",
                "x * 1e308 # NUMERIC_OVERFLOW",
                "COT(i - 7) # DIVISION_BY_ZERO",
                "ASIN(x) # INVALID_VALUE",
                "ACOS(-x) # INVALID_VALUE",
                "DEGREES(1e308) # NUMERIC_OVERFLOW",
                "BIT_SHIFT_LEFT(i, -1) # INVALID_VALUE",
                "CHR(-1) # INVALID_VALUE",
                "CHR(55296) # INVALID_VALUE",
                "OVERLAY(s PLACING 'x' FROM 0) # INVALID_VALUE",
                "LPAD(s, 2000000) # VALUE_TOO_LONG",
                "DATEADD(YEAR, 2000000000, dt) # NUMERIC_OVERFLOW",
                "DATEADD(MICROSECOND, b, DATEADD(MICROSECOND, b, ts)) # NUMERIC_OVERFLOW",
                "CAST(b AS VARCHAR(5)) # VALUE_TOO_LONG",
                "SUBSTRING(s FROM 1 FOR -1) # INVALID_VALUE",
                "s LIKE s || '\\' ESCAPE '\\' # INVALID_VALUE"
            })
    void shouldRefuseWhatHasNoResult(String expression, ErrorCode code) {
        assertThatThrownBy(() -> eval(expression))
                .isInstanceOfSatisfying(
                        ProcedureException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "SELECT 1 / (i - 7) FROM single # division by zero, in 1 / (SINGLE.I - 7)",
                "SELECT x * 1e308 * 10 FROM single # 2.5 * 1.0E308 is out of range for DOUBLE, in"
                        + " (SINGLE.X * 1.0E308) * 10",
                "SELECT TRIM(BOTH 'xy' FROM s) FROM single # TRIM takes one character to be removed, not 'xy', in"
                        + " TRIM(BOTH 'xy' FROM SINGLE.S)",
                "SELECT REPEAT('ab', 2000000000) FROM single # a string of 4000000000 bytes is longer than the longest"
                        + " possible, 1048575 bytes, in REPEAT('ab', 2000000000)",
                "SELECT DATEADD(YEAR, b, ts) FROM single # 12 * 9000000000000000000 is out of range for BIGINT, in SINGLE.TS +"
                        + " (INTERVAL '12' MONTH * SINGLE.B)",
                "SELECT CAST(X'ff' AS VARCHAR(2)) FROM single # a binary value of 1 bytes is no string, because it is not"
                        + " UTF-8, in CAST(X'ff' AS VARCHAR(2))",
                "SELECT id FROM single WHERE 1 / (i - 7) = 1 # division by zero, in 1 / (SINGLE.I - 7)",
                "SELECT id FROM single ORDER BY b + b # 9000000000000000000 + 9000000000000000000 is out of range for"
                        + " BIGINT, in SINGLE.B + SINGLE.B",
                "SELECT t + t FROM single # 200 is out of range for TINYINT, in SINGLE.T + SINGLE.T",
                "SELECT x.y / 0 FROM (SELECT i + 1 AS y FROM single) AS x # division by zero, in (SINGLE.I + 1) / 0",
                "SELECT (SELECT v.i / (single.i - 7) FROM single AS v) FROM single # division by zero, in SINGLE.I /"
                        + " (SINGLE.I - 7)",
                "SELECT (SELECT MAX(i) / 0 FROM single) FROM single # division by zero, in MAX(SINGLE.I) / 0",
                "SELECT SUM(v.b) FROM single JOIN (VALUES (1), (2)) AS w(n) ON w.n > 0 JOIN single AS v ON v.i = 7 #"
                        + " 18000000000000000000 is out of range for BIGINT, in SUM(SINGLE.B)",
                "SELECT CAST(s AS INTEGER) FROM single # 'Grüße, Welt' can't be converted to an integer, in"
                        + " CAST(SINGLE.S AS INTEGER)",
                "SELECT (d + 999999999999) * 1234567.89 FROM single # a DECIMAL result has more than 18 digits, in"
                        + " (SINGLE.D + 999999999999) * 1234567.89",
                "UPDATE single SET n = i / (i - 7) # division by zero, in SINGLE.N = SINGLE.I / (SINGLE.I - 7)",
                "UPDATE single SET t = t * 2 # 200 is out of range for SINGLE.T TINYINT",
                "UPDATE single SET b = x * 1e30 # 2.5E30 is out of range for BIGINT, in SINGLE.B BIGINT",
                "INSERT INTO single (id, n) SELECT 2, i / (i - 7) FROM single # division by zero, in SINGLE.I /"
                        + " (SINGLE.I - 7)",
                "INSERT INTO single (id, n) VALUES (3, 1 / 0) # division by zero, in SINGLE.N = 1 / 0"
            })
    void shouldNameWhatFailed(String sql, String message) {
        assertThatThrownBy(() -> database.run(sql)).hasMessage(message);
    }

    @Test
    void shouldNotEvaluateBranchesThatAreNotTaken() {
        assertThat(eval("CASE WHEN i = 7 THEN i ELSE 1 / (i - 7) END")).isEqualTo(7L);
        assertThat(eval("i = 8 AND 1 / (i - 7) = 1")).isEqualTo(false);
        assertThat(eval("COALESCE(i, 1 / (i - 7))")).isEqualTo(7L);
    }

    @Test
    void shouldTakeTimeFromTheTransaction() {
        long now = io.reprise.id.TransactionId.epochMicros(database.store.transactionId());

        assertThat(eval("CURRENT_TIMESTAMP")).isEqualTo(now);
        assertThat(eval("CURRENT_DATE")).isEqualTo(now / 86_400_000_000L);
        assertThat(eval("NOW")).isEqualTo(now);
        assertThat(eval("NOW()")).isEqualTo(now);
        assertThat(database.value("SELECT now FROM (SELECT 1 AS now) now")).isEqualTo(now);
        assertThat(database.value("SELECT now.\"NOW\" FROM (SELECT 1 AS now) now"))
                .isEqualTo(1L);
    }

    @Test
    void shouldCountUnitsBetweenTimesAsJavaDoes() {
        Random random = new Random(11);
        Map<String, ChronoUnit> units = Map.of(
                "YEAR", ChronoUnit.YEARS,
                "MONTH", ChronoUnit.MONTHS,
                "WEEK", ChronoUnit.WEEKS,
                "DAY", ChronoUnit.DAYS,
                "HOUR", ChronoUnit.HOURS,
                "MINUTE", ChronoUnit.MINUTES,
                "SECOND", ChronoUnit.SECONDS,
                "MILLISECOND", ChronoUnit.MILLIS,
                "MICROSECOND", ChronoUnit.MICROS);
        LocalDateTime epoch = LocalDateTime.of(1970, 1, 1, 0, 0);
        for (int i = 0; i < 2_000; i++) {
            long from = random.nextLong(-2L * 86_400_000_000L * 36_500, 86_400_000_000L * 36_500);
            long to = i % 2 == 0
                    ? random.nextLong(86_400_000_000L * 36_500)
                    : from + (random.nextInt(1_000) - 500) * 43_200_000_000L;
            for (Map.Entry<String, ChronoUnit> unit : units.entrySet()) {
                long expected =
                        unit.getValue().between(epoch.plus(from, ChronoUnit.MICROS), epoch.plus(to, ChronoUnit.MICROS));

                assertThat(eval("TIMESTAMPDIFF(" + unit.getKey() + ", ?, ?)", from, to))
                        .as("%s from %s to %s", unit.getKey(), from, to)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldTakeParametersOfEveryType() {
        assertThat(eval("DATEADD(DAY, ?, dt) = DATE '2024-03-05'", 5)).isEqualTo(true);
        assertThat(eval("DATEADD(DAY, ?, ?) = ts", 0, 1709214359123456L)).isEqualTo(true);
        assertThat(eval("DATEADD(MICROSECOND, ?, ts) = ts", 0)).isEqualTo(true);
        assertThat(eval("SINCE_EPOCH(MICROS, TO_TIMESTAMP(MICROS, ?))", 5)).isEqualTo(5L);
        assertThat(eval("BIT_SHIFT_LEFT(i, ?)", 1)).isEqualTo(14L);
        assertThat(eval("LPAD(s, ?, ?)", 13, "-")).isEqualTo("--Grüße, Welt");
        assertThat(eval("i + ?", 5)).isEqualTo(12L);
        assertThat(eval("d + CAST(? AS DECIMAL(10,2))", new BigDecimal("0.66"))).isEqualTo(new BigDecimal("13.00"));
        assertThat(eval("x * ?", 2.0)).isEqualTo(5.0);
        assertThat(eval("s = ?", "Grüße, Welt")).isEqualTo(true);
        assertThat(eval("CAST(? AS VARCHAR(20)) || s", "a ")).isEqualTo("a Grüße, Welt");
        assertThat(eval("CAST(? AS VARCHAR(20)) || s", new Object[] {null})).isNull();
        assertThat(eval("y = ?", true)).isEqualTo(true);
        assertThat(eval("bin = ?", new byte[] {0, -1, 16})).isEqualTo(true);
    }
}
