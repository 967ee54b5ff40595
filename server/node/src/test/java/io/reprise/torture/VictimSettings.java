package io.reprise.torture;

import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.engine.RecoveryObjective;
import io.reprise.engine.SortedLogSettings;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.Compression;
import io.reprise.log.LogSettings;
import io.reprise.runtime.SeededRandomness;
import io.reprise.snapshot.SnapshotSettings;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The settings of one process, and its activity beside its load. The next one on the same directory has others.
 *
 * @param method the logged form of a transaction
 * @param compression of its log
 * @param partitions number of its partitions
 * @param traits unusual settings
 */
record VictimSettings(LoggingMethod method, Compression compression, int partitions, Set<Trait> traits) {
    /** An unusual setting. */
    enum Trait {
        /** Data records have whole rows, and not changed columns only. */
        WHOLE_ROWS,
        /** The log is asynchronous: a kill may take {@link #LOST_MS} of what was answered. */
        ASYNCHRONOUS,
        /** The log is kept that no snapshot needs. */
        KEPT_LOG,
        /** No segment is used again. */
        NO_SPARE_SEGMENTS,
        /** The schema is changed and procedures are deployed again, again and again. */
        CHANGING_SCHEMA,
        /** Backups are made, one after the other. */
        BACKUPS,
        /** The JVM compiles as a node's does; else only simply, which begins sooner. */
        OPTIMISED,
        /** Buckets are loaded while clients are at work, and the log is sorted into runs. */
        ON_DEMAND,
        /** The same, and runs have images of commands. */
        IMAGES,
        /** The same, and the log is used again behind runs. */
        REUSED_LOG,
        /** The sorted log is the only storage. */
        LOG_STORAGE,
        /** Snapshots are merged from the log where that is possible. */
        MERGED,
        /** Times of recoveries are bounded, so that runs and snapshots are made earlier, and replies wait. */
        OBJECTIVE;

        /** The traits of recoveries are drawn apart, so that a seed chooses the same of everything else. */
        private boolean isOfRecovery() {
            return ordinal() >= ON_DEMAND.ordinal();
        }
    }

    /** So many that two transactions over two of them need not have one in common. */
    private static final int MOST_PARTITIONS = 5;

    private static final long FORCE_EVERY_MS = 20;

    /**
     * The age of answers that may be lost with an asynchronous log. The promise is the time between forces, a quarter
     * of it, and one force; the rest is for that force, and for threads that wait for a core.
     */
    static final long LOST_MS = FORCE_EVERY_MS + FORCE_EVERY_MS / 4 + 1500;

    private static final SnapshotSettings SNAPSHOTS =
            new SnapshotSettings(400, 0, 2, 0.2, 0.5, 50_000, 16 << 10, 4, 8L << 20, 1L << 20, 0);
    private static final RecoveryObjective OBJECTIVE = new RecoveryObjective(200_000_000, 60_000_000, 20_000_000, true);
    private static final long RUN_BYTES = 128 << 10;
    private static final int RUN_FAN = 3;
    private static final long BASE_BYTES = 1 << 20;
    private static final LogSettings LOG = LogSettings.DEFAULTS
            .withSizes(16 << 10, 128 << 10, 1 << 18, 512 << 10)
            .withSegmentBytes(1 << 20);

    /**
     * Any with this method.
     *
     * @param ofRecovery draws the traits of recoveries
     */
    static VictimSettings any(SeededRandomness random, SeededRandomness ofRecovery, LoggingMethod method) {
        Compression compression = Compression.values()[random.nextInt(Compression.values().length)];
        int partitions = 1 + random.nextInt(MOST_PARTITIONS);
        EnumSet<Trait> traits = EnumSet.noneOf(Trait.class);
        for (Trait trait : Trait.values()) {
            if ((trait.isOfRecovery() ? ofRecovery : random).nextInt(3) == 0) {
                traits.add(trait);
            }
        }
        return new VictimSettings(method, compression, partitions, traits);
    }

    boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /** The same, but not that. */
    VictimSettings without(Trait trait) {
        EnumSet<Trait> fewer = EnumSet.noneOf(Trait.class);
        fewer.addAll(traits);
        fewer.remove(trait);
        return new VictimSettings(method, compression, partitions, fewer);
    }

    /** The same, and these. */
    VictimSettings with(Set<Trait> more) {
        EnumSet<Trait> all = EnumSet.noneOf(Trait.class);
        all.addAll(traits);
        all.addAll(more);
        return new VictimSettings(method, compression, partitions, all);
    }

    /** An engine's options, apart from its directory and its schema. */
    Options options() {
        boolean images = has(Trait.IMAGES) || has(Trait.REUSED_LOG);
        Options options = Options.create()
                .partitions(partitions)
                .memoryPerPartition(256 << 20)
                .durability(durability())
                .recoverOnDemand(has(Trait.ON_DEMAND) || images)
                .sortedLog(SortedLogSettings.DEFAULTS
                        .withImages(images)
                        .withReuse(has(Trait.REUSED_LOG))
                        .withSizes(RUN_BYTES, RUN_FAN, BASE_BYTES))
                .mergeSnapshots(has(Trait.MERGED))
                .storeInLog(has(Trait.LOG_STORAGE));
        return has(Trait.OBJECTIVE) ? options.recoveryObjective(OBJECTIVE) : options;
    }

    Durability durability() {
        LogSettings log = LOG.withCompression(compression);
        if (has(Trait.ASYNCHRONOUS)) {
            log = log.asynchronous(FORCE_EVERY_MS * 1_000_000);
        }
        if (has(Trait.NO_SPARE_SEGMENTS)) {
            log = log.withSpareSegments(0);
        }
        return Durability.standard()
                .with(method)
                .with(log)
                .with(SNAPSHOTS)
                .withDifferential(!has(Trait.WHOLE_ROWS))
                .withKeptLog(has(Trait.KEPT_LOG));
    }

    /** The JVM's flags. */
    List<String> jvmFlags() {
        return has(Trait.OPTIMISED)
                ? List.of("-XX:+UseParallelGC")
                : List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    }

    /** {@code COMMAND,ALWAYS,3,KEPT_LOG,BACKUPS}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(method + "," + compression + "," + partitions);
        traits.forEach(trait -> text.append(',').append(trait));
        return text.toString();
    }

    /** As {@link #toString} writes it. */
    static VictimSettings parse(String text) {
        List<String> words = List.of(text.split(","));
        EnumSet<Trait> traits = EnumSet.noneOf(Trait.class);
        words.subList(3, words.size()).forEach(word -> traits.add(Trait.valueOf(word)));
        return new VictimSettings(
                LoggingMethod.valueOf(words.get(0)),
                Compression.valueOf(words.get(1)),
                Integer.parseInt(words.get(2)),
                traits);
    }
}
