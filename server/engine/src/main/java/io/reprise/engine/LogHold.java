package io.reprise.engine;

import io.reprise.runtime.agent.PublishedLong;

/**
 * The part of the log that one reader beside the transactions needs, as a repair. Segments from its position on are not used again meanwhile. The
 * reader's thread sets it; the snapshots' thread reads it.
 *
 * <p>A removal that has begun before may still take segments: a reader that misses one begins anew.
 */
final class LogHold {
    private final PublishedLong from = new PublishedLong();

    LogHold() {
        release();
    }

    /** Holds the log from a position on. */
    void hold(long position) {
        from.set(position);
    }

    /** Needs nothing any more. */
    void release() {
        from.set(Long.MAX_VALUE);
    }

    /** The position; {@code Long.MAX_VALUE} for nothing. */
    long from() {
        return from.get();
    }
}
