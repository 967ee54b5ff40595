package io.reprise.net.reprise;

import io.reprise.wire.Wire;
import java.util.ArrayList;
import java.util.List;

/**
 * The frames of replies that a site is writing, at most one for each connection. A frame is handed over when the connection's previous
 * replies have left, or when it is long. Owned by the site.
 */
final class ReplyFrames {
    private static final int FULL_FRAME_BYTES = 32 << 10;

    /** A frame of this length is sent at once, in the middle of a duty cycle. */
    private static final int LONG_FRAME_BYTES = 256 << 10;

    private static final int WRITER_BYTES = 1 << 10;

    /** The size that a long frame grows to: to allocate it again takes longer than to write it. */
    private static final int LARGEST_POOLED_BYTES = 2 * LONG_FRAME_BYTES;

    private static final int MOST_POOLED_BYTES = 8 << 20;

    /**
     * The pause between hand-overs under load: when calls wait for 10 ms and more, replies can wait for 1 ms. Each
     * frame wakes threads at both sides, so fewer and longer frames cost less.
     */
    private static final long LOADED_PAUSE_NS = 1_000_000;

    private final WriterPool pool;
    private final List<Outbox> begun = new ArrayList<>();
    private long handedOverNs;
    private int lastLoad;

    /** Frames of replies up to this length. */
    ReplyFrames(int maxResultBytes, EncodedColumns columns) {
        this(new WriterPool(WRITER_BYTES, maxResultBytes, columns, LARGEST_POOLED_BYTES, MOST_POOLED_BYTES));
    }

    /** Frames with writers of this pool. */
    ReplyFrames(WriterPool pool) {
        this.pool = pool;
    }

    /** The writer of a connection's next reply. If this throws for want of memory, nothing has changed. */
    ResultWriter of(Outbox outbox) {
        boolean first = outbox.replies == null;
        if (first || outbox.replies.bytes().length() >= LONG_FRAME_BYTES) {
            // Allocations come first, because outboxes in `begun` must have a writer, and no others.
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
        outbox.source.send(outbox.replies.bytes());
        pool.giveBack(outbox.replies);
        outbox.replies = null;
    }

    /**
     * Hands over frames that are due. Replies behind others that are still on their way wait for more, unless the site is idle and would
     * not come back soon. Returns whether replies wait for the pause to pass, so that this has to be called again.
     *
     * @param all whether the site is idle
     * @param load the queueing delay, as told to clients
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
                    || outbox.source.unread().bytes() == 0) {
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
