package io.reprise.snapshot.file;

import io.reprise.storage.row.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Counts what is read of a snapshot and compares it with what was counted when it was written, so that a block that is
 * missing, or that is there twice, is noticed although each block is right by itself.
 */
public final class ContentCheck {
    private final Manifest manifest;
    private final List<TableContents> read = new ArrayList<>();

    /** Nothing has been read. */
    public ContentCheck(Manifest manifest) {
        this.manifest = manifest;
        manifest.tables().forEach(table -> read.add(table.emptyCopy()));
    }

    /** Counts the row at which the iterator is. Returns its hash. */
    public long add(BlockRows row) {
        long rowId = row.rowId();
        long hash = TableContents.hash(row.memory(), row.image(), row.length(), rowId);
        read.get(row.table()).add((int) (rowId >>> RowLayout.SEQUENCE_BITS), 1, hash);
        return hash;
    }

    /** Throws if something differs in the buckets that were to be read, or in replicated tables. */
    public void check(IntPredicate buckets) {
        String path = SnapshotDirectory.path(manifest.identity().transactionId());
        for (int i = 0; i < read.size(); i++) {
            TableContents written = manifest.tables().get(i);
            TableContents got = read.get(i);
            for (int bucket = 0; bucket < written.buckets(); bucket++) {
                if (written.replicated() || buckets.test(bucket)) {
                    check(path, written, got, bucket);
                }
            }
        }
    }

    /** Throws if something differs in this bucket of partitioned tables. */
    public void check(int bucket) {
        String path = SnapshotDirectory.path(manifest.identity().transactionId());
        for (int i = 0; i < read.size(); i++) {
            TableContents written = manifest.tables().get(i);
            if (!written.replicated()) {
                check(path, written, read.get(i), bucket);
            }
        }
    }

    private static void check(String path, TableContents written, TableContents got, int bucket) {
        if (got.rows(bucket) != written.rows(bucket) || got.hash(bucket) != written.hash(bucket)) {
            String where = written.replicated() ? "" : " of bucket " + bucket + " (of " + written.buckets() + ")";
            throw new DamagedSnapshotException(
                    path + "/" + SnapshotDirectory.MANIFEST,
                    0,
                    "it says that table " + written.name() + " has " + written.rows(bucket) + " rows" + where
                            + " with the hash " + Long.toHexString(written.hash(bucket)) + ", but the data files have "
                            + got.rows(bucket) + " with the hash " + Long.toHexString(got.hash(bucket)));
        }
    }
}
