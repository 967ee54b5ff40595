package io.reprise.engine;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.work.StatementCollector;
import io.reprise.recovery.run.LogRunAgent;
import io.reprise.runtime.agent.BackgroundThread;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.SnapshotMerger;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotReader;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Begins merges of the newest snapshot with the log behind it. Used by the snapshot's thread. */
final class SnapshotMerging implements SnapshotMerger {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.snapshot");

    private final EngineSettings settings;
    private final FileStore files;
    private final LongSupplier durable;

    /** Null unless runs have images of commands. */
    private final LogRunAgent sorting;

    private final StatementCollector collector;
    private final long groupBytes;
    private boolean begun;

    private SnapshotMerging(EngineSettings settings, FileStore files, LongSupplier durable, LogRunAgent sorting) {
        this.sorting = settings.sortedLog().images() ? sorting : null;
        this.settings = settings;
        this.files = files;
        this.durable = durable;
        collector = new StatementCollector(settings.storage().collectsFootprints());
        groupBytes = settings.storage().mergeBytes();
    }

    /**
     * The merging of an engine; null if its snapshots are copied. With an asynchronous log an answered call may not be durable yet, and
     * adaptive logging has to know of a snapshot's moment.
     *
     * @param durable the position up to which the log is durable
     * @param sorting the agent that sorts the log; null if there is none
     */
    static SnapshotMerger of(EngineSettings settings, FileStore files, LongSupplier durable, LogRunAgent sorting) {
        boolean possible = settings.storage().mergesSnapshots()
                && settings.cluster().isEmpty()
                && settings.durability().log().synchronous()
                && settings.durability().method() != LoggingMethod.ADAPTIVE;
        return possible ? new SnapshotMerging(settings, files, durable, sorting) : null;
    }

    @Override
    public Merge begin() {
        if (!begun && settings.hasThreads()) {
            // Partitions need the cores more than a merge, which nothing waits for.
            begun = BackgroundThread.lower();
        }
        long end = durable.getAsLong();
        Optional<Manifest> newest = new SnapshotReader(files).choose().newest();
        if (newest.isEmpty() || newest.get().origin().logPosition() >= end) {
            return null;
        }
        try {
            return new SnapshotMerge(
                    new RebuildBase(
                            files,
                            settings.durability().log(),
                            newest.get(),
                            collector,
                            Set.of(),
                            settings.memory().perPartition(),
                            end - newest.get().origin().logPosition()),
                    end,
                    sorting,
                    groupBytes);
        } catch (RuntimeException | StackOverflowError e) {
            LOG.info("Rows are copied for the snapshot, because it can't be merged: {}", e.getMessage());
            return null;
        }
    }
}
