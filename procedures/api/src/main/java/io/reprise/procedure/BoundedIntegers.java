package io.reprise.procedure;

import java.math.BigInteger;

/**
 * Stands in for those methods of {@link BigInteger} whose time or memory depends on the values of their arguments, such
 * as a power. A result that would be too long is refused before it is computed, so that a single call always ends soon.
 * At deployment a procedure's calls are woven to these. The receiver of the original call is the first parameter.
 * Application code never names this class.
 */
public final class BoundedIntegers {
    /** Numbers of this length are multiplied, divided and printed within milliseconds. */
    static final int MOST_BITS = 1 << 18;

    /** The decimal digits that fit into {@link #MOST_BITS}. */
    static final int MOST_DIGITS = 78_913;

    /** A power by a modulus of so many steps takes about a second. */
    private static final long MOST_STEPS = 1L << 32;

    private static final int MOST_BITS_OF_A_PRIME = 8_192;
    private static final int MOST_BITS_OF_A_FOUND_PRIME = 2_048;

    private BoundedIntegers() {}

    /** For {@link BigInteger#multiply}. */
    public static BigInteger multiply(BigInteger a, BigInteger b) {
        require((long) a.bitLength() + b.bitLength(), "multiply");
        return a.multiply(b);
    }

    /** For {@link BigInteger#parallelMultiply}, in this thread: it gives the same number. */
    public static BigInteger parallelMultiply(BigInteger a, BigInteger b) {
        return multiply(a, b);
    }

    /** For {@link BigInteger#pow}. */
    public static BigInteger pow(BigInteger base, int exponent) {
        // The highest bit decides: one and minus one have powers of any exponent.
        require((base.abs().bitLength() - 1L) * exponent, "pow");
        return base.pow(exponent);
    }

    /** For {@link BigInteger#shiftLeft}. */
    public static BigInteger shiftLeft(BigInteger number, int bits) {
        if (bits > 0 && number.signum() != 0) {
            require((long) number.bitLength() + bits, "shiftLeft");
        }
        return number.shiftLeft(bits);
    }

    /** For {@link BigInteger#shiftRight}. */
    public static BigInteger shiftRight(BigInteger number, int bits) {
        if (bits < 0 && number.signum() != 0) {
            require((long) number.bitLength() - bits, "shiftRight");
        }
        return number.shiftRight(bits);
    }

    /** For {@link BigInteger#setBit}. */
    public static BigInteger setBit(BigInteger number, int bit) {
        require(bit, "setBit");
        return number.setBit(bit);
    }

    /** For {@link BigInteger#clearBit}. */
    public static BigInteger clearBit(BigInteger number, int bit) {
        require(bit, "clearBit");
        return number.clearBit(bit);
    }

    /** For {@link BigInteger#flipBit}. */
    public static BigInteger flipBit(BigInteger number, int bit) {
        require(bit, "flipBit");
        return number.flipBit(bit);
    }

    /** For {@link BigInteger#modPow}. */
    public static BigInteger modPow(BigInteger base, BigInteger exponent, BigInteger modulus) {
        long words = modulus.bitLength() / Integer.SIZE + 1L;
        if (words * words > MOST_STEPS / Math.max(1, exponent.bitLength())) {
            throw new ArithmeticException("BigInteger.modPow by an exponent of " + exponent.bitLength()
                    + " bits and a modulus of " + modulus.bitLength()
                    + " bits would take too long: a procedure computes with up to 16,000 bits each");
        }
        return base.modPow(exponent, modulus);
    }

    /** For {@link BigInteger#isProbablePrime}. */
    public static boolean isProbablePrime(BigInteger number, int certainty) {
        requirePrime(number, MOST_BITS_OF_A_PRIME, "isProbablePrime");
        return number.isProbablePrime(certainty);
    }

    /** For {@link BigInteger#nextProbablePrime}. */
    public static BigInteger nextProbablePrime(BigInteger number) {
        requirePrime(number, MOST_BITS_OF_A_FOUND_PRIME, "nextProbablePrime");
        return number.nextProbablePrime();
    }

    /** For a reference to {@link BigInteger#BigInteger(String)}. */
    public static BigInteger integer(String digits) {
        return new BigInteger(BoundedDecimals.text(digits));
    }

    /** For the bytes that a number is made of. */
    public static byte[] bytes(byte[] magnitude) {
        require((long) Byte.SIZE * magnitude.length, "new");
        return magnitude;
    }

    /** For the count of the bytes that a number is made of. */
    public static int bytes(int count) {
        require((long) Byte.SIZE * count, "new");
        return count;
    }

    private static void requirePrime(BigInteger number, int most, String method) {
        if (number.bitLength() > most) {
            throw new ArithmeticException("BigInteger." + method + " of a number of " + number.bitLength()
                    + " bits would take too long: a procedure may ask up to " + most + " bits");
        }
    }

    private static void require(long bits, String method) {
        if (bits > MOST_BITS) {
            throw new ArithmeticException("BigInteger." + method + " would make a number of about " + bits
                    + " bits: a procedure computes with up to " + MOST_BITS);
        }
    }
}
