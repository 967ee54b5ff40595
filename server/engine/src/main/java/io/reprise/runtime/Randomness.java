package io.reprise.runtime;

/**
 * Where random numbers come from. Injected, so that a simulation repeats. One thread at a time.
 *
 * <p>Not for transactions, whose randomness is seeded with their id, nor for secrets.
 */
public interface Randomness {
    /** The next 64 random bits. */
    long nextLong();

    /** A source of its own for a component: what that one draws doesn't change what this one gives afterwards. */
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
