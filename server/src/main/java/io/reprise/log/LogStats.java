package io.reprise.log;

import io.reprise.runtime.agent.PublishedLong;

/**
 * What the log writer has done, for whoever shows it. Set by the log writer, read by any thread; each number for
 * itself, not all of one moment.
 */
public final class LogStats {
    private static final int BUCKETS = 64 * 4;

    private final PublishedLong flushes = new PublishedLong();
    private final PublishedLong flushNs = new PublishedLong();
    private final PublishedLong longestFlushNs = new PublishedLong();
    private final PublishedLong records = new PublishedLong();
    private final PublishedLong recordBytes = new PublishedLong();
    private final PublishedLong writtenBytes = new PublishedLong();
    private final PublishedLong largestBatch = new PublishedLong();
    private final PublishedLong pendingBytes = new PublishedLong();
    private final PublishedLong position = new PublishedLong();
    private final PublishedLong durable = new PublishedLong();
    private final PublishedLong busySinceNs = new PublishedLong();
    private final PublishedLong[] histogram = new PublishedLong[BUCKETS];

    LogStats() {
        for (int i = 0; i < BUCKETS; i++) {
            histogram[i] = new PublishedLong();
        }
    }

    /** How many batches were written and forced. */
    public long flushes() {
        return flushes.get();
    }

    /** How long writing and forcing them took, all together. */
    public long flushNs() {
        return flushNs.get();
    }

    /** How long the longest took. */
    public long longestFlushNs() {
        return longestFlushNs.get();
    }

    /** The time that the given fraction of flushes stayed below, to about a fifth. */
    public long flushNsAt(double fraction) {
        long total = 0;
        long[] counts = new long[BUCKETS];
        for (int i = 0; i < BUCKETS; i++) {
            counts[i] = histogram[i].get();
            total += counts[i];
        }
        long left = (long) Math.ceil(total * fraction);
        for (int i = 0; i < BUCKETS; i++) {
            left -= counts[i];
            if (left <= 0 && total > 0) {
                return Math.min(highestIn(i), longestFlushNs());
            }
        }
        return longestFlushNs();
    }

    /** How many records were written. */
    public long records() {
        return records.get();
    }

    /** How many bytes they have, before compression, without frames and padding. */
    public long recordBytes() {
        return recordBytes.get();
    }

    /** How many bytes were written, with frames and padding. */
    public long writtenBytes() {
        return writtenBytes.get();
    }

    /** The most records that one batch had. */
    public long largestBatch() {
        return largestBatch.get();
    }

    /** How many bytes waited in the rings when the last batch was written. */
    public long pendingBytes() {
        return pendingBytes.get();
    }

    /** Behind what was written last. */
    public long position() {
        return position.get();
    }

    /** Everything below this log position is on stable storage. */
    public long durable() {
        return durable.get();
    }

    /** For how long the writer has been at what it does now, which is waiting for the disk if it is long. */
    public long busyNs(long nowNs) {
        long since = busySinceNs.get();
        return since == 0 ? 0 : Math.max(0, nowNs - since);
    }

    void began(long nowNs) {
        busySinceNs.set(nowNs == 0 ? 1 : nowNs);
    }

    void ended() {
        busySinceNs.set(0);
    }

    void flushed(long ns, long batchRecords, long pending) {
        add(flushes, 1);
        add(flushNs, ns);
        raise(longestFlushNs, ns);
        raise(largestBatch, batchRecords);
        add(records, batchRecords);
        pendingBytes.set(pending);
        add(histogram[bucket(ns)], 1);
    }

    void wrote(long bytes, long bytesOfRecords) {
        add(writtenBytes, bytes);
        add(recordBytes, bytesOfRecords);
    }

    void positions(long written, long forced) {
        position.set(written);
        durable.set(forced);
    }

    /** Four buckets between a power of two and the next. */
    private static int bucket(long ns) {
        long value = Math.max(ns, 4);
        int exponent = 63 - Long.numberOfLeadingZeros(value);
        return exponent * 4 + (int) (value >>> exponent - 2 & 3);
    }

    private static long highestIn(int bucket) {
        int exponent = bucket / 4;
        return exponent < 2 ? 4 : (long) (4 + bucket % 4 + 1 << exponent - 2) - 1;
    }

    private static void add(PublishedLong number, long more) {
        number.set(number.get() + more);
    }

    private static void raise(PublishedLong number, long value) {
        if (value > number.get()) {
            number.set(value);
        }
    }
}
