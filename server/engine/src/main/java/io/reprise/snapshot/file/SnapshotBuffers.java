package io.reprise.snapshot.file;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.image.RowImageCodec;

/** The memory in which snapshots are put together; one snapshot after the other uses it. Owned by the snapshot's thread. */
public final class SnapshotBuffers implements AutoCloseable {
    /** An address of the scratch memory, with room for a row's head. */
    static final long SCRATCH = Memory.PAGE;

    /** Another one, with room for an image that is made of the largest copy. */
    static final long IMAGE = SCRATCH + 64;

    private final BucketBuffers waiting;
    private final BlockPacker packer = new BlockPacker();
    private final Memory scratch =
            Memory.reserve(IMAGE + 2 * RowBatch.MOST_COPY + RowImageCodec.SLACK + Memory.HUGE_PAGE);

    /** Room for so many bytes of rows that wait for others of their bucket. */
    public SnapshotBuffers(long waitingBytes) {
        waiting = new BucketBuffers(waitingBytes);
    }

    void begin() {
        waiting.clear();
        packer.begin();
    }

    BucketBuffers waiting() {
        return waiting;
    }

    BlockPacker packer() {
        return packer;
    }

    Memory scratch() {
        return scratch;
    }

    /** Gives memory back to the operating system until the next snapshot. */
    public void trim() {
        waiting.trim();
    }

    @Override
    public void close() {
        waiting.close();
        packer.close();
        scratch.close();
    }
}
