package io.reprise.benchmark;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** The form of numbers: no exponent, no more digits than a measurement has. */
final class Numbers {
    private Numbers() {}

    /** Whole numbers from 1000 on, otherwise four significant digits without trailing zeros. */
    static String format(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Double.toString(value);
        }
        if (Math.abs(value) >= 1000) {
            return BigDecimal.valueOf(value).setScale(0, RoundingMode.HALF_UP).toPlainString();
        }
        BigDecimal rounded = BigDecimal.valueOf(value).round(new MathContext(4));
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
