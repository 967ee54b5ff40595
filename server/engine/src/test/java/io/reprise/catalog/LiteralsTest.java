package io.reprise.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class LiteralsTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "BOOLEAN, true, 1, TRUE",
                "BOOLEAN, FALSE, 0, FALSE",
                "TINYINT, -128, -128, -128",
                "SMALLINT, +7, 7, 7",
                "INTEGER, 1e3, 1000, 1000",
                "INTEGER, 5.00, 5, 5",
                "INTEGER, 0e99, 0, 0",
                "BIGINT, -9223372036854775808, -9223372036854775808, -9223372036854775808",
                "BIGINT, 9223372036854775807, 9223372036854775807, 9223372036854775807",
                "DATE, '1970-01-01', 0, '1970-01-01'",
                "DATE, '2024-02-29', 19782, '2024-02-29'",
                "DATE, DATE '1969-12-31', -1, '1969-12-31'",
                "DATE, '0001-01-01', -719162, '0001-01-01'",
                "TIME, '00:00', 0, '00:00'",
                "TIME, '12:30:15.5', 45015500000, '12:30:15.500'",
                "TIME, TIME '23:59:59.999999', 86399999999, '23:59:59.999999'",
                "TIMESTAMP, '1970-01-01 00:00:00', 0, '1970-01-01 00:00:00.000000'",
                "TIMESTAMP, '1970-01-01', 0, '1970-01-01 00:00:00.000000'",
                "TIMESTAMP, '1970-01-01 00:00:01.5', 1500000, '1970-01-01 00:00:01.500000'",
                "TIMESTAMP, TIMESTAMP '1969-12-31 23:59:59.999999', -1, '1969-12-31 23:59:59.999999'",
                "TIMESTAMP, '9999-12-31 23:59:59.000001', 253402300799000001, '9999-12-31 23:59:59.000001'"
            })
    void shouldReadAWord(SqlType.Kind kind, String literal, long word, String canonical) {
        DefaultValue value = Literals.parse(SqlType.of(kind), literal);

        assertThat(value).isEqualTo(new DefaultValue.Word(word));
        assertThat(Literals.format(SqlType.of(kind), value)).isEqualTo(canonical);
    }

    private static Stream<Arguments> arrays() {
        return Stream.of(
                Arguments.of(SqlType.REAL, "'{0.1,10,1e20}'", "'{0.1,10,1e+20}'"),
                Arguments.of(SqlType.of(SqlType.Kind.DOUBLE), "'{1e-5,-2.50}'", "'{1e-05,-2.5}'"),
                Arguments.of(SqlType.of(SqlType.Kind.TIME), "'{12:00,23:59:59.250}'", "'{12:00:00,23:59:59.25}'"),
                Arguments.of(
                        SqlType.of(SqlType.Kind.TIMESTAMP),
                        "'{\"2024-02-29 12:00:00.5\",NULL}'",
                        "'{\"2024-02-29 12:00:00.5\",NULL}'"),
                Arguments.of(SqlType.TIMESTAMPTZ, "'{\"2024-02-29 12:00:00\"}'", "'{\"2024-02-29 12:00:00+00\"}'"));
    }

    @ParameterizedTest
    @MethodSource("arrays")
    void shouldReadAnArrayAsItWritesIt(SqlType element, String literal, String canonical) {
        SqlType array = SqlType.array(element);
        DefaultValue value = Literals.parse(array, literal);

        assertThat(Literals.format(array, value)).isEqualTo(canonical);
        assertThat(Literals.parse(array, canonical)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "5, 2, 999.99, 99999, 999.99",
        "5, 2, -0.5, -50, -0.50",
        "5, 2, 1e2, 10000, 100.00",
        "18, 0, 999999999999999999, 999999999999999999, 999999999999999999",
        "18, 18, .123456789012345678, 123456789012345678, 0.123456789012345678",
        "3, 3, 0e-50, 0, 0.000"
    })
    void shouldReadADecimal(int precision, int scale, String literal, long unscaled, String canonical) {
        SqlType type = SqlType.decimal(precision, scale);

        DefaultValue value = Literals.parse(type, literal);

        assertThat(value).isEqualTo(new DefaultValue.Word(unscaled));
        assertThat(Literals.format(type, value)).isEqualTo(canonical);
    }

    @Test
    void shouldReadStrings() {
        assertThat(Literals.parse(SqlType.varchar(9), "'it''s \u00e9'"))
                .isEqualTo(new DefaultValue.Bytes("it's \u00e9".getBytes(StandardCharsets.UTF_8)));
        assertThat(Literals.parse(SqlType.varchar(1), "'\uD83D\uDE00'"))
                .isEqualTo(new DefaultValue.Bytes("\uD83D\uDE00".getBytes(StandardCharsets.UTF_8)));
        assertThat(Literals.parse(SqlType.varchar(1), "''")).isEqualTo(new DefaultValue.Bytes(new byte[0]));
        assertThat(Literals.parse(SqlType.varbinary(3), "X'00fFa0'"))
                .isEqualTo(new DefaultValue.Bytes(new byte[] {0, (byte) 0xff, (byte) 0xa0}));
    }

    @Test
    void shouldReadTheTransactionsTime() {
        SqlType timestamp = SqlType.of(SqlType.Kind.TIMESTAMP);
        for (String literal : new String[] {"CURRENT_TIMESTAMP", "now", "NOW()"}) {
            assertThat(Literals.parse(timestamp, literal)).isEqualTo(new DefaultValue.CurrentTimestamp());
        }
        assertThat(Literals.format(timestamp, new DefaultValue.CurrentTimestamp()))
                .isEqualTo("CURRENT_TIMESTAMP");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "BIGINT, 9223372036854775808, NUMERIC_OVERFLOW",
                "BIGINT, 1e400000000, NUMERIC_OVERFLOW",
                "BIGINT, 1e-400000000, INVALID_VALUE",
                "BIGINT, 1e4000000000, INVALID_VALUE",
                "DOUBLE, -1e400, NUMERIC_OVERFLOW",
                "DOUBLE, NaN, INVALID_VALUE",
                "DOUBLE, 0x1p3, INVALID_VALUE",
                "INTEGER, '', INVALID_VALUE",
                "DATE, '0001-1-1', INVALID_VALUE",
                "DATE, 20250101, INVALID_VALUE",
                "TIME, '24:00:00', INVALID_VALUE",
                "TIME, '1:00', INVALID_VALUE",
                "TIME, '12:00:00.1234567', INVALID_VALUE",
                "TIMESTAMP, '2025-01-01T00:00:00', INVALID_VALUE",
                "TIMESTAMP, '2025-01-01 24:00:00', INVALID_VALUE",
                "TIMESTAMP, '2025-01-01 00:00:00.1234567', INVALID_VALUE",
                "BOOLEAN, yes, INVALID_VALUE"
            })
    void shouldRefuseWhatIsNoValueOfTheType(SqlType.Kind kind, String literal, ErrorCode code) {
        assertThatThrownBy(() -> Literals.parse(SqlType.of(kind), literal))
                .isInstanceOf(ProcedureException.class)
                .extracting(e -> ((ProcedureException) e).code())
                .isEqualTo(code);
    }

    @Test
    void shouldRefuseStringsThatAreNotQuotedOrTooLong() {
        assertThatThrownBy(() -> Literals.parse(SqlType.varchar(5), "'a'b'"))
                .hasMessage("'a'b' is not a string in quotes");
        assertThatThrownBy(() -> Literals.parse(SqlType.varchar(5), "'")).hasMessage("' is not a string in quotes");
        assertThatThrownBy(() -> Literals.parse(SqlType.varchar(1), "'ab'"))
                .hasMessage("'ab' has 2 characters, too many for VARCHAR(1)");
        assertThatThrownBy(() -> Literals.parse(SqlType.varbinary(1), "x'zz'"))
                .hasMessage("x'zz' is not a binary literal: it needs an even number of digits from 0 to f");
        assertThatThrownBy(() -> Literals.unscaled(SqlType.decimal(3, 1), new BigDecimal("1e2000000000")))
                .hasMessage("1E+2000000000 has more than the 2 digits before the point of DECIMAL(3,1)");
    }

    @Test
    void shouldReadWhatItWrites() {
        long seed = 20251121;
        Random random = new Random(seed);
        long first = Instant.parse("0001-01-01T00:00:00Z").getEpochSecond();
        long last = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
        for (int i = 0; i < 10_000; i++) {
            check(seed, SqlType.of(SqlType.Kind.BIGINT), random.nextLong());
            check(seed, SqlType.of(SqlType.Kind.DATE), random.nextLong(first / 86400, last / 86400));
            check(
                    seed,
                    SqlType.of(SqlType.Kind.TIMESTAMP),
                    random.nextLong(first, last) * 1_000_000 + random.nextInt(1_000_000));
            check(
                    seed,
                    SqlType.decimal(18, random.nextInt(19)),
                    random.nextLong(-999_999_999_999_999_999L, 999_999_999_999_999_999L));
            double real = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(real)) {
                check(seed, SqlType.of(SqlType.Kind.DOUBLE), Double.doubleToLongBits(real));
            }
        }
    }

    private static void check(long seed, SqlType type, long word) {
        String literal = Literals.format(type, new DefaultValue.Word(word));
        assertThat(Literals.parse(type, literal))
                .as("%s %s, seed %d", type, literal, seed)
                .isEqualTo(new DefaultValue.Word(word));
    }

    @Test
    void shouldTakeMinusZeroForZero() {
        SqlType type = SqlType.of(SqlType.Kind.DOUBLE);

        assertThat(Literals.parse(type, "-0.0")).isEqualTo(Literals.parse(type, "0.0"));
        assertThat(Literals.parse(type, "-0e5")).isEqualTo(new DefaultValue.Word(0));
    }
}
