package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Table;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Partition;
import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.PageSources;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** Opens the partitions' stores, and looks into them. */
final class StoreOptions {
    /**
     * The reservation of all partitions together: a process has 128 TiB of address space, and the JVM needs some of
     * it.
     */
    private static final long ADDRESS_SPACE = 112L << 40;

    /** A partition reserves so many times what it may use, if no more: each structure that grows has a range as long as that, or twice. */
    private static final long RANGES = 4096;

    private static final long LEAST_ADDRESS_SPACE = 16L << 30;

    private StoreOptions() {}

    static PartitionStore open(int partition, BucketMap buckets, long memoryLimit, PageSources pages) {
        BitSet owned = new BitSet();
        for (int bucket : buckets.buckets(partition)) {
            owned.set(bucket);
        }
        long addressSpace = addressSpace(buckets.partitions(), memoryLimit);
        return new PartitionStore(
                new PartitionStore.Options(partition, memoryLimit, addressSpace, buckets.buckets(), owned), pages);
    }

    /** A partition of its own with some of the buckets, beside those of the engine. */
    static PartitionStore openFor(BitSet owned, Buckets buckets, long memoryLimit) {
        return new PartitionStore(
                new PartitionStore.Options(0, memoryLimit, addressSpace(2, memoryLimit), buckets, owned),
                PageSources.NONE);
    }

    /** The reservation of one of so many partitions. */
    private static long addressSpace(int partitions, long memoryLimit) {
        long most =
                Math.min(ADDRESS_SPACE / partitions & -Memory.HUGE_PAGE, PartitionStore.Options.DEFAULT_ADDRESS_SPACE);
        return memoryLimit >= most / RANGES
                ? most
                : Math.max(LEAST_ADDRESS_SPACE, memoryLimit * RANGES & -Memory.HUGE_PAGE);
    }

    /** Called while all partitions are held. */
    static List<Stats.PartitionStats> stats(Catalog catalog, List<Partition> partitions) {
        List<Stats.PartitionStats> stats = new ArrayList<>();
        for (Partition partition : partitions) {
            PartitionStore store = partition.store();
            SequencedMap<String, Stats.TableStats> tables = new LinkedHashMap<>();
            for (Table table : catalog.tables().values()) {
                TableStore rows = store.table(table.id());
                tables.put(table.name(), new Stats.TableStats(rows.count(), rows.memoryUse()));
            }
            stats.add(new Stats.PartitionStats(
                    partition.committed(),
                    partition.aborted(),
                    store.memoryUsed(),
                    store.options().memoryLimit(),
                    tables));
        }
        return stats;
    }
}
