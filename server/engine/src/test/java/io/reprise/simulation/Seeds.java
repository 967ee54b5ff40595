package io.reprise.simulation;

import io.reprise.runtime.SeededRandomness;

/**
 * Runs a test with many seeds. Without settings the seeds are the same each time, so that a build doesn't fail by
 * chance; {@code -Dreprise.seeds=N} runs N others, new ones each time, to search; {@code -Dreprise.seed=S} runs that
 * one again. A failure names its seed and the command that repeats it.
 */
public final class Seeds {
    private static final String ONE = "reprise.seed";
    private static final String MANY = "reprise.seeds";
    private static final long FIXED_START = 20_251_121L;

    private Seeds() {}

    /** A test that takes all its randomness from a seed. */
    @FunctionalInterface
    public interface SeededTest {
        /** Runs with the seed; throws if something is wrong. */
        void run(long seed) throws Exception;
    }

    /** Runs the test with so many seeds, unless a system property says otherwise. */
    public static void forEach(int count, SeededTest test) {
        Long one = Long.getLong(ONE);
        if (one != null) {
            runOne(one, test);
            return;
        }
        Integer many = Integer.getInteger(MANY);
        if (many == null) {
            runAll(count, new SeededRandomness(FIXED_START), test);
        } else {
            runAll(many, SeededRandomness.unpredictable(), test);
        }
    }

    private static void runAll(int count, SeededRandomness seeds, SeededTest test) {
        for (int i = 0; i < count; i++) {
            runOne(seeds.nextLong(), test);
        }
    }

    private static void runOne(long seed, SeededTest test) {
        try {
            test.run(seed);
        } catch (Throwable failure) {
            throw new AssertionError(
                    "seed " + seed + " fails: " + failure + "\nTo repeat it: -Dtest=" + caller() + " -D" + ONE + "="
                            + seed,
                    failure);
        }
    }

    /** The test method that is running: the lowest frame outside this class that is named as a test. */
    private static String caller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> frame.getClassName().endsWith("Test")
                                && !frame.getMethodName().contains("lambda$"))
                        .findFirst()
                        .map(frame -> simpleName(frame.getClassName()) + "#" + frame.getMethodName())
                        .orElse("<test>"));
    }

    private static String simpleName(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }
}
