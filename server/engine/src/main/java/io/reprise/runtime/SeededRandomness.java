package io.reprise.runtime;

import java.security.SecureRandom;

/**
 * SplitMix64: the same seed gives the same numbers on every machine and in every Java version, which the JDK's own
 * generators don't promise for what is built on top of them.
 */
public final class SeededRandomness implements Randomness {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long state;

    /** The sequence that belongs to the seed. */
    public SeededRandomness(long seed) {
        state = seed;
    }

    /** A sequence that can't be foretold, for production. */
    public static SeededRandomness unpredictable() {
        return new SeededRandomness(new SecureRandom().nextLong());
    }

    @Override
    public long nextLong() {
        state += GOLDEN;
        return mix(state);
    }

    @Override
    public Randomness fork() {
        return new SeededRandomness(mix(nextLong() ^ GOLDEN));
    }

    private static long mix(long word) {
        long z = word;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
