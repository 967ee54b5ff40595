package io.reprise.node;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Table;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Partition;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.PageAhead;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** Opens the partitions' stores, and looks into them. */
final class StoreOptions {
    /** What all partitions reserve together: a process has 128 TiB of address space, and the JVM needs some of it. */
    private static final long ADDRESS_SPACE = 112L << 40;

    private StoreOptions() {}

    static PartitionStore open(int partition, BucketMap buckets, long memoryLimit, PageAhead pages) {
        BitSet owned = new BitSet();
        for (int bucket : buckets.buckets(partition)) {
            owned.set(bucket);
        }
        long share = ADDRESS_SPACE / buckets.partitions() & -Memory.HUGE_PAGE;
        long addressSpace = Math.min(share, PartitionStore.Options.DEFAULT_ADDRESS_SPACE);
        return new PartitionStore(new PartitionStore.Options(partition, memoryLimit, addressSpace, owned), pages);
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
