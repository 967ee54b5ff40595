package io.reprise.net.reprise;

import io.reprise.wire.MessageWriter;
import java.util.ArrayDeque;

/** A pool of writers of replies; the last one returned is taken first, because it is in the processor's cache. Owned by a site. */
final class WriterPool {
    private final int firstBytes;
    private final int maxResultBytes;
    private final EncodedColumns columns;
    private final int mostBytesOfOne;
    private final long mostBytesOfAll;
    private final ArrayDeque<ResultWriter> writers = new ArrayDeque<>();
    private long bytes;

    /**
     * A pool.
     *
     * @param firstBytes the capacity of a new writer
     * @param maxResultBytes the longest result
     * @param columns the site's encoded columns
     * @param mostBytesOfOne writers that have grown beyond this are dropped
     * @param mostBytesOfAll the most bytes that all kept writers have
     */
    WriterPool(int firstBytes, int maxResultBytes, EncodedColumns columns, int mostBytesOfOne, long mostBytesOfAll) {
        this.firstBytes = firstBytes;
        this.maxResultBytes = maxResultBytes;
        this.columns = columns;
        this.mostBytesOfOne = mostBytesOfOne;
        this.mostBytesOfAll = mostBytesOfAll;
    }

    /** Takes an empty writer. */
    ResultWriter take() {
        ResultWriter writer = writers.poll();
        if (writer == null) {
            return new ResultWriter(new MessageWriter(firstBytes), maxResultBytes, columns);
        }
        bytes -= writer.bytes().capacity();
        return writer;
    }

    /** Returns a writer that is no longer needed. */
    void giveBack(ResultWriter writer) {
        int capacity = writer.bytes().capacity();
        if (capacity <= mostBytesOfOne && bytes + capacity <= mostBytesOfAll) {
            bytes += capacity;
            writer.bytes().clear();
            writers.push(writer);
        }
    }
}
