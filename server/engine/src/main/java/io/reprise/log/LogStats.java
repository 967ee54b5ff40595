package io.reprise.log;

import io.reprise.runtime.agent.PublishedLong;
import io.reprise.runtime.metric.Distribution;
import io.reprise.runtime.metric.Histogram;

/**
 * The counters of the log writer. Set by the log writer, read by any thread; each number for itself, not all of one
 * moment.
 */
public final class LogStats {
    private final PublishedLong flushes = new PublishedLong();
    private final Histogram flushTimes = new Histogram();
    private final PublishedLong records = new PublishedLong();
    private final PublishedLong recordBytes = new PublishedLong();
    private final PublishedLong writtenBytes = new PublishedLong();
    private final PublishedLong zeroedBytes = new PublishedLong();
    private final PublishedLong reusedSegments = new PublishedLong();
    private final PublishedLong largestBatch = new PublishedLong();
    private final PublishedLong pendingBytes = new PublishedLong();
    private final PublishedLong position = new PublishedLong();
    private final PublishedLong durable = new PublishedLong();
    private final PublishedLong busySinceNs = new PublishedLong();

    LogStats() {}

    /** The number of batches written and forced. */
    public long flushes() {
        return flushes.get();
    }

    /** The times of writing and forcing each of them. */
    public Distribution flushTimes() {
        return flushTimes.distribution();
    }

    /** The number of records written. */
    public long records() {
        return records.get();
    }

    /** Their bytes, before compression, without frames and padding. */
    public long recordBytes() {
        return recordBytes.get();
    }

    /** The number of bytes written, with frames and padding. */
    public long writtenBytes() {
        return writtenBytes.get();
    }

    /** The bytes of new segments that were filled with zeros before they were written. */
    public long zeroedBytes() {
        return zeroedBytes.get();
    }

    /** The number of segments made of spare ones, without zeros. */
    public long reusedSegments() {
        return reusedSegments.get();
    }

    /** The most records that one batch had. */
    public long largestBatch() {
        return largestBatch.get();
    }

    /** The bytes that waited in the rings when the last batch was written. */
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
        flushTimes.record(ns);
        raise(largestBatch, batchRecords);
        add(records, batchRecords);
        pendingBytes.set(pending);
    }

    void wrote(long bytes, long bytesOfRecords) {
        add(writtenBytes, bytes);
        add(recordBytes, bytesOfRecords);
    }

    void zeroed(long bytes) {
        add(zeroedBytes, bytes);
    }

    void reusedSegment() {
        add(reusedSegments, 1);
    }

    void positions(long written, long forced) {
        position.set(written);
        durable.set(forced);
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
