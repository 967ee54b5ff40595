package io.reprise.snapshot.file;

import io.reprise.runtime.file.FileStore;
import java.util.Arrays;

/**
 * The blocks of a snapshot by bucket. All data files are open, and their indexes are in memory. {@link #open} chooses a bucket, {@link #next}
 * reads its blocks one by one; behind the last one the bucket's content is compared with the manifest.
 *
 * <p>Owned by one thread. Throws {@link DamagedSnapshotException}; other buckets can be read all the same.
 */
public final class BucketSource implements AutoCloseable {
    private static final int FILE_SHIFT = 32;

    private final Manifest manifest;
    private final BlockReader[] readers;
    private final BlockRows rows = new BlockRows();
    private ContentCheck check;

    /** By bucket, the file and the number of each block. */
    private final long[][] blocks;

    private final long[] bytes;
    private final long[] expectedRows;
    private int bucket;
    private int next;

    /** Opens all files and reads their indexes. */
    public BucketSource(FileStore files, Manifest manifest, int buckets) {
        this.manifest = manifest;
        check = new ContentCheck(manifest);
        blocks = new long[buckets][];
        bytes = new long[buckets];
        expectedRows = new long[buckets];
        readers = new BlockReader[manifest.files().size()];
        int[] counts = new int[buckets];
        try {
            for (int file = 0; file < readers.length; file++) {
                readers[file] = new BlockReader(files, manifest);
                readers[file].open(manifest.files().get(file));
                index(file, counts);
            }
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
        for (int i = 0; i < buckets; i++) {
            blocks[i] = blocks[i] == null ? new long[0] : Arrays.copyOf(blocks[i], counts[i]);
        }
        for (TableContents table : manifest.tables()) {
            for (int i = 0; i < buckets && !table.replicated(); i++) {
                expectedRows[i] += table.rows(i);
            }
        }
    }

    private void index(int file, int[] counts) {
        BlockReader reader = readers[file];
        for (int block = 0; block < reader.blocks(); block++) {
            int of = reader.bucket(block);
            if (of < 0) {
                continue;
            }
            if (of >= blocks.length) {
                throw reader.damaged(reader.position(block), "its index has a block of bucket " + of);
            }
            if (blocks[of] == null) {
                blocks[of] = new long[2];
            } else if (counts[of] == blocks[of].length) {
                blocks[of] = Arrays.copyOf(blocks[of], 2 * counts[of]);
            }
            blocks[of][counts[of]++] = (long) file << FILE_SHIFT | block;
            bytes[of] += reader.length(block);
        }
    }

    /** The manifest of the snapshot. */
    public Manifest manifest() {
        return manifest;
    }

    /** The bytes of a bucket in the files. */
    public long bytes(int of) {
        return bytes[of];
    }

    /** The number of rows of a bucket, replicated tables apart. */
    public long rows(int of) {
        return expectedRows[of];
    }

    /** Begins to read a bucket. */
    public void open(int newBucket) {
        bucket = newBucket;
        next = 0;
    }

    /** Reads the next block; false behind the last one, when the whole bucket has been found right. */
    public boolean next(BucketBlock into) {
        if (next == blocks[bucket].length) {
            check.check(bucket);
            return false;
        }
        long block = blocks[bucket][next++];
        BlockReader reader = readers[(int) (block >>> FILE_SHIFT)];
        int number = (int) block;
        reader.read(number, rows);
        into.take(reader, rows, check, "the block at byte " + reader.position(number));
        return true;
    }

    @Override
    public void close() {
        for (BlockReader reader : readers) {
            if (reader != null) {
                reader.close();
            }
        }
    }
}
