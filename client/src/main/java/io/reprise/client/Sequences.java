package io.reprise.client;

/**
 * The sequence numbers of calls, by which servers recognise repetitions. It knows the number up to which all calls have ended, whose
 * outcomes servers may drop. Any thread.
 */
final class Sequences {
    /** Servers remember as many. */
    private static final int WINDOW = 1 << 14;

    private final boolean[] ended = new boolean[WINDOW];
    private long next = 1;
    private volatile long lowest = 1;

    /** A number, or 0 if the oldest call that has not ended is too far back: then the call can't be made again. */
    synchronized long begin() {
        if (next - lowest >= WINDOW) {
            return 0;
        }
        return next++;
    }

    /** The client knows what became of the call, or will not ask any more. It may say so twice. */
    synchronized void end(long sequence) {
        if (sequence < lowest) {
            return;
        }
        ended[(int) sequence & WINDOW - 1] = true;
        long low = lowest;
        while (low < next && ended[(int) low & WINDOW - 1]) {
            ended[(int) low & WINDOW - 1] = false;
            low++;
        }
        lowest = low;
    }

    /** All calls with lower numbers have ended. */
    long acknowledged() {
        return lowest;
    }
}
