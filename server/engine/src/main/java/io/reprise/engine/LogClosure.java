package io.reprise.engine;

import io.reprise.engine.replication.NodeStreams;
import io.reprise.execution.BucketMap;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogTail;
import io.reprise.log.RecordKind;
import io.reprise.recovery.closure.BackwardPass;
import io.reprise.recovery.closure.LogHistory;
import io.reprise.recovery.closure.LoggedTransaction;
import io.reprise.recovery.rebuild.SortedRecords;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotReader;
import java.util.BitSet;
import java.util.Optional;
import java.util.Set;

/** Counts the transactions of a data directory's log that would run again to rebuild buckets on top of the newest snapshot. */
public final class LogClosure {
    private final DataDirectory directory;
    private final LogTail tail;

    /** The log position of the newest snapshot, behind which everything is counted. */
    private final long from;

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
            boolean everything) {
        /** The same with data records of the sorted log, of which some are stored again. */
        Report with(long sortedStored, long sorted) {
            return new Report(
                    reexecuted,
                    stored + sortedStored,
                    transactions + sorted,
                    coarse,
                    untold,
                    foreignRows,
                    wholeBuckets,
                    everything);
        }
    }

    /** Closures over the directory's log. Throws if no snapshot, and no sorted log behind one, leads to it. */
    public LogClosure(DataDirectory directory) {
        this.directory = directory;
        tail = directory.tail();
        Optional<Manifest> base = new SnapshotReader(directory.files()).choose().newest();
        long first = tail.firstPosition();
        from = base.map(manifest -> manifest.origin().logPosition()).orElse(first);
        boolean reaches = base.isEmpty() ? first == 0 : from >= first || directory.hasRunsTo(tail, base.get());
        if (!reaches) {
            throw new IllegalArgumentException("the log begins at position 0x" + Long.toHexString(first)
                    + ", and there is no undamaged snapshot from which it goes on");
        }
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
        BitSet one = new BitSet();
        one.set(bucket);
        return of(one);
    }

    /** The closure of a partition: of a cluster's node with the buckets that it has at the log's end, else if the database had so many. */
    public Report ofPartition(int partition, int partitions) {
        if (partition < 0 || partition >= partitions) {
            throw new IllegalArgumentException(
                    partitions + " partitions have the numbers 0 to " + (partitions - 1) + ", not " + partition);
        }
        try (NodeStreams streams = streams(partitions)) {
            return of(streams.buckets(partition));
        }
    }

    /** The closure of all partitions of a cluster that the node holds. */
    public Report ofNode(int partitions) {
        BitSet all = new BitSet();
        try (NodeStreams streams = streams(partitions)) {
            for (int partition = 0; partition < partitions; partition++) {
                if (streams.holds(partition)) {
                    all.or(streams.buckets(partition));
                }
            }
        }
        return of(all);
    }

    /** The streams of a cluster's node at the end of the log; those of a node that serves alone have no records, and the buckets as they are dealt. */
    private NodeStreams streams(int partitions) {
        NodeStreams streams = new NodeStreams(0, BucketMap.dealt(tail.database().buckets(), partitions));
        LogRecords records = new LogRecords();
        boolean isCluster = false;
        try (LogReader reader = tail.read(Math.max(from, tail.firstPosition()));
                LogFrame frame = new LogFrame()) {
            while (reader.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    isCluster |= records.kind() == RecordKind.START;
                    if (isCluster) {
                        streams.record(records);
                    }
                }
            }
        } catch (RuntimeException | Error failure) {
            streams.close();
            throw failure;
        }
        return streams;
    }

    private Report of(BitSet buckets) {
        BackwardPass pass = new BackwardPass(BackwardPass.MOST_ROWS);
        buckets.stream().forEach(pass::needBucket);
        if (from >= tail.firstPosition()) {
            return of(pass, from);
        }
        RunTaking runs = new RunTaking(directory.files(), DataDirectory.LOG, tail.database(), Set.of(), damaged -> {});
        try (SortedRecords sorted = runs.sorted(from, tail.position()).orElseThrow()) {
            Report behind = of(pass, sorted.end());
            BitSet touched = new BitSet();
            for (int bucket = 0; bucket < buckets(); bucket++) {
                touched.set(bucket, pass.touches(bucket));
            }
            sorted.records().take(touched);
            return behind.with(
                    sorted.records().recordsOf(touched).length, sorted.records().count());
        }
    }

    private Report of(BackwardPass pass, long position) {
        new LogHistory(tail::read, position, LogHistory.BLOCK_BYTES).backward(new LogHistory.Visitor() {
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
