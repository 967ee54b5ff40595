package io.reprise.recovery.demand;

import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.TableContents;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;

/** An estimate of the memory that rows of a snapshot take in a partition. */
final class MemoryNeed {
    /** Bytes of an index entry, with the free room that an index has. */
    private static final int ENTRY = 24;

    private MemoryNeed() {}

    /** The bytes of a bucket's rows and index entries, strings apart. */
    static long of(Manifest manifest, int bucket, PartitionStore store) {
        long bytes = 0;
        for (TableContents contents : manifest.tables()) {
            if (!contents.replicated()) {
                TableStore table = store.table(contents.id());
                int entries = table.table().indexes().size() * ENTRY;
                bytes += contents.rows(bucket) * (table.layout().size() + entries);
            }
        }
        return bytes;
    }
}
