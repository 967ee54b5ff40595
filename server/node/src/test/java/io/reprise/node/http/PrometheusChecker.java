package io.reprise.node.http;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the text format strictly: whatever Prometheus would refuse or misread is an error here. */
public final class PrometheusChecker {
    private static final Pattern SAMPLE =
            Pattern.compile("([a-z_][a-z0-9_]*)(?:\\{(.*)\\})? (-?[0-9.]+(?:E-?[0-9]+)?|NaN|[+-]Inf)");
    private static final Pattern LABEL = Pattern.compile("([a-z_][a-z0-9_]*)=\"((?:[^\"\\\\]|\\\\[\\\\\"n])*)\"(,|$)");

    private final Map<String, String> types = new HashMap<>();
    private final Map<String, Double> samples = new LinkedHashMap<>();
    private final Set<String> left = new HashSet<>();
    private String family = "";
    private double lastBucket;
    private double lastBound;

    private PrometheusChecker() {}

    /** The samples by name and labels; throws what is wrong. */
    public static Map<String, Double> read(String text) {
        PrometheusChecker checker = new PrometheusChecker();
        check(text.endsWith("\n"), "the last line has no end");
        for (String line : text.split("\n")) {
            checker.line(line);
        }
        return checker.samples;
    }

    private void line(String line) {
        if (line.startsWith("# HELP ")) {
            begin(line.split(" ", 4)[2]);
        } else if (line.startsWith("# TYPE ")) {
            String[] words = line.split(" ");
            check(words[2].equals(family), line + " does not follow its help");
            check(types.put(family, words[3]) == null, line + " is there twice");
        } else {
            sample(line);
        }
    }

    private void begin(String name) {
        check(!left.contains(name), name + " is in two places");
        left.add(family);
        family = name;
        lastBucket = 0;
        lastBound = 0;
    }

    private void sample(String line) {
        Matcher matcher = SAMPLE.matcher(line);
        check(matcher.matches(), "no sample: " + line);
        String name = matcher.group(1);
        String type = types.get(family);
        boolean histogram = "histogram".equals(type);
        String base = histogram ? name.replaceFirst("_(bucket|sum|count)$", "") : name;
        check(base.equals(family), line + " is not of " + family);
        check(!"counter".equals(type) || name.endsWith("_total"), name + " is a counter without _total");
        double value = Double.parseDouble(matcher.group(3).replace("Inf", "Infinity"));
        check(samples.put(line.substring(0, line.lastIndexOf(' ')), value) == null, line + " is there twice");
        String bound = labels(matcher.group(2));
        if (histogram && name.endsWith("_bucket")) {
            check(bound != null, line + " has no bound");
            double upTo = bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound);
            if (upTo <= lastBound) {
                lastBucket = 0;
            }
            check(value >= lastBucket, line + " is less than the bucket before");
            lastBound = upTo;
            lastBucket = value;
        } else if (histogram && name.endsWith("_count")) {
            check(value == lastBucket, line + " is not the last bucket's count");
        }
    }

    private static String labels(String text) {
        String bound = null;
        Set<String> names = new HashSet<>();
        Matcher matcher = LABEL.matcher(text == null ? "" : text);
        int end = 0;
        while (text != null && end < text.length()) {
            check(matcher.find() && matcher.start() == end, "labels can't be read: " + text);
            check(names.add(matcher.group(1)), "a label is there twice: " + text);
            bound = matcher.group(1).equals("le") ? matcher.group(2) : bound;
            end = matcher.end();
        }
        return bound;
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new AssertionError(message);
        }
    }
}
