package io.reprise.runtime.order;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The promise of an initiator in this process, one atomic word: the id at or below which it sends nothing more, and, in
 * the sign bit, whether it is stamping at this moment.
 *
 * <pre>
 *  initiator                                     executor
 *  beginStamping: CAS p -> STAMPING|p            promiseAtLeast(t):
 *    stamps ids above p, enqueues them             CAS p -> t   if p is below t and the initiator is not stamping
 *  endStamping: set last id                        returns p    while the initiator is stamping
 * </pre>
 *
 * <p>An executor that has a promise for t sees everything that the initiator enqueued at or below t: the promise is
 * either the last id that {@link #endStamping} published after enqueueing, or it was raised from such a one by another
 * executor. While the initiator is stamping no executor can raise the promise, so the ids it makes stay above it.
 *
 * <p>The initiator pays one compare-and-set for each batch that it stamps; without other askers, it hits its own
 * cache. Owned by the initiator for stamping; any thread may ask.
 */
public final class InitiatorClock implements InitiatorPromise {
    private static final long STAMPING = Long.MIN_VALUE;
    /** In the middle of an array of four cache lines, so that it shares none with other data. */
    private static final int WORD = 16;

    private final AtomicLongArray state = new AtomicLongArray(2 * WORD);

    /** A promise to send nothing at or below the id; an initiator's ids begin above it. */
    public InitiatorClock(long promised) {
        state.setPlain(WORD, promised);
    }

    /** Initiator: begins a batch. Ids made until {@link #endStamping} must be above the returned one. */
    public long beginStamping() {
        while (true) {
            long promised = state.getPlain(WORD);
            if (state.compareAndSet(WORD, promised, promised | STAMPING)) {
                return promised;
            }
        }
    }

    /**
     * Initiator: ends the batch after its transactions have been enqueued.
     *
     * @param last the highest id that was made, or what {@link #beginStamping} returned if there was none
     */
    public void endStamping(long last) {
        state.setRelease(WORD, last);
    }

    /** The promise in force. */
    public long promised() {
        return state.getAcquire(WORD) & ~STAMPING;
    }

    @Override
    public long promiseAtLeast(long id) {
        while (true) {
            long current = state.getAcquire(WORD);
            if (current < 0) {
                return current & ~STAMPING;
            }
            if (current >= id) {
                return current;
            }
            if (state.compareAndSet(WORD, current, id)) {
                return id;
            }
        }
    }
}
