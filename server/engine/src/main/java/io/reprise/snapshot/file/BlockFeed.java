package io.reprise.snapshot.file;

import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.file.FileStore;
import io.reprise.storage.PartitionStore;
import java.util.Comparator;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Reads the blocks that a partition needs of a snapshot, unpacks and checks them, and hands them to the {@link
 * SnapshotLoader}: a few at a time, in buffers that come back. The loader has a thread of its own, or the same one.
 *
 * <pre>
 *  feed    free buffer -> read, checksum, unpack, count rows -> full
 *  loader  full -> rows into tables -> free
 * </pre>
 */
public final class BlockFeed implements AutoCloseable {
    private static final int BUFFERS = 4;

    private final Manifest manifest;
    private final IntPredicate buckets;
    private final ContentCheck check;
    private final Buffer[] buffers = new Buffer[BUFFERS];
    private final SpscRing<Buffer> free = new SpscRing<>(BUFFERS);
    private final SpscRing<Buffer> full = new SpscRing<>(2 * BUFFERS);

    /** Comes behind the last block. */
    private final Buffer end;

    private int nextFile;
    private int[] blocks = new int[0];
    private int nextBlock;
    private boolean done;

    /** A block on its way to the loader. */
    static final class Buffer {
        private final BlockReader reader;
        private final BlockRows rows = new BlockRows();
        private int openFile = -1;
        private int block;

        private Buffer(BlockReader reader) {
            this.reader = reader;
        }

        /** The rows of the block, from the first on. */
        BlockRows rows() {
            return rows;
        }

        /** See {@link BlockReader#bringInto}. */
        long bringInto(PartitionStore store) {
            return reader.bringInto(store);
        }

        /** The number of bytes of the file. */
        int length() {
            return reader.length(block);
        }
    }

    BlockFeed(FileStore files, Manifest manifest, IntPredicate buckets) {
        this.manifest = manifest;
        this.buckets = buckets;
        check = new ContentCheck(manifest);
        for (int i = 0; i < BUFFERS; i++) {
            buffers[i] = new Buffer(new BlockReader(files, manifest));
            free.offer(buffers[i]);
        }
        end = new Buffer(null);
    }

    /**
     * Reads a block, if a buffer is free; behind the last one compares what there was with what was written. Returns how
     * much was done.
     */
    public int step() {
        if (done) {
            return 0;
        }
        Buffer buffer = free.peek();
        if (buffer == null) {
            return 0;
        }
        while (nextBlock == blocks.length) {
            if (nextFile == manifest.files().size()) {
                check.check(buckets);
                full.offer(end);
                done = true;
                return 1;
            }
            open(buffer, nextFile++);
            chooseBlocks(buffer.reader);
        }
        free.poll();
        read(buffer, blocks[nextBlock++]);
        full.offer(buffer);
        return 1;
    }

    /** Whether all blocks have been read. */
    public boolean isDone() {
        return done;
    }

    private void open(Buffer buffer, int file) {
        if (buffer.openFile != file) {
            buffer.reader.open(manifest.files().get(file));
            buffer.openFile = file;
        }
    }

    private void read(Buffer buffer, int block) {
        open(buffer, nextFile - 1);
        buffer.block = block;
        buffer.reader.read(block, buffer.rows);
        while (buffer.rows.next()) {
            check.add(buffer.rows);
        }
        buffer.reader.rewind(block, buffer.rows);
    }

    /** Those of the wanted buckets and of replicated tables, in the order of the file. */
    private void chooseBlocks(BlockReader reader) {
        blocks = IntStream.range(0, reader.blocks())
                .filter(block -> reader.bucket(block) < 0 || buckets.test(reader.bucket(block)))
                .boxed()
                .sorted(Comparator.comparingLong(reader::position))
                .mapToInt(Integer::intValue)
                .toArray();
        nextBlock = 0;
    }

    /** Loader: the next block, or null if none is there yet. */
    Buffer poll() {
        return full.poll();
    }

    /** Loader: whether this stands behind the last block. */
    boolean isEnd(Buffer buffer) {
        return buffer == end;
    }

    /** Loader: has done with a block. */
    void giveBack(Buffer buffer) {
        free.offer(buffer);
    }

    /** Frees the buffers; neither thread uses them any more. */
    @Override
    public void close() {
        for (Buffer buffer : buffers) {
            buffer.reader.close();
        }
    }
}
