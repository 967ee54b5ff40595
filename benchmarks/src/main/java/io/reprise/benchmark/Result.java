package io.reprise.benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The measurements of a run: samples by key, facts that are no numbers, and remarks for the reader of the result
 * file.
 */
public final class Result {
    private final Map<String, Samples> measures = new LinkedHashMap<>();
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final List<String> remarks = new ArrayList<>();
    private final Map<String, Map<String, String>> files = new LinkedHashMap<>();
    private String leftOut = "";

    public Result put(String key, double value) {
        return put(key, new Samples(value));
    }

    public Result put(String key, Samples samples) {
        if (measures.put(key, samples) != null) {
            throw new IllegalArgumentException("two results for " + key);
        }
        return this;
    }

    /** A setting or a finding that is no number, such as {@code consistent=true}; printed after the numbers. */
    public Result fact(String name, String value) {
        facts.put(name, value.replace(' ', '_'));
        return this;
    }

    /** A paragraph for the result file. */
    public Result remark(String text) {
        remarks.add(text);
        return this;
    }

    /** A file beside the result file, in a folder that has the files of this benchmark's last full run only. */
    public Result file(String folder, String name, String text) {
        files.computeIfAbsent(folder, _ -> new LinkedHashMap<>()).put(name, text);
        return this;
    }

    /**
     * Says that some keys were not measured because the user asked for a part only. Such a result has these keys not
     * at all, and replaces no file of a whole one.
     *
     * @param why the user's request
     */
    public Result ofPart(String why) {
        leftOut = why;
        return this;
    }

    /** Why not all was measured; empty if all was. */
    String leftOut() {
        return leftOut;
    }

    /** The keys that were measured, in the order of the benchmark's. */
    List<Key> measured(Benchmark benchmark) {
        return benchmark.keys().stream()
                .filter(key -> measures.containsKey(key.name()))
                .toList();
    }

    Samples measure(String key) {
        return measures.get(key);
    }

    Map<String, String> facts() {
        return facts;
    }

    List<String> remarks() {
        return remarks;
    }

    /** By folder and name. */
    Map<String, Map<String, String>> files() {
        return files;
    }

    /** The one line for machines: {@code NAME key=value key=value ...}; medians where there are several samples. */
    String line(Benchmark benchmark) {
        StringBuilder line = new StringBuilder(benchmark.name());
        for (Key key : measured(benchmark)) {
            line.append(' ').append(key.name()).append('=');
            line.append(Numbers.format(measures.get(key.name()).median()));
        }
        facts.forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
        return line.toString();
    }

    /** Fails if the keys are not exactly those that the benchmark says it has, or some of them where a part was asked for. */
    void check(Benchmark benchmark) {
        List<String> declared = benchmark.keys().stream().map(Key::name).toList();
        boolean enough = leftOut.isEmpty() ? measures.keySet().containsAll(declared) : !measures.isEmpty();
        if (!declared.containsAll(measures.keySet()) || !enough) {
            throw new IllegalStateException(
                    benchmark.name() + " says that it has " + declared + " and returned " + measures.keySet());
        }
    }
}
