package io.reprise.procedure;

/** Randomness that a replay repeats: SplitMix64, seeded by the engine with the transaction id. */
public final class TransactionRandom {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private long state;

    /** Starts the sequence that belongs to the seed. */
    public void seed(long seed) {
        state = seed;
    }

    /** The next 64 random bits. */
    public long nextLong() {
        state += GOLDEN;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** A number from {@code min} to {@code max}, both included. */
    public int nextInt(int min, int max) {
        long range = (long) max - min + 1;
        return (int) (min + Math.unsignedMultiplyHigh(nextLong(), range));
    }

    /** A number from 0.0 (included) to 1.0 (excluded). */
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }
}
