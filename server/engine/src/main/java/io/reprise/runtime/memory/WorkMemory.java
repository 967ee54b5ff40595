package io.reprise.runtime.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * The Java heap that the running transaction of a partition may use for rows that it collects: results, sorted,
 * grouped or set aside rows, queued executions. Buffers ask when they grow, which is seldom, because each doubles.
 * The little that they keep between transactions is not counted. Owned by the partition's thread, like its memory.
 *
 * <p>A transaction that passes the limit ends, even if its procedure catches the exception: without these rows it
 * would do something else when it is run again under another limit. Replay has no limit: a transaction that committed
 * once had room.
 */
public final class WorkMemory {
    /** No limit. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final int MOST_ELEMENTS = Integer.MAX_VALUE - 16;

    private final LimitErrors errors;
    private final List<Holder> large = new ArrayList<>();
    private long limit = UNLIMITED;
    private long resultLimit = UNLIMITED;
    private long taken;
    private RuntimeException exceeded;

    /** Something that is used again and may become too large to be kept. */
    @FunctionalInterface
    public interface Holder {
        /** Becomes small. */
        void letGo();
    }

    /** Work memory without a limit. */
    public WorkMemory(LimitErrors errors) {
        this.errors = errors;
    }

    /** Bounds the transactions from the next on. */
    public void limitTo(long bytes) {
        limit = bytes;
    }

    /** A transaction begins: nothing is taken, and what became large in the last one is let go. */
    public void begin() {
        resultLimit = UNLIMITED;
        exceeded = null;
        if (!large.isEmpty()) {
            large.forEach(Holder::letGo);
            large.clear();
        }
        taken = 0;
    }

    /** Limits the running transaction's result to the bytes that its client may be sent. */
    public void limitResult(long bytes) {
        resultLimit = bytes;
    }

    /** This has become too large to be kept: it lets go when the next transaction begins. */
    public void letGoAfterwards(Holder holder) {
        if (!large.contains(holder)) {
            large.add(holder);
        }
    }

    /** Takes bytes. Throws MEMORY_LIMIT. */
    public void take(long bytes) {
        if (bytes > limit - taken) {
            throw exceeded();
        }
        taken += bytes;
    }

    /** Gives back what was taken. Something that was kept from an earlier transaction was not. */
    public void giveBack(long bytes) {
        taken = Math.max(0, taken - bytes);
    }

    /**
     * Takes the memory by which an array grows: it doubles if so much is left, and gets at least the needed length.
     * Throws MEMORY_LIMIT.
     *
     * @return the array's new length
     */
    public int grow(int length, long needed, int elementBytes) {
        long wanted = Math.min(MOST_ELEMENTS, Math.max(needed, 2L * length));
        long more = Math.min(wanted - length, (limit - taken) / elementBytes);
        if (length + more < needed) {
            throw exceeded();
        }
        taken += more * elementBytes;
        return (int) (length + more);
    }

    /** Strings that a statement makes lie elsewhere and have the same limit. Throws MEMORY_LIMIT. */
    public void checkStrings(long bytes) {
        if (bytes > limit) {
            throw exceeded();
        }
    }

    /** A result has so many rows and will get more, each of which takes that much at least when it is sent. */
    public void checkResult(long rows, long leastBytes) {
        if (rows > resultLimit / leastBytes) {
            throw errors.resultTooLarge("the result has more than the " + resultLimit
                    + " bytes that the server sends (clients.largestResult in its configuration): with row "
                    + rows + " it came to " + rows * leastBytes
                    + " at least, and the statement was ended; ask for fewer rows at a time, with a condition or"
                    + " LIMIT");
        }
    }

    /** At a procedure's end: throws once more what it may have caught. */
    public void checkNotExceeded() {
        if (exceeded != null) {
            throw exceeded;
        }
    }

    private RuntimeException exceeded() {
        exceeded = errors.memoryLimit("the transaction would need more than the " + limit
                + " bytes of work memory that it may have in a partition (engine.workMemory in the configuration,"
                + " Options.workMemory) for rows that it collects, sorts, groups or queues; it was rolled back: let"
                + " it meet fewer rows, with a condition or LIMIT, do it in pieces, or raise the setting");
        return exceeded;
    }
}
