package io.reprise.recovery.run;

import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.durable.TransactionChanges;
import io.reprise.procedure.ProcedureException;
import io.reprise.record.data.DataCollector;
import io.reprise.runtime.agent.PublishedLong;
import io.reprise.runtime.memory.Memory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Images of the commands that a recovery on demand has run again, in the order in which it ran them. Runs that are made of their records then have
 * rows, as if the node had not ended. An image that has no room is left out.
 *
 * <pre>
 *   0  8  transaction id
 *   8  8  length of the payload
 *  16     payload of a data record, filled up to a multiple of 8 bytes
 * </pre>
 *
 * <p>The thread of a partition writes to the memory of its partition. The thread that sorts the log reads all of it when the loading is {@link
 * #over}.
 */
public final class ReplayedImages implements AutoCloseable {
    private static final long START = 64;
    private static final int HEADER = 2 * Long.BYTES;

    private static final long TOO_LARGE = Long.MAX_VALUE;

    private final long from;
    private final long to;
    private final long bytes;

    /** By slot. */
    private final DataCollector[] collectors;

    private final TransactionChanges changes;
    private final Memory[] memories;
    private final long[] ends;
    private final PublishedLong over = new PublishedLong();

    // The reader's.

    /** By transaction id, the address of the image and the slot; empty before the first search. */
    private final Map<Long, Long> places = new TreeMap<>();

    private boolean searched;

    private Memory found;
    private long foundAt;

    /**
     * Images of none.
     *
     * @param partitions of the node, by slot
     * @param from records below this log position need no images
     * @param to the end of the log that is recovered
     * @param differential whether only the changed columns of a row are kept
     * @param bytes the room for images of each partition; memory is taken as it is used
     */
    public ReplayedImages(List<Partition> partitions, long from, long to, boolean differential, long bytes) {
        this.from = from;
        this.to = to;
        this.bytes = bytes;
        collectors = partitions.stream()
                .map(partition -> new DataCollector(partition.store(), differential))
                .toArray(DataCollector[]::new);
        changes = new TransactionChanges(partitions.getFirst().peers(), collectors);
        memories = new Memory[collectors.length];
        ends = new long[collectors.length];
        for (int slot = 0; slot < memories.length; slot++) {
            memories[slot] = Memory.reserve(START + bytes + Memory.HUGE_PAGE);
            ends[slot] = START;
        }
    }

    /** The thread of a partition: keeps the changes of a command that is about to commit there alone. */
    public void keep(Partition at, long transactionId, long position) {
        DataCollector collector = collectors[at.slot()];
        if (position >= from && hasRoom(at.slot(), room(() -> collector.collect(true)))) {
            long payload = ends[at.slot()] + HEADER;
            end(at.slot(), transactionId, collector.writeTo(memories[at.slot()], payload));
        }
    }

    /** The same for a command with several participants, all of which are lent to the thread. */
    public void keepLent(Partition at, Execution execution, long transactionId, long position) {
        if (position >= from && hasRoom(at.slot(), room(() -> changes.collect(execution)))) {
            long payload = ends[at.slot()] + HEADER;
            end(at.slot(), transactionId, changes.writeTo(memories[at.slot()], payload, execution));
        }
    }

    /** Returns the room for changes, or {@link #TOO_LARGE}. */
    private static long room(LongSupplier collected) {
        try {
            return collected.getAsLong();
        } catch (ProcedureException e) {
            return TOO_LARGE;
        }
    }

    private boolean hasRoom(int slot, long room) {
        return room <= bytes - (ends[slot] - START) - HEADER - Long.BYTES;
    }

    private void end(int slot, long transactionId, long payloadEnd) {
        long entry = ends[slot];
        memories[slot].putLong(entry, transactionId);
        memories[slot].putLong(entry + Long.BYTES, payloadEnd - entry - HEADER);
        ends[slot] = payloadEnd + Long.BYTES - 1 & -Long.BYTES;
    }

    /** The loading agent's thread, which has heard of the end of all that partitions did for it: no image comes any more. */
    public void over() {
        over.set(1);
    }

    /** Any thread: whether no image comes any more. */
    boolean isOver() {
        return over.get() != 0;
    }

    /** The end of the log that was recovered. */
    long end() {
        return to;
    }

    /** Reader, when it is over: moves to the image of a command, which may be absent. */
    boolean find(long transactionId) {
        if (!searched) {
            searched = true;
            collect();
        }
        Long place = places.get(transactionId);
        if (place == null) {
            return false;
        }
        found = memories[(int) (place % memories.length)];
        foundAt = place / memories.length;
        return true;
    }

    private void collect() {
        for (int slot = 0; slot < memories.length; slot++) {
            Memory memory = memories[slot];
            long at = START;
            while (at < ends[slot]) {
                places.put(memory.getLong(at), at * memories.length + slot);
                at += HEADER + memory.getLong(at + Long.BYTES) + Long.BYTES - 1 & -Long.BYTES;
            }
        }
    }

    /** Reader: the memory of the image that was found. */
    Memory memory() {
        return found;
    }

    /** Reader: the address of its payload. */
    long payload() {
        return foundAt + HEADER;
    }

    /** Reader: the length of its payload. */
    int payloadBytes() {
        return (int) found.getLong(foundAt + Long.BYTES);
    }

    /** Reader: no image is needed any more. */
    void forget() {
        places.clear();
        for (int slot = 0; slot < memories.length; slot++) {
            memories[slot].discard(START, ends[slot] - START);
        }
    }

    /** When no thread uses it any more. */
    @Override
    public void close() {
        for (Memory memory : memories) {
            memory.close();
        }
    }
}
