package io.reprise.execution;

import io.reprise.runtime.memory.Memory;
import io.reprise.sql.compile.runtime.HeapRows;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.compile.runtime.RowPacking;
import io.reprise.sql.compile.runtime.RowShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The answers that the statements of one transaction got from partitions other than its home, in order. Kept while the transaction runs
 * over lent partitions. A replay hands them out, so the home's part runs again without the other partitions.
 *
 * <pre>
 *  answer   varint executions | varint statement | int parameters | content
 *           executions: of the transaction's statements since the last answer, this one included
 *           parameters: a hash, which a replay compares
 *  content  of a query its {@linkplain RowPacking rows}, of a change a varint, the number of rows
 * </pre>
 *
 * <p>A statement that fails elsewhere has no answer, so the transaction can't be replayed in this way: {@link #areWhole} tells. Reused;
 * owned by the thread that runs the transaction.
 */
public final class Answers {
    private static final int USUAL_BYTES = 256;
    private static final int MOST_KEPT = 1 << 20;
    private static final int MOST_HEADER = 5 + 5 + Integer.BYTES;

    private byte[] bytes = new byte[USUAL_BYTES];
    private int length;
    private int at;
    private boolean replays;

    /** Executions since the last answer. */
    private int executions;

    /** Replay: executions before the next answer, itself included; 0 behind the last one. */
    private int untilNext;

    /** Whether an execution elsewhere has begun and not ended. */
    private boolean open;

    private boolean spoilt;

    /** Begins to keep the answers of a transaction. */
    public void keep() {
        if (bytes.length > MOST_KEPT) {
            bytes = new byte[USUAL_BYTES];
        }
        replays = false;
        length = 0;
        executions = 0;
        open = false;
        spoilt = false;
    }

    /** Begins to hand out answers that were kept. */
    public void replay(Memory memory, long address, int count) {
        keep();
        replays = true;
        ensure(count);
        MemorySegment.copy(memory.segment(), ValueLayout.JAVA_BYTE, address, bytes, 0, count);
        length = count;
        at = 0;
        untilNext = length == 0 ? 0 : varint();
    }

    /** A statement is about to be executed. Returns whether the answer is here, because this is a replay. */
    public boolean execute() {
        executions++;
        return replays && executions == untilNext;
    }

    /**
     * Whether executions elsewhere get kept. In a replay they don't: buckets that were one home may be in several partitions now, and a
     * statement at another one of these has no answer in the record.
     */
    public boolean isKeeping() {
        return !replays;
    }

    /** The statement is executed elsewhere, and its answer is kept. */
    public void goesElsewhere() {
        spoilt |= open;
        open = true;
    }

    /** Something happens elsewhere that no answer describes. */
    public void spoil() {
        spoilt = true;
    }

    /** Whether each execution elsewhere has its answer. */
    boolean areWhole() {
        return !spoilt && !open;
    }

    /** Whether the transaction can run again at its home with these answers, and nothing else. */
    public boolean suffice(Execution transaction) {
        return transaction.work().hasAnswers() && transaction.isConfined() && areWhole();
    }

    /** Keeps the number of rows that a statement changed elsewhere. */
    public void keep(int statement, int parameters, long changed) {
        begin(statement, parameters);
        ensure(RowPacking.MOST_VARINT_BYTES);
        putVarint(changed);
        open = false;
    }

    /** Keeps the rows that a query found elsewhere. */
    public void keep(int statement, int parameters, RowBuffer rows) {
        begin(statement, parameters);
        ensure(RowPacking.mostBytes(rows));
        length = RowPacking.write(rows, bytes, length);
        open = false;
    }

    private void begin(int statement, int parameters) {
        ensure(MOST_HEADER);
        putVarint(executions);
        putVarint(statement);
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            bytes[length++] = (byte) (parameters >>> shift);
        }
        executions = 0;
    }

    /** Replay: the number of rows that the statement changed. */
    public long changed(int statement, int parameters) {
        check(statement, parameters);
        long changed = RowPacking.varint(bytes, at, length);
        at = RowPacking.behindVarint(bytes, at);
        goOn();
        return changed;
    }

    /** Replay: the rows that the query found. */
    public HeapRows rows(int statement, int parameters, RowShape shape, HeapRows rows) {
        check(statement, parameters);
        at = RowPacking.read(bytes, at, length, shape, rows);
        goOn();
        return rows;
    }

    private void check(int statement, int parameters) {
        int logged = varint();
        int hash = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            hash |= (bytes[at++] & 0xFF) << shift;
        }
        if (logged != statement || hash != parameters) {
            throw new IllegalStateException("another partition was asked by statement " + (logged + 1)
                    + " of the procedure, and now it is asked by statement " + (statement + 1)
                    + (logged == statement ? " with other parameters" : ""));
        }
    }

    private void goOn() {
        executions = 0;
        untilNext = at < length ? varint() : 0;
    }

    /** Replay: throws if the transaction has not asked for all answers. */
    public void requireAllTaken() {
        if (replays && untilNext != 0) {
            throw new IllegalStateException("another partition was asked more often than now");
        }
    }

    /** The bytes of all answers. */
    public MemorySegment segment() {
        return MemorySegment.ofArray(bytes);
    }

    /** The number of these bytes. */
    public int length() {
        return length;
    }

    private int varint() {
        long value = RowPacking.varint(bytes, at, length);
        at = RowPacking.behindVarint(bytes, at);
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new IllegalStateException("a number in the answers of other partitions makes no sense");
        }
        return (int) value;
    }

    private void putVarint(long value) {
        length = RowPacking.putVarint(bytes, length, value);
    }

    private void ensure(int more) {
        if (more > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, more), 2 * bytes.length));
        }
    }
}
