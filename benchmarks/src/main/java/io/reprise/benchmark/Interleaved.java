package io.reprise.benchmark;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares alternatives on a machine that is never quiet: every round measures each once, and every other round in the
 * opposite order, so that what the machine does to one it does to all. Compare by {@link Comparison#ratio}, which divides
 * within rounds.
 *
 * <pre>{@code
 * Comparison comparison = new Interleaved()
 *         .add("with-log", () -> throughput(log))
 *         .add("without", () -> throughput(noLog))
 *         .run(1, context.quickOr(3, 9));
 * Samples cost = comparison.ratio("with-log", "without");
 * }</pre>
 */
public final class Interleaved {
    /** One measurement of one alternative. */
    @FunctionalInterface
    public interface Measurement {
        double measure() throws Exception;
    }

    private final Map<String, Measurement> alternatives = new LinkedHashMap<>();

    public Interleaved add(String name, Measurement measurement) {
        if (alternatives.put(name, measurement) != null) {
            throw new IllegalArgumentException("two alternatives named " + name);
        }
        return this;
    }

    /** Runs {@code warmUps} rounds that don't count, then {@code rounds} that do. */
    public Comparison run(int warmUps, int rounds) throws Exception {
        if (alternatives.isEmpty() || rounds < 1) {
            throw new IllegalArgumentException(alternatives.size() + " alternatives, " + rounds + " rounds");
        }
        List<String> order = new ArrayList<>(alternatives.keySet());
        Map<String, double[]> values = new LinkedHashMap<>();
        order.forEach(name -> values.put(name, new double[rounds]));
        for (int round = -warmUps; round < rounds; round++) {
            for (String name : order) {
                double value = alternatives.get(name).measure();
                if (round >= 0) {
                    values.get(name)[round] = value;
                }
            }
            Collections.reverse(order);
        }
        Map<String, Samples> samples = new LinkedHashMap<>();
        values.forEach((name, measured) -> samples.put(name, new Samples(measured)));
        return new Comparison(samples);
    }

    /** The samples of every alternative, round by round. */
    public record Comparison(Map<String, Samples> samples) {
        public Samples of(String name) {
            Samples found = samples.get(name);
            if (found == null) {
                throw new IllegalArgumentException("no alternative " + name + " in " + samples.keySet());
            }
            return found;
        }

        /** {@code numerator / denominator}, round by round. */
        public Samples ratio(String numerator, String denominator) {
            return of(numerator).dividedBy(of(denominator));
        }
    }
}
