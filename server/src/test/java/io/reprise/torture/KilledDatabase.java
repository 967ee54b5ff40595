package io.reprise.torture;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.runtime.SeededRandomness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** One directory and the processes that die on it, one after another. */
final class KilledDatabase {
    static final int CLIENTS = 3;
    /** So many that two transactions over two of them need not have one in common. */
    private static final int MOST_PARTITIONS = 5;

    private static final long PATIENCE_SECONDS = 120;
    private static final int WORK_MS = 600;
    private static final int START_MS = 2500;
    private static final int RECOVERY_MS = 60;
    private static final int SNAPSHOT_MS = 15;
    private static final List<String> LOADS = List.of("tpcc", "smallbank", "transfers");

    /** When a process is killed. */
    private enum Moment {
        OPENING,
        RECOVERING,
        WORKING,
        WRITING_SNAPSHOT
    }

    private final Path directory;
    private final VictimDisk disk;
    private final SeededRandomness random;
    private final String load;
    private final LoggingMethod method;
    private final boolean mixed;
    private final List<String> kinds;
    private final WriteCounts acknowledged;
    private final List<String> story = new ArrayList<>();
    private int starts;
    private boolean filled;

    /**
     * An empty one; null for load and method: the seed chooses.
     *
     * @param directory for what the processes say
     * @param disk for what they keep
     */
    KilledDatabase(Path directory, VictimDisk disk, long seed, String load, LoggingMethod method) {
        this.directory = directory;
        this.disk = disk;
        random = new SeededRandomness(seed);
        this.load = load != null ? load : LOADS.get(random.nextInt(LOADS.size()));
        this.method = method != null ? method : anyMethod();
        kinds = Victim.load(this.load).kinds();
        acknowledged = new WriteCounts(CLIENTS, kinds.size());
        mixed = method == null && random.nextInt(3) == 0;
    }

    private LoggingMethod anyMethod() {
        return LoggingMethod.values()[random.nextInt(LoggingMethod.values().length)];
    }

    /** What happened so far, a line for each process. */
    String story() {
        return String.join("\n", story);
    }

    /** What it ran, and how it was logged. */
    String kind() {
        return load + " " + (mixed ? "both" : method.name().toLowerCase(Locale.ROOT));
    }

    long acknowledged() {
        return acknowledged.sum();
    }

    /** Starts it and kills it so often; then once more to check, to work, and to close it as one should. */
    void run(int kills) throws IOException, InterruptedException {
        for (int i = 0; i < kills; i++) {
            VictimProcess victim = start();
            try {
                letLive(victim);
            } finally {
                victim.kill();
            }
            filled |= victim.hasSaid("found");
            disk.died();
            check(victim);
        }
        VictimProcess last = start();
        int exit;
        try {
            awaitReady(last);
            last.leave(WORK_MS / 4);
        } finally {
            exit = last.close(PATIENCE_SECONDS);
        }
        check(last);
        require(exit == 0, "the last process ended with " + exit);
    }

    private VictimProcess start() {
        int partitions = 1 + random.nextInt(MOST_PARTITIONS);
        LoggingMethod now = mixed ? anyMethod() : method;
        starts++;
        story.add("process " + starts + ": " + load + ", " + now + ", " + partitions + " partitions, acknowledged "
                + acknowledged);
        List<String> arguments = List.of(
                data().toString(),
                load,
                now.name(),
                Integer.toString(partitions),
                Long.toString(random.nextLong() >>> 1),
                Boolean.toString(filled),
                acknowledged.toString());
        return new VictimProcess(directory.resolve("errors.txt"), arguments, kinds, acknowledged);
    }

    private Path data() {
        return disk.directory().resolve("data");
    }

    private void letLive(VictimProcess victim) throws IOException, InterruptedException {
        Moment moment = Moment.values()[random.nextInt(Moment.values().length)];
        if (!filled) {
            // Loading TPC-C has no use for a kill: it is not one transaction.
            moment = load.equals("tpcc") || random.nextInt(2) == 0 ? Moment.WORKING : Moment.OPENING;
        }
        story.add("  killed while " + moment);
        switch (moment) {
            case OPENING -> victim.leave(random.nextInt(START_MS));
            case RECOVERING -> {
                victim.awaitWord("recovering", PATIENCE_SECONDS);
                victim.leave(random.nextInt(RECOVERY_MS));
            }
            case WORKING -> {
                awaitReady(victim);
                victim.leave(random.nextInt(WORK_MS));
            }
            case WRITING_SNAPSHOT -> {
                awaitReady(victim);
                awaitPartialSnapshot(victim);
                victim.leave(random.nextInt(SNAPSHOT_MS));
            }
        }
    }

    private void awaitReady(VictimProcess victim) throws InterruptedException {
        boolean ready = victim.awaitWord("ready", PATIENCE_SECONDS);
        check(victim);
        require(ready, "process " + starts + " did not become ready");
    }

    private void awaitPartialSnapshot(VictimProcess victim) throws IOException, InterruptedException {
        for (int i = 0; i < 2000; i++) {
            if (hasPartialSnapshot() || !victim.leave(1)) {
                return;
            }
        }
    }

    private boolean hasPartialSnapshot() throws IOException {
        Path snapshots = data().resolve("snapshot");
        if (!Files.exists(snapshots)) {
            return false;
        }
        try (Stream<Path> names = Files.list(snapshots)) {
            return names.anyMatch(name -> name.toString().endsWith(".partial"));
        }
    }

    private void check(VictimProcess victim) {
        require(victim.wrong() == null, "process " + starts + ": " + victim.wrong());
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
