package io.reprise.benchmark;

import java.util.Arrays;
import java.util.List;

/**
 * A setting that a benchmark has on its command line, and the values of it that mean something: any other is refused before anything is
 * measured, rather than measured as nothing and published.
 *
 * @param name as it is typed, without the two hyphens
 * @param least the smallest whole number
 * @param most the largest
 * @param choices the only values that there are; empty: it is a whole number
 */
public record Option(String name, int least, int most, List<String> choices) {
    /** The length of one measurement. */
    public static final Option SECONDS = number("seconds", 1);

    /** The number of measurements of each alternative. */
    public static final Option ROUNDS = number("rounds", 1);

    /** For how many seconds it runs before anything counts; its end is measured too, to see how fast it has become. */
    public static final Option WARM_UP = number("warmup", 1);

    public Option {
        choices = List.copyOf(choices);
    }

    public static Option number(String name, int least) {
        return number(name, least, Integer.MAX_VALUE);
    }

    public static Option number(String name, int least, int most) {
        return new Option(name, least, most, List.of());
    }

    /** One of these, as it is written here. */
    @SafeVarargs
    @SuppressWarnings("varargs") // They are only read.
    public static <T> Option oneOf(String name, T... values) {
        return new Option(name, 0, 0, Arrays.stream(values).map(Option::word).toList());
    }

    /** Of an enum its name, whatever it is called in messages. */
    private static String word(Object value) {
        return value instanceof Enum<?> constant ? constant.name() : value.toString();
    }

    /** Refuses a value that means nothing. */
    void check(String value) {
        if (!choices.isEmpty()) {
            if (!choices.contains(value)) {
                throw new UsageException("--" + name + " is one of " + choices + ", not '" + value + "'");
            }
            return;
        }
        long number;
        try {
            number = Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new UsageException("--" + name + " needs a whole number, not '" + value + "'", e);
        }
        if (number < least || number > most) {
            throw new UsageException("--" + name + " is "
                    + (most == Integer.MAX_VALUE && number < least
                            ? "at least " + least
                            : "between " + least + " and " + most)
                    + ", not " + value);
        }
    }
}
