package io.reprise.log;

/**
 * A source of log frames in log order: the segments of a log, an archive, or another node's stream. Confined to one thread.
 *
 * <p>An implementation checks what it delivers. A frame that follows no delivered one, or is damaged, is an exception.
 */
public interface FrameSource {
    /** Fills the frame with the next one that has records. Returns false if there is none, or a stream has none yet. */
    boolean next(LogFrame frame);

    /** The position of the next frame, or of a seal or end mark before it. */
    long position();

    /** The position at which the source ends, as far as it is known. */
    long end();
}
