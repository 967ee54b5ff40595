package io.reprise.runtime;

/**
 * A source of random numbers. Injected, so that a simulation repeats. One thread at a time.
 *
 * <p>Transactions don't use it: their randomness is seeded with their id. Secrets don't either.
 */
public interface Randomness {
    /** The next 64 random bits. */
    long nextLong();

    /** An independent source for a component. Draws from it don't change the later draws of this one. */
    Randomness fork();

    /** A number from 0 (included) to {@code bound} (excluded). */
    default int nextInt(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound must be positive: " + bound);
        }
        return (int) Math.unsignedMultiplyHigh(nextLong(), bound);
    }

    /** A number from 0 (included) to {@code bound} (excluded). */
    default long nextLong(long bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound must be positive: " + bound);
        }
        return Math.unsignedMultiplyHigh(nextLong(), bound);
    }

    /** A number from 0.0 (included) to 1.0 (excluded). */
    default double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /** True with the given probability, from 0.0 (never) to 1.0 (always). */
    default boolean chance(double probability) {
        return nextDouble() < probability;
    }
}
