package io.reprise.engine;

import io.reprise.execution.SiteLayout;
import io.reprise.execution.durable.LoggingMethod;
import java.util.Optional;

/** Freezes a builder's fields into settings, so that later calls of its methods have no effect on the engine. */
final class FrozenOptions {
    private final Options options;

    FrozenOptions(Options options) {
        this.options = options;
    }

    EngineSettings settings() {
        return new EngineSettings(
                options.name,
                options.partitions,
                layout(),
                options.sites,
                options.clock,
                options.durability,
                new SchemaSettings(options.ddl, options.jars, options.procedures, options.classLoader, options.buckets),
                memory(),
                new LimitSettings(options.timeLimit, options.planningLimit, options.slowAfter, options.slowListener),
                new ThreadSettings(
                        options.threads == Options.Threads.SITE, options.idle, options.replies, options.siteAgents),
                storage(),
                sortedLog(),
                recovery(),
                options.cluster);
    }

    private SiteLayout layout() {
        return options.siteCount == 0
                ? SiteLayout.oneEach(options.partitions)
                : SiteLayout.dealt(options.partitions, options.siteCount);
    }

    private MemorySettings memory() {
        return new MemorySettings(
                        options.memoryPerPartition,
                        options.reservedHugePages,
                        options.workMemory,
                        options.heapPerTransaction,
                        options.footprints)
                .withDefaults(options.partitions);
    }

    private boolean hasFiles() {
        return options.files != null;
    }

    private StorageSettings storage() {
        LoggingMethod method = options.durability.method();
        Runnable beforeUnlock = options.beforeUnlock;
        return new StorageSettings(
                Optional.ofNullable(options.files).map(files -> () -> files.apply(beforeUnlock)),
                options.keepStatements,
                options.mergeSnapshots || options.storeInLog,
                options.mergeBytes,
                hasFiles() && (options.durability.footprints() || method == LoggingMethod.ADAPTIVE),
                options.archive);
    }

    private SortedLogSettings sortedLog() {
        SortedLogSettings asked = options.storeInLog ? options.sortedLog.asOnlyStorage() : options.sortedLog;
        return asked.effective(
                options.cluster.isEmpty(),
                options.recoverOnDemand,
                hasFiles(),
                options.durability.method() != LoggingMethod.PHYSIOLOGICAL);
    }

    private RecoverySettings recovery() {
        return new RecoverySettings(
                options.replay,
                options.recoverOnDemand || options.storeInLog,
                options.recoveryChoices,
                options.cut,
                options.recoveryCloseMs,
                options.objective,
                options.recoveryListener);
    }
}
