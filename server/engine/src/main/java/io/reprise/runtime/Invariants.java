package io.reprise.runtime;

import java.util.function.Supplier;

/**
 * Assertions that stay on in production, because a wrong state that is noticed costs one node and one that isn't costs
 * the data. Each check is a compare and a branch: the message is built only when it fails, and numbers are passed as
 * {@code long} so that a check that holds allocates nothing.
 *
 * <p>For what callers or users do wrong, throw what tells them; these are for what can't be.
 */
public final class Invariants {
    private Invariants() {}

    /** Throws with the message unless the condition holds. */
    public static void check(boolean condition, String message) {
        if (!condition) {
            throw violated(message);
        }
    }

    /** Throws with the message and a number unless the condition holds. */
    public static void check(boolean condition, String message, long value) {
        if (!condition) {
            throw violated(message + ": " + value);
        }
    }

    /** Throws with the message and two numbers unless the condition holds. */
    public static void check(boolean condition, String message, long first, long second) {
        if (!condition) {
            throw violated(message + ": " + first + ", " + second);
        }
    }

    /** Throws with the message and three numbers unless the condition holds. */
    public static void check(boolean condition, String message, long first, long second, long third) {
        if (!condition) {
            throw violated(message + ": " + first + ", " + second + ", " + third);
        }
    }

    /**
     * Throws with the supplied message unless the condition holds. Off the hot path only: a lambda that captures
     * something may be allocated by each call.
     */
    public static void check(boolean condition, Supplier<String> message) {
        if (!condition) {
            throw violated(message.get());
        }
    }

    /** For a place that can't be reached: {@code throw unreachable("...")}. */
    public static InvariantViolatedException unreachable(String message) {
        return violated(message);
    }

    private static InvariantViolatedException violated(String message) {
        return new InvariantViolatedException(message);
    }
}
