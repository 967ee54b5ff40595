package io.reprise.log;

import io.reprise.runtime.Invariants;

/**
 * Takes entries from all rings into a batch, in an order that each partition's own order is part of: the record of a
 * transaction over several partitions is taken only when each of them has been emptied up to its place in it, and none
 * is emptied beyond that before. So every prefix of the log is a state that the database could have been in.
 *
 * <p>Owned by the log writer.
 */
final class RingDrain {
    private final RingCursor[] cursors;
    private final LogBatch batch;
    private final SnapshotMarks marks;
    private int first;
    private boolean stopped;

    RingDrain(PartitionLog[] logs, LogBatch batch, SnapshotMarks marks) {
        this.batch = batch;
        this.marks = marks;
        this.cursors = new RingCursor[logs.length];
        for (int i = 0; i < logs.length; i++) {
            Invariants.check(logs[i].ring() == i, "logs must be in the order of their rings", i);
            cursors[i] = logs[i].cursor();
        }
    }

    /** A new batch has begun; another ring is first this time, so that none starves. */
    void begin() {
        stopped = false;
        first = first + 1 < cursors.length ? first + 1 : 0;
    }

    /** Whether something is left that the batch, or its segment, has no room for. */
    boolean isStopped() {
        return stopped;
    }

    /** Whether a site asks for a force of what it has published. To be called before {@link #fill}. */
    boolean noteAsks() {
        boolean asked = false;
        for (RingCursor cursor : cursors) {
            asked |= cursor.noteAsks();
        }
        return asked;
    }

    /** Notes that all records taken so far have been forced. Ends the requests if the ring is empty. */
    void answerAsks() {
        if (!stopped) {
            for (RingCursor cursor : cursors) {
                cursor.answerAsks();
            }
        }
    }

    /** Takes what there is. Returns how many entries. */
    int fill() {
        int taken = 0;
        int before;
        do {
            before = taken;
            for (int i = 0; i < cursors.length && !stopped; i++) {
                int index = first + i;
                taken += fillFrom(cursors[index < cursors.length ? index : index - cursors.length]);
            }
        } while (taken > before && !stopped);
        if (taken > 0) {
            for (RingCursor cursor : cursors) {
                cursor.release();
            }
        }
        return taken;
    }

    /** Records taken up to now have been written. */
    void markWritten() {
        marks.markWritten();
        for (RingCursor cursor : cursors) {
            cursor.markWritten();
        }
    }

    /** Records written up to now have been forced. Returns whether that is news to anyone. */
    boolean publishDurable() {
        boolean news = false;
        for (RingCursor cursor : cursors) {
            news |= cursor.publishDurable();
        }
        return news;
    }

    long waitingBytes() {
        long bytes = 0;
        for (RingCursor cursor : cursors) {
            bytes += cursor.waitingBytes();
        }
        return bytes;
    }

    /** The bytes of records that wait beside the rings. */
    long spilledBytes() {
        long bytes = 0;
        for (RingCursor cursor : cursors) {
            bytes += cursor.spilledBytes();
        }
        return bytes;
    }

    private int fillFrom(RingCursor cursor) {
        int taken = 0;
        while (cursor.hasEntry()) {
            if (cursor.type() == RingEntry.JOIN || cursor.participants() > 0 && !haveArrived(cursor)) {
                break;
            }
            if (!takeRecord(cursor)) {
                stopped = true;
                break;
            }
            passOthers(cursor);
            cursor.pass();
            taken++;
        }
        return taken;
    }

    private boolean takeRecord(RingCursor cursor) {
        if (!batch.fits(cursor.payloadBytes())) {
            return false;
        }
        batch.append(cursor);
        if (cursor.kind() == RecordKind.SNAPSHOT_BEGIN.code()) {
            marks.add(cursor.transactionId(), batch.cutFrame());
        }
        return true;
    }

    private boolean haveArrived(RingCursor home) {
        long transaction = home.transactionId();
        for (int i = 0; i < home.participants(); i++) {
            if (!cursors[home.participant(i)].isAt(transaction, home.ring())) {
                return false;
            }
        }
        return true;
    }

    private void passOthers(RingCursor home) {
        for (int i = 0; i < home.participants(); i++) {
            cursors[home.participant(i)].pass();
        }
    }
}
