package io.reprise.engine;

import io.reprise.execution.BucketMap;
import io.reprise.log.LogTail;
import io.reprise.recovery.closure.BackwardPass;
import io.reprise.recovery.closure.LogHistory;
import io.reprise.recovery.closure.LoggedTransaction;
import io.reprise.snapshot.file.Manifest;
import java.util.Optional;

/** Counts the transactions of a data directory's log that would run again to rebuild buckets on top of the newest snapshot. */
public final class LogClosure {
    private final DataDirectory directory;
    private final LogTail tail;

    /**
     * A closure.
     *
     * @param reexecuted commands that run again
     * @param stored data records that are stored again
     * @param transactions all transactions of the log behind the snapshot
     * @param coarse those with a coarse footprint
     * @param untold those without a footprint
     * @param foreignRows rows of other buckets that are loaded from the snapshot
     * @param wholeBuckets buckets that are loaded whole, those to be rebuilt among them
     * @param everything whether all buckets are loaded whole
     */
    public record Report(
            long reexecuted,
            long stored,
            long transactions,
            long coarse,
            long untold,
            long foreignRows,
            long wholeBuckets,
            boolean everything) {}

    /** Closures over the directory's log. */
    public LogClosure(DataDirectory directory) {
        this.directory = directory;
        tail = directory.tail();
    }

    /** The number of the database's buckets. */
    public int buckets() {
        return tail.database().buckets().count();
    }

    /** The closure of one bucket. */
    public Report ofBucket(int bucket) {
        if (bucket < 0 || bucket >= buckets()) {
            throw new IllegalArgumentException(
                    "the database has buckets 0 to " + (buckets() - 1) + ", no bucket " + bucket);
        }
        return of(new int[] {bucket});
    }

    /** The closure of a partition, if the database had so many. */
    public Report ofPartition(int partition, int partitions) {
        if (partition < 0 || partition >= partitions) {
            throw new IllegalArgumentException(
                    partitions + " partitions have the numbers 0 to " + (partitions - 1) + ", not " + partition);
        }
        return of(BucketMap.dealt(tail.database().buckets(), partitions).buckets(partition));
    }

    private Report of(int[] buckets) {
        BackwardPass pass = new BackwardPass(BackwardPass.MOST_ROWS);
        for (int bucket : buckets) {
            pass.needBucket(bucket);
        }
        long first = tail.firstPosition();
        Optional<Manifest> base = directory.newestUpTo(Long.MAX_VALUE);
        long from = base.map(manifest -> manifest.origin().logPosition()).orElse(first);
        new LogHistory(tail::read, from, LogHistory.BLOCK_BYTES).backward(new LogHistory.Visitor() {
            @Override
            public void transaction(LoggedTransaction transaction) {
                pass.visit(transaction);
            }

            @Override
            public void catalogChange() {
                pass.visitCatalogChange();
            }
        });
        return new Report(
                pass.counts().commands(),
                pass.counts().dataRecords(),
                pass.counts().transactions(),
                pass.counts().coarse(),
                pass.counts().untold(),
                pass.neededRows(),
                pass.neededBuckets() + pass.coarsened(),
                pass.needsEverything());
    }
}
