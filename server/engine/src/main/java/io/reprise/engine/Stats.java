package io.reprise.engine;

import io.reprise.storage.MemoryUse;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The content and the counters of an engine, all partitions at one moment between two transactions; figures about the
 * disk are of about that moment.
 *
 * @param partitions one for each partition
 * @param durability log, snapshots and recovery; empty for an engine without a directory
 */
public record Stats(List<PartitionStats> partitions, Optional<DurabilityStats> durability) {
    /**
     * One partition.
     *
     * @param committed transactions that its thread committed; a multi-partition one counts where it ran
     * @param aborted transactions that its thread rolled back
     * @param memoryUsed bytes taken, of {@code memoryLimit}
     * @param memoryLimit bytes that it may take
     * @param tables by name
     */
    public record PartitionStats(
            long committed, long aborted, long memoryUsed, long memoryLimit, SequencedMap<String, TableStats> tables) {}

    /**
     * One table in one partition.
     *
     * @param rows live rows
     * @param memory their memory
     */
    public record TableStats(long rows, MemoryUse memory) {}
}
