package io.reprise.node.http;

import io.reprise.runtime.metric.Distribution;
import java.util.Locale;

/**
 * Writes metrics in Prometheus' text format, version 0.0.4: families one after the other, each with its help and type
 * before its samples.
 */
final class PrometheusText {
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** From 8 us to 34 s; shorter and longer times are in the first or the last bucket. */
    private static final int LOWEST_POWER = 13;

    private static final int HIGHEST_POWER = 35;
    private static final double SECOND_NS = 1e9;

    private final StringBuilder out = new StringBuilder(1 << 14);
    private String family = "";

    /** Begins a family; its samples follow. */
    PrometheusText gauge(String name, String help) {
        return begin(name, "gauge", help);
    }

    /** Begins a family of counters, whose name ends in {@code _total}. */
    PrometheusText counter(String name, String help) {
        return begin(name, "counter", help);
    }

    /** Begins a family of histograms of seconds. */
    PrometheusText histogram(String name, String help) {
        return begin(name, "histogram", help);
    }

    private PrometheusText begin(String name, String type, String help) {
        family = name;
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        return this;
    }

    /** A sample of the family, with labels as name, value, name, value. */
    PrometheusText sample(double value, String... labels) {
        return sample("", value, labels);
    }

    /** The same of a whole number. */
    PrometheusText sample(long value, String... labels) {
        return sample("", (double) value, labels);
    }

    /** A histogram of the family. */
    PrometheusText times(Distribution times, String... labels) {
        for (int power = LOWEST_POWER; power < HIGHEST_POWER; power++) {
            bucket(times, 1L << power, labels);
            bucket(times, 3L << power - 1, labels);
        }
        bucket(times, 1L << HIGHEST_POWER, labels);
        String[] all = with(labels, "+Inf");
        sample("_bucket", (double) times.count(), all);
        sample("_sum", times.sumNs() / SECOND_NS, labels);
        return sample("_count", (double) times.count(), labels);
    }

    private void bucket(Distribution times, long ns, String... labels) {
        sample("_bucket", (double) times.below(ns), with(labels, number(ns / SECOND_NS)));
    }

    private static String[] with(String[] labels, String bound) {
        String[] all = java.util.Arrays.copyOf(labels, labels.length + 2);
        all[labels.length] = "le";
        all[labels.length + 1] = bound;
        return all;
    }

    private PrometheusText sample(String suffix, double value, String... labels) {
        out.append(family).append(suffix);
        for (int i = 0; i < labels.length; i += 2) {
            out.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
            escape(labels[i + 1]);
            out.append('"');
        }
        if (labels.length > 0) {
            out.append('}');
        }
        out.append(' ').append(number(value)).append('\n');
        return this;
    }

    private void escape(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '\\' -> out.append("\\\\");
                case '"' -> out.append("\\\"");
                case '\n' -> out.append("\\n");
                default -> out.append(c);
            }
        }
    }

    /** Whole numbers without a fraction, so that counts are easy to read. */
    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%s", value);
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
