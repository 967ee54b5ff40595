package io.reprise.snapshot.file;

import io.reprise.runtime.file.FileStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The blocks of a snapshot by bucket. A snapshot of a cluster's node describes each partition apart, and the blocks of a bucket are those of the
 * partition that has it.
 *
 * <p>Owned by one thread. Throws {@link DamagedSnapshotException}; other buckets can be read all the same.
 */
public final class BucketSources implements AutoCloseable {
    private final Manifest manifest;
    private final int buckets;
    private final IntUnaryOperator partitionOf;

    /** One for all buckets, or one for each partition. */
    private final List<BucketSource> sources = new ArrayList<>();

    private BucketSource open;

    /** Opens all files and reads their indexes. */
    public BucketSources(FileStore files, Manifest manifest, int buckets, IntUnaryOperator partitionOf) {
        this.manifest = manifest;
        this.buckets = buckets;
        this.partitionOf = partitionOf;
        try {
            for (Manifest part : manifest.parts()) {
                sources.add(new BucketSource(files, part, buckets));
            }
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
    }

    /** Whether each partition's file has rows of the partition's buckets alone. */
    public boolean isDivided() {
        for (int bucket = 0; bucket < buckets; bucket++) {
            for (BucketSource source : sources) {
                if (source != of(bucket) && source.rows(bucket) > 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private BucketSource of(int bucket) {
        return sources.size() == 1 ? sources.getFirst() : sources.get(partitionOf.applyAsInt(bucket));
    }

    /** The description of the snapshot's rows of a partition. */
    public Manifest manifest(int partition) {
        return sources.size() == 1 ? manifest : sources.get(partition).manifest();
    }

    /** The bytes of a bucket in the files. */
    public long bytes(int bucket) {
        return of(bucket).bytes(bucket);
    }

    /** The number of rows of a bucket, replicated tables apart. */
    public long rows(int bucket) {
        return of(bucket).rows(bucket);
    }

    /** Begins to read a bucket. */
    public void open(int bucket) {
        open = of(bucket);
        open.open(bucket);
    }

    /** Reads the next block; false behind the last one, when the whole bucket has been found right. */
    public boolean next(BucketBlock into) {
        return open.next(into);
    }

    @Override
    public void close() {
        sources.forEach(BucketSource::close);
    }
}
