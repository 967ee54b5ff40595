package io.reprise.sql.compile.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Against BigDecimal, whose arithmetic is exact. */
final class DecimalsTest {
    private static final int ROUNDS = 200_000;
    private static final long SEED = 20_261_121;

    private final SplittableRandom random = new SplittableRandom(SEED);

    /** Numbers of all magnitudes, with the edges among them. */
    private long number() {
        long bits = random.nextLong() >> random.nextInt(64);
        return switch (random.nextInt(12)) {
            case 0 -> Long.MAX_VALUE - random.nextInt(3);
            case 1 -> Long.MIN_VALUE + random.nextInt(3);
            case 2 -> Decimals.power(random.nextInt(19)) + random.nextInt(3) - 1;
            default -> bits;
        };
    }

    private static void assertSame(String what, LongSupplier ours, BigDecimal exact) {
        BigInteger expected = exact.setScale(0, RoundingMode.HALF_UP).toBigIntegerExact();
        try {
            assertThat(ours.getAsLong()).as(what).isEqualTo(expected.longValueExact());
        } catch (ArithmeticException tooLarge) {
            throw new AssertionError(what + " should be out of range: " + expected);
        } catch (ProcedureException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.NUMERIC_OVERFLOW);
            assertThat(expected.bitLength()).as(what + ": " + e.getMessage()).isGreaterThan(63);
        }
    }

    @Test
    void shouldMultiplyAndRoundExactly() {
        for (int i = 0; i < ROUNDS; i++) {
            long a = number();
            long b = number();
            int natural = random.nextInt(20);
            int scale = random.nextInt(natural + 1);
            BigDecimal exact = new BigDecimal(BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)), natural - scale);
            assertSame(
                    a + " * " + b + " from " + natural + " to " + scale,
                    () -> Decimals.multiply(a, b, natural, scale),
                    exact);
        }
    }

    @Test
    void shouldDivideAndRoundExactly() {
        for (int i = 0; i < ROUNDS; i++) {
            long a = number();
            long b = number();
            int shift = random.nextInt(24) - 3;
            if (b != 0) {
                BigDecimal exact = new BigDecimal(BigInteger.valueOf(a), -shift)
                        .divide(BigDecimal.valueOf(b), 0, RoundingMode.HALF_UP);
                assertSame(a + " / " + b + " shifted by " + shift, () -> Decimals.divide(a, b, shift), exact);
            }
        }
    }

    @Test
    void shouldChangeTheScaleExactly() {
        for (int i = 0; i < ROUNDS; i++) {
            long v = number();
            int from = random.nextInt(19);
            int to = random.nextInt(19);
            assertSame(
                    v + " from " + from + " to " + to,
                    () -> Decimals.rescale(v, from, to),
                    new BigDecimal(BigInteger.valueOf(v), from - to));
        }
    }

    @Test
    void shouldCompareDifferentScales() {
        for (int i = 0; i < ROUNDS; i++) {
            long a = number();
            int scaleA = random.nextInt(19);
            int scaleB = random.nextInt(19);
            long b = random.nextInt(4) == 0 && scaleB >= scaleA ? a * Decimals.power(scaleB - scaleA) : number();
            assertThat(Integer.signum(Decimals.compare(a, scaleA, b, scaleB)))
                    .as("%d scale %d, %d scale %d", a, scaleA, b, scaleB)
                    .isEqualTo(BigDecimal.valueOf(a, scaleA).compareTo(BigDecimal.valueOf(b, scaleB)));
        }
    }

    @Test
    void shouldRoundAndTruncateDigits() {
        for (int i = 0; i < ROUNDS; i++) {
            long v = number() / 4;
            int scale = random.nextInt(10);
            int digits = random.nextInt(24) - 12;
            BigDecimal exact = BigDecimal.valueOf(v, scale);
            BigDecimal rounded = exact.setScale(Math.min(digits, scale), RoundingMode.HALF_UP)
                    .setScale(scale);
            BigDecimal cut =
                    exact.setScale(Math.min(digits, scale), RoundingMode.DOWN).setScale(scale);
            assertSame(v + " rounded", () -> Decimals.round(v, scale, digits), new BigDecimal(rounded.unscaledValue()));
            assertSame(v + " cut", () -> Decimals.truncateTo(v, scale, digits), new BigDecimal(cut.unscaledValue()));
            assertThat(Decimals.floor(v, scale))
                    .isEqualTo(exact.setScale(0, RoundingMode.FLOOR).longValue());
            assertThat(Decimals.ceil(v, scale))
                    .isEqualTo(exact.setScale(0, RoundingMode.CEILING).longValue());
        }
    }

    @Test
    void shouldAddAndMultiplyIntegersExactly() {
        for (int i = 0; i < ROUNDS; i++) {
            long a = number();
            long b = number();
            BigDecimal x = BigDecimal.valueOf(a);
            BigDecimal y = BigDecimal.valueOf(b);
            assertSame(a + " + " + b, () -> Numbers.add(a, b), x.add(y));
            assertSame(a + " - " + b, () -> Numbers.subtract(a, b), x.subtract(y));
            assertSame(a + " * " + b, () -> Numbers.multiply(a, b), x.multiply(y));
            if (b != 0) {
                assertSame(
                        a + " / " + b,
                        () -> Numbers.divide(a, b),
                        new BigDecimal(x.toBigInteger().divide(y.toBigInteger())));
                assertThat(Numbers.remainder(a, b))
                        .isEqualTo(x.toBigInteger().remainder(y.toBigInteger()).longValue());
            }
        }
    }

    @Test
    void shouldConvertDoubles() {
        for (int i = 0; i < ROUNDS; i++) {
            long v = number();
            int scale = random.nextInt(10);
            double converted = Decimals.toDouble(v, scale);
            assertThat(converted).isEqualTo(BigDecimal.valueOf(v, scale).doubleValue());
            double a = Double.longBitsToDouble(random.nextLong());
            double b = Double.longBitsToDouble(random.nextLong());
            if (!Double.isNaN(a) && !Double.isNaN(b)) {
                assertThat(Integer.signum(Long.compare(Numbers.sortable(a), Numbers.sortable(b))))
                        .isEqualTo(Integer.signum(Double.compare(a + 0.0, b + 0.0)));
            }
        }
    }
}
