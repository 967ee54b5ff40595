package io.reprise.benchmark;

import java.util.List;

/**
 * One measurement that answers one question. Implementations have no state between runs and are listed in {@link
 * BenchmarkRunner#all()}.
 */
public interface Benchmark {
    /** The name that users type: lower case, words joined by hyphens, the subject first ({@code engine-tpcc}). */
    String name();

    /** One line for the list: the subject of the measurement. */
    String description();

    /** The keys that the result has, in the order in which they are printed, with the goal of each that has one. */
    List<Key> keys();

    /** The options that it has, {@code --quick} and {@code --scratch} aside: any other is refused before anything is measured. */
    default List<Option> options() {
        return List.of();
    }

    /**
     * Measures. A quick run ({@link Context#quick()}) takes seconds and shows that everything works; its numbers are
     * indications. A full run takes as long as it must for numbers that can be published.
     */
    Result run(Context context) throws Exception;
}
