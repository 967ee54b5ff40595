package io.reprise.net.reprise;

/** The queue of frames before a site. Any thread. */
interface FrameQueue {
    /** Adds a frame of calls and those that follow it; false if too many wait. */
    boolean offer(CallFrame frame);
}
