package io.reprise.net.client;

import io.reprise.wire.MessageWriter;
import java.util.ArrayDeque;

/** Writers of replies that are used again; the one that was given back last first, because it is in the cache. Owned by a site. */
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
     * @param firstBytes what a new writer has room for
     * @param maxResultBytes results are written up to that length
     * @param columns of the site
     * @param mostBytesOfOne those are kept that have not grown beyond
     * @param mostBytesOfAll and as many of them as have no more than this together
     */
    WriterPool(int firstBytes, int maxResultBytes, EncodedColumns columns, int mostBytesOfOne, long mostBytesOfAll) {
        this.firstBytes = firstBytes;
        this.maxResultBytes = maxResultBytes;
        this.columns = columns;
        this.mostBytesOfOne = mostBytesOfOne;
        this.mostBytesOfAll = mostBytesOfAll;
    }

    /** An empty one. */
    ResultWriter take() {
        ResultWriter writer = writers.poll();
        if (writer == null) {
            return new ResultWriter(new MessageWriter(firstBytes), maxResultBytes, columns);
        }
        bytes -= writer.bytes().capacity();
        return writer;
    }

    /** Nobody needs it or what is in it any more. */
    void giveBack(ResultWriter writer) {
        int capacity = writer.bytes().capacity();
        if (capacity <= mostBytesOfOne && bytes + capacity <= mostBytesOfAll) {
            bytes += capacity;
            writer.bytes().clear();
            writers.push(writer);
        }
    }
}
