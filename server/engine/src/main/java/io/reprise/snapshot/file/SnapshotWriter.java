package io.reprise.snapshot.file;

import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;
import io.reprise.storage.row.RowLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Writes one snapshot: sorts rows by bucket as they come, makes blocks of them, and at the end the manifest, by which the
 * snapshot begins to exist. Owned by the snapshot's thread.
 *
 * <p>Rows come in the order in which they lie in memory, table after table. Each waits with others of its bucket, of whatever table,
 * until there is a block full of them; when the room for waiting rows is used up, the longest chain becomes a block before its
 * time. So there are as many chains as buckets, and blocks are no smaller because there are more tables.
 *
 * <p>A call that throws leaves a snapshot that can only be {@linkplain #discard discarded}.
 */
public final class SnapshotWriter implements AutoCloseable {
    private static final int ROW_HEADER = 2 * Varint.MOST_BYTES;

    private final SnapshotDirectory directory;
    private final SnapshotIdentity identity;
    private final SnapshotBuffers buffers;
    private final Settings settings;
    private final String path;
    private final List<BlockFileWriter> files = new ArrayList<>();
    private final List<TableContents> tables;

    /** By partition and table id; all partitions share one line unless each has contents of its own. */
    private final TableContents[][] contents;

    /** By partition and bucket; the chain behind the last bucket has rows of replicated tables. */
    private final BucketChain[][] chains;

    private final int bucketCount;

    private final List<BucketChain> all = new ArrayList<>();

    /** Longer rows have blocks of their own. */
    private final int mostWaiting;

    private long rows;
    private long imageBytes;

    /**
     * Settings of the writing.
     *
     * @param blockBytes size of blocks, before packing
     * @param forceEveryBytes number of a file's bytes between two forces
     */
    public record Settings(int blockBytes, long forceEveryBytes) {
        /** The usual settings. */
        public static Settings usual() {
            return new Settings(128 << 10, 4 << 20);
        }
    }

    /**
     * Makes the directory and a file for each partition.
     *
     * @param tables all tables, with what is known of them before their rows come; of each partition in turn if each has
     *     contents of its own
     */
    public SnapshotWriter(
            FileStore store,
            SnapshotIdentity identity,
            int partitions,
            List<TableContents> tables,
            SnapshotBuffers buffers,
            Settings settings) {
        this.directory = new SnapshotDirectory(store);
        this.identity = identity;
        this.buffers = buffers;
        this.settings = settings;
        this.tables = List.copyOf(tables);
        int mostId = tables.stream().mapToInt(TableContents::id).max().orElse(0);
        int lines = Manifest.isByPartition(tables) ? partitions : 1;
        contents = new TableContents[lines][mostId + 1];
        for (int i = 0; i < tables.size(); i++) {
            contents[i * lines / tables.size()][tables.get(i).id()] = tables.get(i);
        }
        bucketCount = identity.database().buckets().count();
        chains = new BucketChain[partitions][];
        mostWaiting = Math.min(settings.blockBytes(), buffers.waiting().largestRow());
        buffers.begin();
        path = directory.makePartial(identity.transactionId());
        try {
            for (int partition = 0; partition < partitions; partition++) {
                files.add(new BlockFileWriter(store, path, identity, partition, settings.forceEveryBytes()));
            }
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    /** The number of rows it has got. */
    public long rows() {
        return rows;
    }

    /** The bytes of their images. */
    public long imageBytes() {
        return imageBytes;
    }

    /** The number of written bytes. */
    public long bytesWritten() {
        long bytes = 0;
        for (int i = 0; i < files.size(); i++) {
            bytes += files.get(i).position();
        }
        return bytes;
    }

    /** Takes rows of a partition; the batch can be used again afterwards. */
    public void add(int partition, RowBatch batch) {
        for (long entry = batch.start(); entry < batch.end(); entry = batch.next(entry)) {
            int table = batch.table(entry);
            long rowId = batch.rowId(entry);
            if (batch.isCopy(entry)) {
                Memory scratch = buffers.scratch();
                long end = batch.writeImage(entry, scratch, SnapshotBuffers.IMAGE);
                row(partition, table, rowId, scratch, SnapshotBuffers.IMAGE, (int) (end - SnapshotBuffers.IMAGE));
            } else {
                row(partition, table, rowId, batch.memory(), batch.row(entry), batch.length(entry));
            }
        }
    }

    /** Takes the image of one row, which lies in a memory. */
    public void add(int partition, int table, long rowId, Memory memory, long image, int length) {
        row(partition, table, rowId, memory, image, length);
    }

    /** Takes a block of another snapshot as it is stored there; {@link #count} is told of its rows. */
    void addStored(int partition, ByteBuffer block) {
        files.get(partition).writeStored(block);
    }

    /** Counts a row of such a block. */
    void count(int partition, int table, long rowId, int length, long hash) {
        contents[contents.length == 1 ? 0 : partition][table].add((int) (rowId >>> RowLayout.SEQUENCE_BITS), 1, hash);
        rows++;
        imageBytes += length;
    }

    private void row(int partition, int table, long rowId, Memory memory, long image, int length) {
        TableContents content = contents[contents.length == 1 ? 0 : partition][table];
        int bucket = (int) (rowId >>> RowLayout.SEQUENCE_BITS);
        content.add(bucket, 1, TableContents.hash(memory, image, length, rowId));
        rows++;
        imageBytes += length;
        BucketChain chain = content.replicated()
                ? chain(partition, bucketCount, BlockFormat.REPLICATED)
                : chain(partition, bucket, bucket);
        long sequence = rowId & (1L << RowLayout.SEQUENCE_BITS) - 1;
        int most = ROW_HEADER + length;
        if (most > mostWaiting) {
            block(partition, chain.bucket, table, sequence, memory, image, length);
            return;
        }
        int groups = chain.groups() + 1;
        if (chain.rows > 0
                && (chain.bytes + most + groups * BlockPacker.GROUP_HEADER > settings.blockBytes()
                        || chain.isFullFor(table))) {
            flush(chain);
        }
        while (!buffers.waiting().hasRoom(chain, most)) {
            flush(longest());
        }
        append(chain, table, sequence, memory, image, length);
    }

    private BucketChain chain(int partition, int number, int bucket) {
        BucketChain[] ofPartition = chains[partition];
        if (ofPartition == null) {
            ofPartition = new BucketChain[bucketCount + 1];
            chains[partition] = ofPartition;
        }
        BucketChain chain = ofPartition[number];
        if (chain == null) {
            chain = new BucketChain(partition, bucket);
            ofPartition[number] = chain;
            all.add(chain);
        }
        return chain;
    }

    private void append(BucketChain chain, int table, long sequence, Memory memory, long image, int length) {
        Memory scratch = buffers.scratch();
        long at = SnapshotBuffers.SCRATCH;
        at = Varint.putSigned(scratch, at, chain.begin(table, sequence));
        at = Varint.put(scratch, at, length);
        int head = (int) (at - SnapshotBuffers.SCRATCH);
        buffers.waiting().append(chain, scratch, SnapshotBuffers.SCRATCH, head);
        buffers.waiting().append(chain, memory, image, length);
        chain.end(head + length);
    }

    /** Looks at all: a few microseconds, for a block that takes a hundred. */
    private BucketChain longest() {
        BucketChain longest = all.getFirst();
        for (int i = 1; i < all.size(); i++) {
            if (all.get(i).bytes > longest.bytes) {
                longest = all.get(i);
            }
        }
        return longest;
    }

    private void flush(BucketChain chain) {
        BlockPacker packer = buffers.packer();
        int rowsInBlock = chain.rows;
        buffers.waiting().drain(chain, packer);
        files.get(chain.partition).writeRows(packer, chain.bucket, rowsInBlock);
    }

    /** A row that is too large to wait. */
    private void block(int partition, int bucket, int table, long sequence, Memory memory, long image, int length) {
        BlockPacker packer = buffers.packer();
        long at = packer.beginGroup(table, 1, ROW_HEADER + (long) length);
        at = Varint.putSigned(packer.memory(), at, sequence);
        at = Varint.put(packer.memory(), at, length);
        packer.memory().copyFrom(memory, image, at, length);
        packer.endAt(at + length);
        files.get(partition).writeRows(packer, bucket, 1);
    }

    private void flushAll() {
        all.sort(
                Comparator.<BucketChain>comparingInt(chain -> chain.partition).thenComparingInt(chain -> chain.bucket));
        all.stream().filter(chain -> chain.rows > 0).forEach(this::flush);
    }

    /**
     * All rows have come: completes the data files and has them on stable storage. The snapshot is not one yet; see
     * {@link #publish}.
     */
    public List<DataFileEntry> finishFiles() {
        flushAll();
        List<DataFileEntry> entries = new ArrayList<>();
        for (BlockFileWriter file : files) {
            entries.add(file.finish(buffers.packer()));
        }
        return entries;
    }

    /** Writes the manifest and makes the snapshot one that is found from now on, whatever happens. */
    public Manifest publish(Manifest.Origin origin, List<DataFileEntry> entries) {
        Manifest manifest = new Manifest(identity, files.size(), origin, entries, tables);
        close();
        directory.publish(identity.transactionId(), ManifestCodec.encode(manifest));
        return manifest;
    }

    /** Removes what was written. Throws if it can't; a later start does it then. */
    public void discard() {
        close();
        directory.removePartial(identity.transactionId());
    }

    @Override
    public void close() {
        for (int i = 0; i < files.size(); i++) {
            files.get(i).close();
        }
    }
}
