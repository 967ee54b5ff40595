package io.reprise.snapshot.file;

import java.util.concurrent.atomic.LongAdder;

/** The progress of the loading of a snapshot, over all partitions. Counted by the loaders' threads, read by any. */
public final class LoadProgress {
    private final LongAdder rows = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    void add(long moreRows, long moreBytes) {
        rows.add(moreRows);
        bytes.add(moreBytes);
    }

    /** Rows loaded; those of replicated tables count once for each partition. */
    public long rows() {
        return rows.sum();
    }

    /** Bytes of files read. */
    public long bytes() {
        return bytes.sum();
    }
}
