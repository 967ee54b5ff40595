package io.reprise.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of DECIMALs of more than 18 digits. */
final class DecimalBytesTest {
    private static final BigInteger GREATEST = BigInteger.TEN.pow(38).subtract(BigInteger.ONE);
    private static final SqlType TYPE = SqlType.decimal(38, 4);

    @ParameterizedTest
    @CsvSource({
        "0, 80",
        "1, 8101",
        "-1, 7efe",
        "255, 81ff",
        "256, 820100",
        "-256, 7dfeff",
        "9223372036854775808, 888000000000000000",
        "99999999999999999999999999999999999999, 904b3b4ca85a86c47a098a223fffffffff",
        "-99999999999999999999999999999999999999, 6fb4c4b357a5793b85f675ddc000000000"
    })
    void shouldHoldNumbers(String number, String bytes) {
        BigInteger unscaled = new BigInteger(number);

        assertThat(HexFormat.of().formatHex(DecimalBytes.of(unscaled))).isEqualTo(bytes);
        assertThat(DecimalBytes.unscaled(HexFormat.of().parseHex(bytes))).isEqualTo(unscaled);
    }

    @Test
    void shouldOrderBytesAsNumbers() {
        long seed = new Random().nextLong();
        List<BigInteger> numbers = numbers(new Random(seed));

        List<BigInteger> byBytes = new ArrayList<>(numbers);
        byBytes.sort(Comparator.comparing(DecimalBytes::of, Arrays::compareUnsigned));

        assertThat(byBytes)
                .as("seed " + seed)
                .isEqualTo(numbers.stream().sorted().toList());
        assertThat(numbers).as("seed " + seed).allSatisfy(number -> {
            byte[] bytes = DecimalBytes.of(number);
            assertThat(DecimalBytes.unscaled(bytes)).isEqualTo(number);
            assertThat(bytes).hasSizeLessThanOrEqualTo(TYPE.length());
        });
    }

    private static List<BigInteger> numbers(Random random) {
        List<BigInteger> numbers = new ArrayList<>(List.of(GREATEST, GREATEST.negate(), BigInteger.ZERO));
        for (int bits = 1; bits <= 126; bits++) {
            BigInteger power = BigInteger.TWO.pow(bits).min(GREATEST);
            BigInteger number = new BigInteger(bits, random).min(GREATEST);
            numbers.addAll(List.of(
                    power, power.negate(), power.subtract(BigInteger.ONE), number, number.negate(), number.negate()));
        }
        return numbers;
    }

    @Test
    void shouldRoundHalfAwayFromZero() {
        assertThat(text("0.00005")).isEqualTo("0.0001");
        assertThat(text("-0.00005")).isEqualTo("-0.0001");
        assertThat(text("0.00004999")).isEqualTo("0.0000");
        assertThat(text("1e-2000000000")).isEqualTo("0.0000");
        assertThat(text("-12345678901234567890.5")).isEqualTo("-12345678901234567890.5000");
        assertThat(DecimalBytes.unscaled(new BigDecimal("1e-2000000000"), 38, 4, RoundingMode.CEILING))
                .isEqualTo(BigInteger.ONE);
    }

    private static String text(String number) {
        return DecimalBytes.text(TYPE, DecimalBytes.rounded(TYPE, new BigDecimal(number)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e34", "-1e34", "9999999999999999999999999999999999.99995", "1e2000000000"})
    void shouldRefuseMoreDigitsThanTheTypeHas(String number) {
        assertThatThrownBy(() -> DecimalBytes.rounded(TYPE, new BigDecimal(number)))
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NUMERIC_OVERFLOW))
                .hasMessageContaining("out of range for DECIMAL(38,4)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "81", "8000", "7f", "820102ff", "7e", "90"})
    void shouldRefuseOtherBytes(String bytes) {
        assertThatThrownBy(() -> DecimalBytes.unscaled(HexFormat.of().parseHex(bytes)))
                .isInstanceOf(ProcedureException.class)
                .hasMessageContaining("no DECIMAL");
    }

    @Test
    void shouldBeADecimalOfWordsUpTo18Digits() {
        assertThat(SqlType.decimal(18, 2).isWide()).isFalse();
        assertThat(SqlType.decimal(19, 2).isWide()).isTrue();
        assertThat(SqlType.decimal(19, 2).decimals()).isEqualTo(2);
        assertThat(SqlType.decimal(38, 38)).hasToString("DECIMAL(38,38)");
        assertThat(SqlType.decimal(19, 0).length()).isEqualTo(9);
        assertThat(SqlType.decimal(38, 0).length()).isEqualTo(17);
        assertThat(SqlType.array(SqlType.decimal(38, 38)).element()).isEqualTo(SqlType.decimal(38, 38));
        assertThat(SqlType.UUID.isWide()).isFalse();
        assertThat(SqlType.array(SqlType.UUID).isWide()).isFalse();
    }
}
