package io.reprise.benchmark.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/** The use of the sites' threads' time while they are awake, by samples of their stacks. */
public final class SiteProfile implements AutoCloseable {
    private static final String OURS = "io.reprise.";
    private static final Duration PERIOD = Duration.ofMillis(10);

    private final Recording recording = new Recording();
    private final List<List<String>> stacks = new ArrayList<>();

    private SiteProfile() {
        recording.enable("jdk.ExecutionSample").withPeriod(PERIOD);
    }

    /** The action during which samples are taken. */
    @FunctionalInterface
    public interface Stretch {
        void run() throws Exception;
    }

    /** The shares of a stretch of work, as {@link #shares} has them. */
    public static Map<String, Double> of(Path scratch, Function<List<String>, String> label, Stretch stretch)
            throws Exception {
        try (SiteProfile profile = start()) {
            stretch.run();
            return profile.stop(scratch).shares(label);
        }
    }

    /**
     * A table for a result file, in the order of the first column's shares.
     *
     * @param columns by heading, what {@link #of} found
     */
    public static String table(String heading, Map<String, Map<String, Double>> columns) {
        Set<String> rows = new LinkedHashSet<>();
        columns.values().forEach(shares -> rows.addAll(shares.keySet()));
        StringBuilder table = new StringBuilder("| ").append(heading);
        columns.keySet().forEach(column -> table.append(" | ").append(column));
        table.append(" |\n| ---").append(" | ---:".repeat(columns.size())).append(" |\n");
        for (String row : rows) {
            table.append("| ").append(row);
            columns.values()
                    .forEach(shares ->
                            table.append(String.format(Locale.ROOT, " | %.1f%%", shares.getOrDefault(row, 0.0))));
            table.append(" |\n");
        }
        return table.toString();
    }

    private static SiteProfile start() {
        SiteProfile profile = new SiteProfile();
        profile.recording.start();
        return profile;
    }

    private SiteProfile stop(Path scratch) throws IOException {
        recording.stop();
        Path file = Files.createTempFile(scratch, "profile-", ".jfr");
        try {
            recording.dump(file);
            try (RecordingFile events = new RecordingFile(file)) {
                while (events.hasMoreEvents()) {
                    add(events.readEvent());
                }
            }
        } finally {
            Files.delete(file);
        }
        return this;
    }

    private void add(RecordedEvent event) {
        if (!event.getEventType().getName().equals("jdk.ExecutionSample")
                || event.getStackTrace() == null
                || !event.getThread("sampledThread").getJavaName().contains("site")) {
            return;
        }
        List<String> frames = new ArrayList<>();
        for (RecordedFrame frame : event.getStackTrace().getFrames()) {
            frames.add(frame.getMethod().getType().getName() + "."
                    + frame.getMethod().getName());
        }
        stacks.add(frames);
    }

    /** The share of all samples, in percent, that each label has, the largest first. */
    private Map<String, Double> shares(Function<List<String>, String> label) {
        Map<String, Integer> counts = new HashMap<>();
        stacks.forEach(stack -> counts.merge(label.apply(stack), 1, Integer::sum));
        Map<String, Double> shares = new LinkedHashMap<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .forEach(entry -> shares.put(entry.getKey(), 100.0 * entry.getValue() / stacks.size()));
        return shares;
    }

    /** The package of Reprise, without its common beginning, that the innermost of its methods is in. */
    public static String packageOf(List<String> stack) {
        for (String frame : stack) {
            if (frame.startsWith(OURS)) {
                String type = frame.substring(OURS.length(), frame.lastIndexOf('.'));
                int end = type.lastIndexOf('.');
                return end < 0 ? type : type.substring(0, end);
            }
        }
        return "the JVM";
    }

    @Override
    public void close() {
        recording.close();
    }
}
