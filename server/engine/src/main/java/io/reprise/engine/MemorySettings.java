package io.reprise.engine;

import io.reprise.footprint.FootprintBuffer;

/**
 * Memory of the partitions and of their transactions.
 *
 * @param perPartition the most bytes of rows, indexes and scratch space of one partition
 * @param reservedHugePages whether tables may lie in huge pages that the operator has set aside
 * @param workPerPartition the most bytes of Java heap for rows that a transaction collects in a partition: results, sorted rows, groups or
 *     queues; by default the partition's share of an eighth of the heap, 16 MiB at least
 * @param heapPerTransaction the most bytes of Java heap that one transaction allocates, garbage included: 32 MiB at least by default
 * @param footprints the size of each partition's buffer of footprints
 */
record MemorySettings(
        long perPartition,
        boolean reservedHugePages,
        long workPerPartition,
        long heapPerTransaction,
        FootprintBuffer.Settings footprints) {
    static final long DEFAULT_PER_PARTITION = 4L << 30;

    private static final long LEAST_WORK_MEMORY = 16 << 20;
    private static final long LEAST_HEAP_PER_TRANSACTION = 32 << 20;
    private static final int SHARE_OF_TRANSACTION = 2;

    /** A result is copied, and an array that grows is there twice for a moment: much is left for that. */
    private static final int SHARE_OF_WORK = 8;

    /** The same, where 0 bytes of work memory or heap stand for a share of this JVM's heap. */
    MemorySettings withDefaults(int partitions) {
        long heap = Runtime.getRuntime().maxMemory();
        return new MemorySettings(
                perPartition,
                reservedHugePages,
                workPerPartition > 0
                        ? workPerPartition
                        : Math.max(LEAST_WORK_MEMORY, heap / SHARE_OF_WORK / partitions),
                heapPerTransaction > 0
                        ? heapPerTransaction
                        : Math.max(LEAST_HEAP_PER_TRANSACTION, heap / SHARE_OF_TRANSACTION),
                footprints);
    }
}
