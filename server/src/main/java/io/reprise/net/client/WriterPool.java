package io.reprise.net.client;

import io.reprise.wire.MessageWriter;
import java.util.ArrayDeque;

/** Writers of replies that are used again; the one that was given back last first, because it is in the cache. Owned by a site. */
final class WriterPool {
    private final int firstBytes;
    private final int maxResultBytes;
    private final int most;
    private final int mostBytes;
    private final ArrayDeque<ResultWriter> writers = new ArrayDeque<>();

    /**
     * A pool.
     *
     * @param firstBytes what a new writer has room for
     * @param maxResultBytes results are written up to that length
     * @param most so many are kept
     * @param mostBytes those are kept that have not grown beyond
     */
    WriterPool(int firstBytes, int maxResultBytes, int most, int mostBytes) {
        this.firstBytes = firstBytes;
        this.maxResultBytes = maxResultBytes;
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /** An empty one. */
    ResultWriter take() {
        ResultWriter writer = writers.poll();
        return writer == null ? new ResultWriter(new MessageWriter(firstBytes), maxResultBytes) : writer;
    }

    /** Nobody needs it or what is in it any more. */
    void giveBack(ResultWriter writer) {
        if (writers.size() < most && writer.bytes().capacity() <= mostBytes) {
            writer.bytes().clear();
            writers.push(writer);
        }
    }
}
