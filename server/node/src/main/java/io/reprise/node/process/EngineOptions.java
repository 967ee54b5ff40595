package io.reprise.node.process;

import io.reprise.archive.ArchiveSettings;
import io.reprise.archive.FolderObjects;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.engine.RecoveryObjective;
import io.reprise.engine.SortedLogSettings;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.log.Compression;
import io.reprise.log.LogSettings;
import io.reprise.recovery.replay.ReplaySettings;
import io.reprise.snapshot.SnapshotSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Translates a configuration into an engine's options. */
final class EngineOptions {
    private static final long NANOS_IN_MICRO = 1_000;

    private EngineOptions() {}

    /** The largest size of all spare segments of the log, whatever the size of one is. */
    static final long MOST_SPARE_BYTES = LogSettings.DEFAULTS.spareSegments() * LogSettings.DEFAULTS.segmentBytes();

    static Options of(NodeConfiguration configuration) {
        NodeConfiguration.Engine engine = configuration.engine();
        Options options = Options.create()
                .name(configuration.node().name())
                .partitions(engine.partitions())
                .memoryPerPartition(engine.memoryPerPartition())
                .reservedHugePages(engine.reservedHugePages())
                .workMemory(engine.workMemory())
                .heapPerTransaction(engine.heapPerTransaction())
                .timeLimit(engine.timeLimit())
                .planningLimit(engine.planningLimit())
                .slowAfter(engine.slowAfter())
                .directory(configuration.data().directory())
                .replay(ReplaySettings.DEFAULTS.with(
                        switch (configuration.log().replay()) {
                            case LOG -> ReplaySettings.Order.LOG;
                            case BUCKETS -> ReplaySettings.Order.BUCKETS;
                        }))
                .recoverOnDemand(configuration.recovery().onDemand())
                .sortedLog(SortedLogSettings.DEFAULTS
                        .withImages(configuration.recovery().images())
                        .withReuse(configuration.recovery().reuseLog()))
                .keepStatements(true)
                .mergeSnapshots(configuration.snapshot().method() == NodeConfiguration.SnapshotMethod.MERGE)
                .storeInLog(configuration.recovery().storage() == NodeConfiguration.Storage.LOG)
                .durability(durability(configuration));
        if (engine.sites() > 0) {
            options.sites(engine.sites());
        }
        if (engine.buckets() > 0) {
            options.buckets(engine.buckets());
        }
        objective(configuration.recovery()).ifPresent(options::recoveryObjective);
        configuration
                .archive()
                .directory()
                .ifPresent(place -> options.archive(archive(place, configuration.archive())));
        // Read only for a new database: of one that exists they may be long gone.
        for (Path script : configuration.schema().scripts()) {
            options.ddl(() -> text("schema.scripts", script));
        }
        for (Path jar : configuration.schema().jars()) {
            options.jar(() -> content("schema.jars", jar));
        }
        return options;
    }

    private static Optional<RecoveryObjective> objective(NodeConfiguration.Recovery recovery) {
        boolean any = recovery.objective().isPositive()
                || recovery.objectiveFirst().isPositive()
                || recovery.objectiveBucket().isPositive();
        return any
                ? Optional.of(new RecoveryObjective(
                        recovery.objective().toNanos(),
                        recovery.objectiveFirst().toNanos(),
                        recovery.objectiveBucket().toNanos(),
                        recovery.enforce() == NodeConfiguration.Enforcement.THROTTLE))
                : Optional.empty();
    }

    /** The directory is opened by the archive's agent: a missing one is a warning, and does not stop a node. */
    private static ArchiveSettings archive(Path place, NodeConfiguration.Archive archive) {
        return ArchiveSettings.usual(() -> FolderObjects.at(place))
                .withTimes(
                        archive.every().toNanos(),
                        archive.snapshotEvery().toNanos() / NANOS_IN_MICRO,
                        archive.keep().toNanos() / NANOS_IN_MICRO)
                .restoring(archive.restore());
    }

    static Durability durability(NodeConfiguration configuration) {
        return Durability.standard()
                .with(
                        switch (configuration.log().method()) {
                            case COMMAND -> LoggingMethod.COMMAND;
                            case PHYSIOLOGICAL -> LoggingMethod.PHYSIOLOGICAL;
                            case ADAPTIVE -> LoggingMethod.ADAPTIVE;
                            case BOUNDARY -> LoggingMethod.BOUNDARY;
                        })
                .with(AdaptiveSettings.within(configuration.log().budget()))
                .with(log(configuration.log()))
                .with(snapshots(configuration.snapshot()))
                .withKeptLog(configuration.log().keep())
                .withFootprints(configuration.log().footprints());
    }

    private static LogSettings log(NodeConfiguration.Log log) {
        LogSettings defaults = LogSettings.DEFAULTS;
        // A segment has to hold the default's largest record until both are known, so the record comes first.
        LogSettings settings = defaults.withSizes(
                        defaults.frameBytes(), defaults.batchBytes(), defaults.ringBytes(), (int)
                                Math.min(log.largestRecord(), defaults.maxRecordBytes()))
                .withSegmentBytes(log.segment())
                .withSizes(
                        defaults.frameBytes(), defaults.batchBytes(), defaults.ringBytes(), (int) log.largestRecord())
                .withMaxDelayNs(log.maxDelay().toNanos())
                .withSpareSegments((int) Math.max(1, MOST_SPARE_BYTES / log.segment()))
                .withCompression(
                        switch (log.compression()) {
                            case NONE -> Compression.NONE;
                            case ALWAYS -> Compression.ALWAYS;
                            case MEASURED -> Compression.MEASURED;
                        });
        return log.synchronous()
                ? settings
                : settings.asynchronous(log.forceEvery().toNanos());
    }

    private static SnapshotSettings snapshots(NodeConfiguration.Snapshot snapshot) {
        SnapshotSettings usual = SnapshotSettings.usual();
        return new SnapshotSettings(
                snapshot.every().toMillis(),
                snapshot.afterLog(),
                snapshot.keep(),
                snapshot.share(),
                Math.max(snapshot.share(), usual.idleShare()),
                usual.sliceNs(),
                usual.batchBytes(),
                usual.sweepBatches(),
                usual.shadowBytes(),
                usual.waitingBytes(),
                usual.writeBytesPerSecond());
    }

    /** The text of a file. Bytes that are no UTF-8 are refused, because other characters would be stored than were written. */
    private static String text(String key, Path file) {
        ByteBuffer bytes = ByteBuffer.wrap(content(key, file));
        CharBuffer text = CharBuffer.allocate(bytes.capacity());
        if (StandardCharsets.UTF_8.newDecoder().decode(bytes, text, true).isError()) {
            long line = 1;
            for (int at = 0; at < bytes.position(); at++) {
                line += bytes.get(at) == '\n' ? 1 : 0;
            }
            throw new IllegalArgumentException(key + ": line " + line + " of " + file
                    + " is not in UTF-8; convert it, as by iconv -f LATIN1 -t UTF-8");
        }
        return text.flip().toString();
    }

    private static byte[] content(String key, Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(key + ": there is no file " + file, e);
        } catch (IOException e) {
            throw new IllegalArgumentException(key + ": can't read " + file + ": " + e, e);
        }
    }
}
