package io.reprise.simulation.cluster;

import io.reprise.simulation.Simulation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The program behind {@code scripts/simulate}: runs a range of seeds of {@link FaultScenario} one after the other, and keeps in a
 * file the next seed, the failing ones and the number of faults by class, from which it goes on when it is started again.
 *
 * <p>A watcher ends the process if one seed takes longer than {@value #LONGEST_SECONDS} s, and notes the seed as one that fails.
 */
final class SimulationRuns {
    /** The exit code of a process that is to be started again, because a run did not end. */
    static final int STUCK = 3;

    private static final int FAILED = 1;
    private static final long LONGEST_SECONDS = 600;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final int SAVED_EVERY = 20;

    private final Path file;
    private final long first;
    private final long end;
    private final Map<ClusterFault, Long> counts = new EnumMap<>(ClusterFault.class);
    private final TreeSet<Long> failing = new TreeSet<>();
    private final AtomicLong beganNs = new AtomicLong();
    private long next;
    private long simulatedNs;
    private long tookNs;

    SimulationRuns(Path file, long first, long count) {
        this.file = file;
        this.first = first;
        end = first + count;
        next = first;
    }

    /** Arguments: the file, the first seed, and the number of seeds. */
    public static void main(String[] arguments) {
        SimulationRuns runs =
                new SimulationRuns(Path.of(arguments[0]), Long.parseLong(arguments[1]), Long.parseLong(arguments[2]));
        runs.watch();
        System.exit(runs.run() ? 0 : FAILED);
    }

    /** Runs all seeds that the file does not have. Returns whether no seed of the range has failed. */
    boolean run() {
        load();
        while (next < end) {
            runNext();
        }
        save();
        System.out.println(summary());
        return failing.isEmpty();
    }

    private void runNext() {
        long seed = next;
        long began = System.nanoTime();
        beganNs.set(began);
        Simulation simulation = new Simulation(seed);
        long beganSimulatedNs = simulation.clock().nanoTime();
        FaultScenario scenario = new FaultScenario(simulation);
        try {
            scenario.run();
        } catch (AssertionError | RuntimeException failure) {
            failing.add(seed);
            System.out.println("seed " + seed + " fails; to repeat it: scripts/simulate --from " + seed
                    + " --seeds 1\n  " + (end - first == 1 ? whole(failure) : firstLines(failure)));
        }
        long endedNs = System.nanoTime();
        synchronized (this) {
            scenario.counts().forEach((fault, count) -> counts.merge(fault, (long) count, Long::sum));
            simulatedNs += simulation.clock().nanoTime() - beganSimulatedNs;
            tookNs += endedNs - began;
            next = seed + 1;
        }
        if (next % SAVED_EVERY == 0) {
            save();
        }
    }

    private static String whole(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static String firstLines(Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable each = failure; each != null; each = each.getCause()) {
            String message = String.valueOf(each);
            int newLine = message.indexOf('\n');
            text.append(newLine < 0 ? message : message.substring(0, newLine)).append("\n  ");
        }
        return text.toString();
    }

    /** The result so far, in a line. */
    String summary() {
        return "seeds " + first + " to " + (end - 1) + ": " + (next - first) + " runs, " + failing.size()
                + " failed " + failing + "; "
                + tookNs / NS_PER_SECOND + " s of one core, " + simulatedNs / NS_PER_SECOND + " s simulated; faults "
                + counts;
    }

    // ---- The watcher

    private void watch() {
        Thread watcher = new Thread(this::watchForEver, "watcher");
        watcher.setDaemon(true);
        watcher.start();
    }

    private void watchForEver() {
        while (true) {
            try {
                Thread.sleep(1_000);
            } catch (InterruptedException e) {
                return;
            }
            long began = beganNs.get();
            if (began != 0 && System.nanoTime() - began > LONGEST_SECONDS * NS_PER_SECOND) {
                endStuckRun();
            }
        }
    }

    private synchronized void endStuckRun() {
        System.out.println("seed " + next + " does not end within " + LONGEST_SECONDS + " s");
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().equals("main")) {
                for (StackTraceElement frame : stack) {
                    System.out.println("    at " + frame);
                }
            }
        });
        failing.add(next++);
        save();
        Runtime.getRuntime().halt(STUCK);
    }

    // ---- The file

    private void load() {
        if (!Files.exists(file)) {
            return;
        }
        Properties kept = new Properties();
        try (var in = Files.newBufferedReader(file)) {
            kept.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (number(kept, "first") != first) {
            throw new IllegalStateException(file + " is of a range that begins with seed " + number(kept, "first")
                    + ", not " + first + "; name another file");
        }
        next = number(kept, "next");
        simulatedNs = number(kept, "simulatedNs");
        tookNs = number(kept, "tookNs");
        for (String seed : kept.getProperty("failing", "").split(",")) {
            if (!seed.isBlank()) {
                failing.add(Long.parseLong(seed));
            }
        }
        for (ClusterFault fault : ClusterFault.values()) {
            long count = number(kept, "fault." + fault);
            if (count > 0) {
                counts.put(fault, count);
            }
        }
    }

    private static long number(Properties kept, String key) {
        return Long.parseLong(kept.getProperty(key, "0"));
    }

    private synchronized void save() {
        StringBuilder text = new StringBuilder();
        text.append("first=").append(first).append("\nnext=").append(next);
        text.append("\nsimulatedNs=").append(simulatedNs).append("\ntookNs=").append(tookNs);
        text.append("\nfailing=");
        failing.forEach(seed -> text.append(seed).append(','));
        counts.forEach((fault, count) ->
                text.append("\nfault.").append(fault).append('=').append(count));
        Path written = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(written, text.append('\n'));
            Files.move(written, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
