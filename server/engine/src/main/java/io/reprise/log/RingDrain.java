package io.reprise.log;

import io.reprise.runtime.Invariants;
import java.util.Arrays;

/**
 * Takes entries from all rings into a batch, in an order that each partition's own order is part of: the record of a
 * transaction over several partitions is taken only when each of them has been emptied up to its place in it, and none
 * is emptied beyond that before. So every prefix of the log is a state that the database could have been in.
 *
 * <p>No other order is needed between rings, so short records go ahead of long ones. A ring has a share of the batch; beyond it only if no other
 * ring has anything. A ring that was left behind is the first one of the next batch, and gets at least one record into it.
 *
 * <p>Owned by the log writer.
 */
final class RingDrain {
    private final RingCursor[] cursors;
    private final LogBatch batch;
    private final SnapshotMarks marks;
    private final long share;

    /** By ring, the bytes of its records in the batch. */
    private final long[] bytes;

    private int first;

    /** The ring that is the first one of the next batch, because it was left behind; -1: none was. */
    private int behind = -1;

    /** The same of this batch: it is owed a record, however long. */
    private int owed = -1;

    private boolean stopped;

    RingDrain(PartitionLog[] logs, LogBatch batch, long share, SnapshotMarks marks) {
        this.batch = batch;
        this.share = share;
        this.bytes = new long[logs.length];
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
        // Behind a change of segments it is still owed its record.
        boolean isStillOwed = owed >= 0 && bytes[owed] == 0;
        owed = isStillOwed ? owed : behind;
        behind = -1;
        int next = first + 1 < cursors.length ? first + 1 : 0;
        first = owed >= 0 ? owed : next;
        Arrays.fill(bytes, 0);
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
        if (!stopped && behind < 0) {
            for (RingCursor cursor : cursors) {
                cursor.answerAsks();
            }
        }
    }

    /** Takes what there is, or what the batch has room for. Returns how many entries. */
    int fill() {
        int taken = fillFromAll(share);
        if (behind >= 0 && !stopped && isAlone(behind)) {
            behind = -1;
            taken += fillFromAll(Long.MAX_VALUE);
        }
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

    private int fillFromAll(long most) {
        int taken = 0;
        int before;
        do {
            before = taken;
            for (int i = 0; i < cursors.length && !stopped; i++) {
                int index = first + i;
                taken += fillFrom(cursors[index < cursors.length ? index : index - cursors.length], most);
            }
        } while (taken > before && !stopped);
        return taken;
    }

    private int fillFrom(RingCursor cursor, long most) {
        int taken = 0;
        while (cursor.hasEntry()) {
            if (cursor.type() == RingEntry.JOIN || cursor.participants() > 0 && !haveArrived(cursor)) {
                break;
            }
            if (isBeyond(cursor, most)) {
                behind = behind < 0 ? cursor.ring() : behind;
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

    /** Whether no other ring has records in the batch. */
    private boolean isAlone(int ring) {
        for (int i = 0; i < bytes.length; i++) {
            if (i != ring && bytes[i] > 0) {
                return false;
            }
        }
        return true;
    }

    private boolean isBeyond(RingCursor cursor, long most) {
        int ring = cursor.ring();
        boolean isOwed = ring == owed && bytes[ring] == 0;
        return !isOwed && bytes[ring] + cursor.payloadBytes() > most;
    }

    private boolean takeRecord(RingCursor cursor) {
        if (!batch.fits(cursor.payloadBytes())) {
            return false;
        }
        int ring = cursor.ring();
        bytes[ring] += Math.max(1, cursor.payloadBytes());
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
