package io.reprise.workload;

import io.reprise.procedure.TextBuilder;
import io.reprise.procedure.TransactionRandom;

/**
 * Random numbers and strings for loaders and generators: the same for the same seed, on every machine. Not for use
 * within transactions other than loading, whose seed is an argument.
 */
public final class RandomValues {
    private static final byte[] ALPHANUMERIC = new byte[62];

    static {
        for (int i = 0; i < ALPHANUMERIC.length; i++) {
            ALPHANUMERIC[i] = (byte) (i < 10 ? '0' + i : i < 36 ? 'A' + i - 10 : 'a' + i - 36);
        }
    }

    private final TransactionRandom random = new TransactionRandom();

    /** A sequence that belongs to the seed. */
    public RandomValues(long seed) {
        seed(seed);
    }

    /** Starts the sequence that belongs to the seed. */
    public RandomValues seed(long seed) {
        random.seed(seed);
        return this;
    }

    /** Starts the sequence that belongs to the seed and a place, such as a table and a key. */
    public RandomValues seed(long seed, long a, long b, long c) {
        random.seed(seed);
        random.seed(random.nextLong() ^ a);
        random.seed(random.nextLong() ^ b);
        random.seed(random.nextLong() ^ c);
        return this;
    }

    /** 64 random bits. */
    public long nextLong() {
        return random.nextLong();
    }

    /** From 0.0 (included) to 1.0 (excluded). */
    public double nextDouble() {
        return random.nextDouble();
    }

    /** Uniform from {@code min} to {@code max}, both included. */
    public int uniform(int min, int max) {
        return random.nextInt(min, max);
    }

    /** Uniform from 0 (included) to {@code bound} (excluded). */
    public long below(long bound) {
        return Math.unsignedMultiplyHigh(random.nextLong(), bound);
    }

    /** True in so many of 100 cases; a percentage may have a fraction. */
    public boolean percent(double percentage) {
        return random.nextDouble() * 100 < percentage;
    }

    /** Appends alphanumeric characters: a number of them that is uniform from {@code min} to {@code max}. */
    public TextBuilder alphanumeric(TextBuilder into, int min, int max) {
        int count = min == max ? min : uniform(min, max);
        while (count > 0) {
            // Eight characters from one draw: 62^8 is about 2^48, so the remainders are even to one part in 2^15.
            long bits = random.nextLong() >>> 1;
            for (int i = Math.min(count, 8); i > 0; i--, count--) {
                into.append((char) ALPHANUMERIC[(int) (bits % 62)]);
                bits /= 62;
            }
        }
        return into;
    }

    /** Appends decimal digits: a number of them that is uniform from {@code min} to {@code max}. */
    public TextBuilder numeric(TextBuilder into, int min, int max) {
        for (int count = min == max ? min : uniform(min, max); count > 0; count--) {
            into.append((char) ('0' + uniform(0, 9)));
        }
        return into;
    }

    /** Fills the first {@code count} elements with a random permutation of 1 to {@code count}. */
    public void permutation(int[] into, int count) {
        for (int i = 0; i < count; i++) {
            int other = uniform(0, i);
            into[i] = into[other];
            into[other] = i + 1;
        }
    }
}
