package io.reprise.engine;

import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.TableContents;
import io.reprise.snapshot.file.UnknownSnapshotFormatException;

/**
 * The snapshot with which a recovery would begin, and counts at its moment. Immutable.
 *
 * @param snapshot the transaction id of its moment; 0: there is none
 * @param position its position in the log
 * @param rows of all tables
 * @param replicated rows of replicated tables among them
 * @param byBucket the rows of each bucket; empty if they are not known
 * @param commands logged from the engine's start to its moment; less than 0 if it is older
 * @param dataRecords the same
 * @param changes of the schema up to its moment; less than 0 if a change is behind it
 */
record RecoveryBase(
        long snapshot,
        long position,
        long rows,
        long replicated,
        long[] byBucket,
        long commands,
        long dataRecords,
        long changes) {
    /** The same with the rows that the snapshot's manifest counts, if it can be read. */
    RecoveryBase withRowsOf(FileStore files) {
        SnapshotDirectory directory = new SnapshotDirectory(files);
        try {
            if (snapshot == 0 || !directory.list().contains(snapshot)) {
                return this;
            }
            Manifest manifest = directory.manifest(snapshot);
            long[] counts = new long[manifest.identity().database().buckets().count()];
            long everywhere = 0;
            for (TableContents table : manifest.tables()) {
                everywhere += table.replicated() ? table.totalRows() : 0;
                for (int bucket = 0; bucket < counts.length && !table.replicated(); bucket++) {
                    counts[bucket] += table.rows(bucket);
                }
            }
            return new RecoveryBase(
                    snapshot, position, manifest.rows(), everywhere, counts, commands, dataRecords, changes);
        } catch (DamagedSnapshotException | UnknownSnapshotFormatException | StorageException e) {
            // A forecast does without these counts; the next start reports the damage.
            return this;
        }
    }

    /** The rows of a bucket, or the mean of all buckets. */
    double rows(int bucket, int buckets) {
        return byBucket.length == 0 ? (double) (rows - replicated) / buckets : byBucket[bucket];
    }
}
