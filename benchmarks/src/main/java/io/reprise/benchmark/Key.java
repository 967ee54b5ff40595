package io.reprise.benchmark;

import java.util.Locale;

/**
 * A number that a benchmark reports.
 *
 * @param name as printed, with the unit last if it has one ({@code latency_p99_us})
 * @param meaning a short phrase for the result file
 * @param goal the wanted value
 */
public record Key(String name, String meaning, Goal goal) {
    public static Key of(String name, String meaning) {
        return new Key(name, meaning, new Goal(Direction.NONE, 0));
    }

    public Key atLeast(double bound) {
        return new Key(name, meaning, new Goal(Direction.AT_LEAST, bound));
    }

    public Key atMost(double bound) {
        return new Key(name, meaning, new Goal(Direction.AT_MOST, bound));
    }

    /** The good side of a bound. */
    public enum Direction {
        NONE,
        AT_LEAST,
        AT_MOST
    }

    /** A bound that a value should keep; it is reported, and doesn't make a run fail. */
    public record Goal(Direction direction, double bound) {
        public boolean exists() {
            return direction != Direction.NONE;
        }

        public boolean metBy(double value) {
            return switch (direction) {
                case NONE -> true;
                case AT_LEAST -> value >= bound;
                case AT_MOST -> value <= bound;
            };
        }

        @Override
        public String toString() {
            return switch (direction) {
                case NONE -> "";
                case AT_LEAST -> "at least " + Numbers.format(bound);
                case AT_MOST -> "at most " + Numbers.format(bound);
            };
        }
    }

    public Key {
        if (!name.equals(name.toLowerCase(Locale.ROOT)) || name.contains(" ") || name.contains("=")) {
            throw new IllegalArgumentException("a key is lower case without blanks or '=': " + name);
        }
    }
}
