package io.reprise.engine;

import io.reprise.execution.SiteLayout;
import io.reprise.runtime.time.Clock;
import java.util.Optional;

/**
 * The settings of an engine that is open, frozen by {@link Options#open}. Immutable, and shared by all threads.
 *
 * @param name the engine's name in the names of its threads
 * @param partitions the number of partitions
 * @param layout the partitions of each site
 * @param sites queue bounds and batch sizes
 * @param clock the source of time
 * @param durability the durability of data in a directory
 * @param cluster the node's place in a cluster; empty: the engine serves alone
 */
record EngineSettings(
        String name,
        int partitions,
        SiteLayout layout,
        Sites.Settings sites,
        Clock clock,
        Durability durability,
        SchemaSettings schema,
        MemorySettings memory,
        LimitSettings limits,
        ThreadSettings threads,
        StorageSettings storage,
        SortedLogSettings sortedLog,
        RecoverySettings recovery,
        Optional<ClusterOptions> cluster) {
    /** Whether the sites have threads of their own. */
    boolean hasThreads() {
        return threads.ofSites();
    }
}
