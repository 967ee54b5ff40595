package io.reprise.torture;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.runtime.SeededRandomness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** One directory and the processes that die on it, one after another. */
final class KilledDatabase {
    static final int CLIENTS = 3;

    /** The clients, and behind them who changes the schema, whose changes are counted as the first kind. */
    static final int WRITERS = CLIENTS + 1;

    private static final long PATIENCE_SECONDS = 120;
    private static final int WORK_MS = 600;
    private static final int START_MS = 2500;
    private static final int RECOVERY_MS = 60;
    private static final int SNAPSHOT_MS = 15;
    private static final List<String> LOADS = List.of("tpcc", "smallbank", "transfers", "calls");

    /** When a process is killed. */
    private enum Moment {
        OPENING,
        RECOVERING,
        WORKING,
        WRITING_SNAPSHOT
    }

    private static final long MS_NS = 1_000_000L;

    private final Path directory;
    private final VictimDisk disk;
    private final SeededRandomness random;
    private final SeededRandomness ofRecovery;
    private final Set<VictimSettings.Trait> traits;
    private final String name;
    private final VictimLoad load;
    private final LoggingMethod method;
    private final boolean mixed;
    private final boolean brief;
    private final int port;
    private final BackupChecker backups;
    private final WriteCounts acknowledged;
    private final List<String> story = new ArrayList<>();
    private WriteCounts kept;
    private Callers callers;
    private int starts;
    private boolean filled;

    /**
     * An empty one; null for load and method: the seed chooses.
     *
     * @param directory for what the processes say
     * @param disk for what they keep
     * @param traits settings that each process has
     * @param brief whether no process compiles as a node does, and each log is synchronous, which takes less time
     */
    KilledDatabase(
            Path directory,
            VictimDisk disk,
            long seed,
            String load,
            LoggingMethod method,
            Set<VictimSettings.Trait> traits,
            boolean brief)
            throws IOException {
        this.directory = directory;
        this.disk = disk;
        this.brief = brief;
        random = new SeededRandomness(seed);
        ofRecovery = new SeededRandomness(~seed);
        this.traits = traits;
        // Drawn in any case, so that a seed chooses the same of everything else.
        String anyLoad = LOADS.get(random.nextInt(LOADS.size()));
        LoggingMethod anyMethod = anyMethod();
        mixed = random.nextInt(3) == 0 && method == null;
        name = load != null ? load : anyLoad;
        this.load = Victim.load(name);
        this.method = method != null ? method : anyMethod;
        port = this.load.isCalledFromOutside() ? Callers.freePort() : 0;
        acknowledged = new WriteCounts(WRITERS, this.load.kinds().size());
        kept = acknowledged.copy();
        backups = new BackupChecker(this.load, directory.resolve("restored"));
    }

    private LoggingMethod anyMethod() {
        return random.nextInt(2) == 0 ? LoggingMethod.COMMAND : LoggingMethod.PHYSIOLOGICAL;
    }

    /** The story so far, a line for each process. */
    String story() {
        return String.join("\n", story);
    }

    /** Its load and its way of logging. */
    String kind() {
        return name + " " + (mixed ? "both" : method.name().toLowerCase(Locale.ROOT));
    }

    long acknowledged() {
        return acknowledged.sum() + (callers == null ? 0 : callers.ledger().answers());
    }

    /** The number of calls that were answered more than once. */
    long repeatedAnswers() {
        return callers == null ? 0 : callers.ledger().repeatedAnswers();
    }

    /** Starts it and kills it so often; then once more to check, to work, and to close it as one should. */
    void run(int kills) throws IOException, InterruptedException {
        try {
            for (int i = 0; i < kills; i++) {
                liveAndDie();
            }
            liveAndClose();
        } finally {
            if (callers != null) {
                callers.close();
            }
        }
    }

