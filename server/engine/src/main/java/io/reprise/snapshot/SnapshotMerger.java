package io.reprise.snapshot;

import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotWriter;
import io.reprise.snapshot.file.TableContents;
import java.util.List;

/** Makes snapshots from the newest one and the log behind it, without the partitions. The snapshot's thread uses it. */
public interface SnapshotMerger {
    /** Begins a merge up to the durable position; null if there is no snapshot to begin with, or nothing behind it. */
    Merge begin();

    /** One merge. It is stepped until it {@linkplain #isDone is done}. */
    interface Merge extends AutoCloseable {
        /**
         * Reads on in the log. Returns true when all has been read, so that the rest of the methods may be called.
         *
         * @throws CannotMergeException if the log has records that can't be applied group by group
         */
        boolean read();

        /** Whether it waits for others before {@link #read} may be called. */
        boolean waits(long nowNs);

        /** The id of the snapshot: the highest one of a transaction in it. */
        long transactionId();

        /** The position at which the log goes on behind the snapshot. */
        long logPosition();

        /** The number of data files. */
        int partitions();

        /** The snapshot's tables; their next row numbers become known while it is made. */
        List<TableContents> tables();

        /** Applies some records, or passes some rows to the writer. Throws {@link CannotMergeException}. */
        void step(SnapshotWriter writer);

        /** Whether the writer has all rows. */
        boolean isDone();

        /** The facts of the moment, when it is done. */
        Manifest.Origin origin(long epochMicros);

        @Override
        void close();
    }
}
