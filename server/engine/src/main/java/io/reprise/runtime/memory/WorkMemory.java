package io.reprise.runtime.memory;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.util.ArrayList;
import java.util.List;

/**
 * How much Java heap the running transaction of a partition may have for rows that it collects: results, what is sorted,
 * grouped or set aside, queued executions. Buffers ask when they grow, which is seldom, because each doubles; what they
 * keep from one transaction to the next is little and not counted. Owned by the partition's thread, like its memory.
 *
 * <p>Whoever goes past the limit ends the transaction, even if its procedure catches the exception: a transaction that
 * went on without these rows would not do the same when it is run again under another limit. While a log is replayed there
 * is none: what committed once had room.
 */
public final class WorkMemory {
    /** No limit. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final int MOST_ELEMENTS = Integer.MAX_VALUE - 16;

    private final List<Holder> large = new ArrayList<>();
    private long limit = UNLIMITED;
    private long resultLimit = UNLIMITED;
    private long taken;
    private ProcedureException exceeded;

    /** Something that is used again and may become too large to be kept. */
    @FunctionalInterface
    public interface Holder {
        /** Becomes small. */
        void letGo();
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

    /** The running transaction's result goes to somebody who is sent no more than this. */
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
     * Takes what an array grows by: it becomes twice as long if there is so much left, and as long as needed at least.
     * Throws MEMORY_LIMIT.
     *
     * @return how long it is to be
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
            throw new ProcedureException(
                    ErrorCode.RESULT_TOO_LARGE,
                    "the result has more than the " + resultLimit
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

    private ProcedureException exceeded() {
        exceeded = new ProcedureException(
                ErrorCode.MEMORY_LIMIT,
                "the transaction would need more than the " + limit
                        + " bytes of work memory that it may have in a partition (engine.workMemory in the configuration,"
                        + " Options.workMemory) for rows that it collects, sorts, groups or queues; it was rolled back: let"
                        + " it meet fewer rows, with a condition or LIMIT, do it in pieces, or raise the setting");
        return exceeded;
    }
}
