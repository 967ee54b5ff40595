package io.reprise.net.client;

import io.reprise.wire.MessageWriter;
import io.reprise.wire.Wire;
import java.util.ArrayList;
import java.util.List;

/**
 * The frames of replies that a site is writing, one for each connection that has any: they are handed over when the connection's
 * last ones have gone out, or when they are long. Owned by the site.
 */
final class ReplyFrames {
    private static final int FULL_FRAME_BYTES = 32 << 10;
    private static final int WRITER_BYTES = 1 << 10;
    private static final int MAX_POOLED_BYTES = 1 << 17;
    private static final int MAX_POOLED_WRITERS = 64;

    private final WriterPool pool;
    private final List<Outbox> begun = new ArrayList<>();

    /** Results are encoded up to that length. */
    ReplyFrames(int maxResultBytes) {
        pool = new WriterPool(WRITER_BYTES, maxResultBytes, MAX_POOLED_WRITERS, MAX_POOLED_BYTES);
    }

    /** Where to write a reply. */
    ResultWriter of(Outbox outbox) {
        if (outbox.replies == null) {
            outbox.replies = pool.take();
            outbox.frame = outbox.replies.bytes().beginFrame(Wire.REPLIES);
            begun.add(outbox);
        }
        return outbox.replies;
    }

    /**
     * Replies of a connection whose last ones are still on their way wait for more to come, unless the site has nothing else
     * to do, so would not look after them soon.
     */
    void handOver(boolean all) {
        int kept = 0;
        for (int i = 0; i < begun.size(); i++) {
            Outbox outbox = begun.get(i);
            MessageWriter bytes = outbox.replies.bytes();
            if (all || bytes.length() >= FULL_FRAME_BYTES || !outbox.connection.isWriting()) {
                bytes.endFrame(outbox.frame);
                outbox.connection.send(bytes);
                pool.giveBack(outbox.replies);
                outbox.replies = null;
            } else {
                begun.set(kept++, outbox);
            }
        }
        while (begun.size() > kept) {
            begun.removeLast();
        }
    }
}
