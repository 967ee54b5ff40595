package io.reprise.net.client;

import io.reprise.wire.Wire;
import java.util.ArrayList;
import java.util.List;

/**
 * The frames of replies that a site is writing, one for each connection that has any: they are handed over when the connection's
 * last ones have gone out, or when they are long. Owned by the site.
 */
final class ReplyFrames {
    private static final int FULL_FRAME_BYTES = 32 << 10;

    /** A frame of that length is not waited with until the site has ended all that it runs now. */
    private static final int LONG_FRAME_BYTES = 256 << 10;

    private static final int WRITER_BYTES = 1 << 10;

    /** What a long frame grows to: to make its memory anew takes longer than to write it. */
    private static final int LARGEST_POOLED_BYTES = 2 * LONG_FRAME_BYTES;

    private static final int MOST_POOLED_BYTES = 8 << 20;

    /**
     * Where calls wait for some hundredths of a second, their replies can wait for a thousandth: each frame wakes threads at both
     * sides, which is the more of their work the fewer replies there are in it.
     */
    private static final long LOADED_PAUSE_NS = 1_000_000;

    private final WriterPool pool;
    private final List<Outbox> begun = new ArrayList<>();
    private long handedOverNs;
    private int lastLoad;

    /** Results are encoded up to that length. */
    ReplyFrames(int maxResultBytes, EncodedColumns columns) {
        this(new WriterPool(WRITER_BYTES, maxResultBytes, columns, LARGEST_POOLED_BYTES, MOST_POOLED_BYTES));
    }

    /** Replies are written by these. */
    ReplyFrames(WriterPool pool) {
        this.pool = pool;
    }

    /** Where to write a reply. If there is no memory for that this throws, and everything is as it was. */
    ResultWriter of(Outbox outbox) {
        boolean first = outbox.replies == null;
        if (first || outbox.replies.bytes().length() >= LONG_FRAME_BYTES) {
            // What needs memory comes first: those that have begun have a writer, and those that have one have begun.
            ResultWriter next = pool.take();
            int frame = next.bytes().beginFrame(Wire.REPLIES);
            if (first) {
                begun.add(outbox);
            } else {
                send(outbox);
            }
            outbox.replies = next;
            outbox.frame = frame;
        }
        return outbox.replies;
    }

    private void send(Outbox outbox) {
        outbox.replies.load(lastLoad);
        outbox.replies.bytes().endFrame(outbox.frame);
        outbox.connection.send(outbox.replies.bytes());
        pool.giveBack(outbox.replies);
        outbox.replies = null;
    }

    /**
     * Replies of a connection whose last ones are still on their way wait for more to come, unless the site has nothing else
     * to do, so would not look after them soon. Returns whether some wait only for a moment to pass, so this has to be called again.
     *
     * @param load how long calls wait, as clients are told it
     */
    boolean handOver(boolean all, int load, long nowNs) {
        if (begun.isEmpty()) {
            return false;
        }
        if (load > 0 && nowNs - handedOverNs < LOADED_PAUSE_NS) {
            return true;
        }
        handedOverNs = nowNs;
        lastLoad = load;
        int kept = 0;
        for (int i = 0; i < begun.size(); i++) {
            Outbox outbox = begun.get(i);
            if (all
                    || outbox.replies.bytes().length() >= FULL_FRAME_BYTES
                    || outbox.connection.unread().bytes() == 0) {
                send(outbox);
            } else {
                begun.set(kept++, outbox);
            }
        }
        while (begun.size() > kept) {
            begun.removeLast();
        }
        return false;
    }
}
