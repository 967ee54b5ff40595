package io.reprise.client;

/**
 * The calls under way on a connection. A place is used again only when its reply has come, even if the caller has given
 * up. The upper bits of a call's number on the wire count the uses of its place. So a reply that comes late, or twice, can't be taken
 * for that of another call. Guarded by the connection's monitor.
 */
final class CallTable {
    /** The usual bound of a number: four bytes of a varint. */
    private static final int NUMBER_BITS = 28;

    private static final int LEAST_USE_BITS = 8;

    private final ReplyHandler[] handlers;
    private final long[] cookies;
    private final long[] deadlinesNs;
    private final int[] lengths;
    private final boolean[] used;
    private final int[] uses;
    private final int placeBits;
    private final int useMask;
    private final int[] free;
    private final CallWindow window;
    private int freeCount;
    private int looked;

    CallTable(int capacity) {
        handlers = new ReplyHandler[capacity];
        cookies = new long[capacity];
        deadlinesNs = new long[capacity];
        lengths = new int[capacity];
        used = new boolean[capacity];
        uses = new int[capacity];
        placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(capacity);
        useMask = (1 << Math.max(LEAST_USE_BITS, NUMBER_BITS - placeBits)) - 1;
        free = new int[capacity];
        for (int i = 0; i < capacity; i++) {
            free[i] = capacity - 1 - i;
        }
        freeCount = capacity;
        window = new CallWindow(capacity);
    }

    /** The number of all places that may be used. */
    CallWindow window() {
        return window;
    }

    /** Returns the number of the new call, of so many bytes, for the wire: not 0. */
    long begin(ReplyHandler handler, long cookie, long timeoutNs, int length) {
        int index = free[--freeCount];
        window.begun(length);
        lengths[index] = length;
        used[index] = true;
        handlers[index] = handler;
        cookies[index] = cookie;
        deadlinesNs[index] = timeoutNs == 0 ? Long.MAX_VALUE : System.nanoTime() + timeoutNs;
        uses[index] = uses[index] + 1 & useMask;
        return number(index);
    }

    private long number(int index) {
        return (long) uses[index] << placeBits | index + 1;
    }

    /** The place of a call by its number, or -1 if it is not under way. */
    int find(long number) {
        int index = (int) (number & (1L << placeBits) - 1) - 1;
        return index >= 0 && index < used.length && used[index] && number(index) == number ? index : -1;
    }

    /** The handler that waits for the reply; null if none does any more. */
    ReplyHandler handler(int index) {
        return handlers[index];
    }

    long cookie(int index) {
        return cookies[index];
    }

    /** The reply has come. */
    void end(int index) {
        handlers[index] = null;
        used[index] = false;
        free[freeCount++] = index;
        window.ended(lengths[index]);
    }

    /** Abandons a call: its caller no longer waits for the reply. */
    void abandon(int index) {
        handlers[index] = null;
    }

    /** A call whose time is over, or -1 if there is none; looks at each once until there is none. */
    int overdue(long nowNs) {
        for (; looked < used.length; looked++) {
            if (handlers[looked] != null && deadlinesNs[looked] != Long.MAX_VALUE && nowNs - deadlinesNs[looked] > 0) {
                return looked++;
            }
        }
        looked = 0;
        return -1;
    }

    /** Fails all calls that wait, and returns their number. The table is not used any more. */
    int failAll(CallException why) {
        int count = 0;
        for (int i = 0; i < handlers.length; i++) {
            ReplyHandler handler = handlers[i];
            handlers[i] = null;
            if (handler != null) {
                count++;
                GuardedHandlers.failed(handler, cookies[i], why);
            }
        }
        return count;
    }
}
