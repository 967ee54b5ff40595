package io.reprise.log;

import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.StorageException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Puts batches into segments, one behind the other, and goes from one segment to the next. Knows what has been written
 * and what forced. Owned by the log writer.
 *
 * <p>The end of a segment is a reserve. While the next segment is neither made nor refused, nothing is written there:
 * once it is refused, the records that still wait in the rings need that room.
 */
final class SegmentWriter {
    private final LogTail tail;
    private final LogSettings settings;
    private final LogBatch batch;
    private final LogStats stats;
    private final long reserveBytes;
    private final LogDirectory directory;
    private final FrameChecksum checksum;
    private final SegmentAhead ahead;
    private final MemorySegment headerBlock = Arena.ofAuto().allocate(LogFormat.BLOCK, Long.BYTES);

    private DataFile file;

    /** The next segment's file, as soon as it was taken. */
    private DataFile next;

    private long start;
    private long bytes;
    private long position;
    private long durable;
    private int previousCrc;
    private boolean headerWaits;

    /** Whether the batch has been begun without the reserve. */
    private boolean keepsReserve;

    /** A writer that keeps so many bytes at the end of each segment. */
    SegmentWriter(LogTail tail, LogSettings settings, LogBatch batch, LogStats stats, long reserveBytes) {
        this.tail = tail;
        this.settings = settings;
        this.batch = batch;
        this.stats = stats;
        this.reserveBytes = reserveBytes;
        this.directory = tail.directory();
        this.checksum = new FrameChecksum(tail.database());
        this.ahead = new SegmentAhead(new SegmentPreparer(tail, stats), settings.segmentBytes());
    }

    /** Makes the next segment. */
    SegmentAhead ahead() {
        return ahead;
    }

    /** Goes on at the end of a log that has been settled. */
    void open() {
        file = directory.store().open(directory.path(tail.segmentPosition()));
        start = tail.segmentPosition();
        bytes = tail.segmentBytes();
        position = tail.position();
        durable = tail.position();
        previousCrc = tail.previousCrc();
        if (position == start) {
            makeHeader();
        }
        nextToPrepare();
        beginBatch();
    }

    /** Behind what was written. */
    long position() {
        return position;
    }

    /** Behind what was forced. */
    long durable() {
        return durable;
    }

    boolean hasUnforced() {
        return durable != position;
    }

    /** Makes the batch ready for what comes behind what was written. */
    void beginBatch() {
        batch.trim();
        keepsReserve = !knowsNext();
        long room = start + bytes - LogFormat.BLOCK - position - (keepsReserve ? reserveBytes : 0);
        batch.begin(start, position, room, durable, previousCrc);
    }

    /** Begins the empty batch again with the reserve, if it was kept back until now. Returns whether there was one to open. */
    boolean openReserve() {
        if (!keepsReserve || !knowsNext()) {
            return false;
        }
        beginBatch();
        return true;
    }

    /** Whether the next segment has been made or refused, or is left to the writer. */
    private boolean knowsNext() {
        if (next == null && !ahead.isLeftToWriter()) {
            next = ahead.take();
            return next != null || ahead.shortage() != null;
        }
        return true;
    }

    /** Writes the batch. If it throws, all of it can be written again. */
    void write() {
        writeHeader();
        file.write(batch.position() - start, batch.bytes());
        position = batch.position() + batch.size();
        previousCrc = batch.lastCrc();
        stats.wrote(batch.size(), batch.recordBytes());
    }

    void force() {
        writeHeader();
        file.force();
        durable = position;
    }

    /** Whether there is a next segment. It is made on this thread if no other thread makes it. Throws the failure of making it. */
    boolean hasNext() {
        if (next == null) {
            if (ahead.isLeftToWriter()) {
                ahead.finish();
            }
            next = ahead.take();
        }
        StorageException shortage = ahead.shortage();
        if (next == null && shortage != null) {
            throw shortage;
        }
        if (next == null) {
            // All that is left of it is to be made at once, however little of this segment, which may be a small one,
            // is used.
            ahead.used(settings.segmentBytes());
        }
        return next != null;
    }

    /**
     * Marks the end of the segment and goes on in the next, which there is. The mark is durable before anything is written
     * there: else the log would seem to end here.
     */
    void roll() {
        batch.begin(start, position, LogFormat.BLOCK, durable, previousCrc);
        batch.appendEndMark();
        batch.finish();
        try {
            write();
        } catch (StorageException e) {
            beginBatch();
            throw e;
        }
        file.force();
        file.close();
        start += bytes;
        bytes = settings.segmentBytes();
        file = next;
        next = null;
        position = start;
        durable = start;
        makeHeader();
        nextToPrepare();
        beginBatch();
    }

    /** Works a little on the next segment, if it is behind and no other thread makes it. Returns whether it did. */
    boolean prepareAhead(long nowNs) {
        ahead.used(position - start);
        return ahead.isLeftToWriter() && ahead.doWork(nowNs) > 0;
    }

    /** Why the next segment could not be made when that was last tried; null if it could. */
    String shortage() {
        StorageException shortage = ahead.shortage();
        return shortage == null ? null : shortage.getMessage();
    }

    /** The number of bytes of this one that are left for records. */
    long room() {
        return bytes - (position - start);
    }

    void close() {
        if (file != null) {
            file.close();
        }
        if (next != null) {
            next.close();
        }
        if (!ahead.isAttended()) {
            ahead.close();
        }
    }

    private void makeHeader() {
        previousCrc = LogFormat.putSegmentHeader(headerBlock, checksum, tail.database(), start, bytes, previousCrc);
        position = start + LogFormat.BLOCK;
        headerWaits = true;
    }

    private void writeHeader() {
        if (headerWaits) {
            file.write(0, headerBlock);
            headerWaits = false;
        }
    }

    private void nextToPrepare() {
        ahead.want(start + bytes);
    }
}