    private void liveAndDie() throws IOException, InterruptedException {
        VictimSettings settings = settings();
        VictimProcess victim = start(settings);
        long killedNs;
        try {
            letLive(victim, settings);
        } finally {
            killedNs = System.nanoTime();
            victim.kill();
        }
        filled |= victim.hasSaid("found");
        disk.died();
        check(victim);
        boolean mayLose = settings.has(VictimSettings.Trait.ASYNCHRONOUS);
        long lostSinceNs = killedNs - VictimSettings.LOST_MS * MS_NS;
        if (victim.hasSaid("found")) {
            kept = mayLose ? victim.acknowledgedAt(lostSinceNs) : acknowledged.copy();
        }
        if (mayLose && callers != null) {
            callers.ledger().mayHaveLost(lostSinceNs);
        }
        checkBackup(victim.lastBackup());
    }

    private void liveAndClose() throws IOException, InterruptedException {
        VictimProcess last = start(settings());
        int exit;
        try {
            awaitReady(last);
            last.leave(WORK_MS / 4);
            if (callers == null) {
                // Its clients may not have had a core in that moment.
                last.awaitWord("ack", PATIENCE_SECONDS);
            } else {
                callers.awaitRepetition();
                require(callers.finish());
            }
        } finally {
            exit = last.close(PATIENCE_SECONDS);
        }
        check(last);
        require(exit == 0, "the last process ended with " + exit);
    }

    private VictimSettings settings() {
        VictimSettings any = VictimSettings.any(random, ofRecovery, mixed ? anyMethod() : method)
                .with(traits);
        if (brief) {
            any = any.without(VictimSettings.Trait.OPTIMISED);
        }
        // If the rows of the fill are lost, the database has to be filled again.
        return brief || !filled ? any.without(VictimSettings.Trait.ASYNCHRONOUS) : any;
    }

    private VictimProcess start(VictimSettings settings) {
        starts++;
        story.add("process " + starts + ": " + name + ", " + settings + ", acknowledged " + acknowledged);
        List<String> arguments = List.of(
                data().toString(),
                name,
                settings.toString(),
                Long.toString(random.nextLong() >>> 1),
                Boolean.toString(filled),
                acknowledged.toString(),
                kept.toString(),
                Integer.toString(port));
        return new VictimProcess(
                directory.resolve("errors.txt"), settings.jvmFlags(), arguments, load.kinds(), acknowledged, kept);
    }

    private Path data() {
        return disk.directory().resolve("data");
    }

    private void letLive(VictimProcess victim, VictimSettings settings) throws IOException, InterruptedException {
        Moment moment = Moment.values()[random.nextInt(Moment.values().length)];
        if (!filled) {
            // Loading TPC-C has no use for a kill, as it is not one transaction, and nobody calls before there is a
            // database.
            boolean opening = random.nextInt(2) == 0 && !name.equals("tpcc") && !load.isCalledFromOutside();
            moment = opening ? Moment.OPENING : Moment.WORKING;
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
                // So long that most of what was answered must be there, whatever is lost.
                long lost = settings.has(VictimSettings.Trait.ASYNCHRONOUS) ? VictimSettings.LOST_MS : 0;
                victim.leave(random.nextInt(WORK_MS) + lost);
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
        if (callers != null) {
            callers.ledger().isThere();
            require(callers.check());
        } else if (load.isCalledFromOutside()) {
            callers = new Callers(port, random.nextLong());
        }
    }

    private void checkBackup(VictimProcess.Made last) throws IOException {
        if (last != null) {
            story.add("  backup " + last.name());
            List<String> problems =
                    backups.check(folderOfBackups().resolve(last.name()), 1 + random.nextInt(3), last.answered());
            require(problems.isEmpty(), "backup " + last.name() + " of process " + starts + ": " + problems);
        }
        Directories.remove(folderOfBackups());
    }

    private Path folderOfBackups() {
        return disk.directory().resolve(Victim.BACKUPS);
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

    private void require(List<String> noProblems) {
        require(noProblems.isEmpty(), "process " + starts + " as its callers see it: " + noProblems);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
