package io.reprise.engine;

import io.reprise.engine.replication.NodeStreams;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Partition;
import io.reprise.log.LogTail;
import io.reprise.recovery.demand.BucketLoadAgent;
import io.reprise.runtime.memory.PageSources;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The partitions that an engine begins with, and other facts of its start.
 *
 * @param buckets the partition of each bucket
 * @param stores by partition
 * @param partitions over the stores
 * @param schema whose tables the stores have
 * @param jars sources of its procedures' classes
 * @param lastId the highest transaction id that was ever given, as far as is known
 * @param tail the end of the log, at which it goes on; empty without a directory
 * @param report the report of the recovery
 * @param opening the work of the recovery until now
 * @param snapshotPosition the log position of the newest snapshot; 0: there is none
 * @param archived whether that is an archived one, and the directory has none
 * @param streams the streams of the partitions of a cluster's node; empty on a node that serves alone
 * @param load loads the rows of partitioned tables while the engine serves; empty if they are there
 * @param damagedSnapshots those that could not be loaded though they seemed undamaged
 */
record Recovered(
        BucketMap buckets,
        List<PartitionStore> stores,
        List<Partition> partitions,
        Schema schema,
        List<byte[]> jars,
        long lastId,
        Optional<LogTail> tail,
        RecoveryReport report,
        OpeningWork opening,
        long snapshotPosition,
        boolean archived,
        Set<Long> damagedSnapshots,
        Optional<NodeStreams> streams,
        Optional<BucketLoadAgent> load) {
    /** Empty partitions without a directory. */
    static Recovered inMemory(EngineSettings settings, PageSources pages) {
        BucketMap buckets = BucketMap.dealt(settings.schema().bucketsOrDefault(), settings.partitions());
        List<PartitionStore> stores = emptyStores(settings, buckets, pages);
        return new Recovered(
                buckets,
                stores,
                Partition.over(stores, settings.layout()),
                Schema.empty(),
                List.of(),
                0,
                Optional.empty(),
                RecoveryReport.NOTHING,
                OpeningWork.NOTHING,
                0,
                false,
                Set.of(),
                Optional.empty(),
                Optional.empty());
    }

    static List<PartitionStore> emptyStores(EngineSettings settings, BucketMap buckets, PageSources pages) {
        List<PartitionStore> stores = new ArrayList<>();
        try {
            for (int i = 0; i < buckets.partitions(); i++) {
                PartitionStore store =
                        StoreOptions.open(i, buckets, settings.memory().perPartition(), pages);
                stores.add(store);
                if (settings.storage().collectsFootprints()) {
                    store.collectFootprints(settings.memory().footprints());
                }
            }
        } catch (RuntimeException | Error failure) {
            stores.forEach(PartitionStore::close);
            throw failure;
        }
        return stores;
    }

    /** Whether there was nothing to recover: the first thing in a log is the schema. */
    boolean isNew() {
        return lastId == 0;
    }
}
