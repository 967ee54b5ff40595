package io.reprise.snapshot.file;

import io.reprise.runtime.memory.Memory;

/** The memory in which snapshots are put together; one snapshot after the other uses it. Owned by the snapshot's thread. */
public final class SnapshotBuffers implements AutoCloseable {
    /** An address of the scratch memory. */
    static final long SCRATCH = Memory.PAGE;

    private final BucketBuffers waiting;
    private final BlockPacker packer = new BlockPacker();
    private final Memory scratch = Memory.reserve(2L * Memory.HUGE_PAGE);

    /** Room for so many bytes of rows that wait for others of their bucket. */
    public SnapshotBuffers(long waitingBytes) {
        waiting = new BucketBuffers(waitingBytes);
    }

    void begin() {
        waiting.clear();
        packer.clear();
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
