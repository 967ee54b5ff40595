package io.reprise.session;

import io.reprise.engine.TapeStep;
import java.util.ArrayList;
import java.util.List;

/**
 * The tape of a session's transaction: its statements and what the client was told. Holds nothing in the engine.
 *
 * <pre>
 *  IDLE --begin--> OPEN --a statement fails--> FAILED
 *   ^               |  ^                          |
 *   +---end---------+  +---ROLLBACK TO savepoint--+---end--> IDLE
 * </pre>
 */
final class Transaction {
    /** The most steps of a tape. */
    static final int MOST_STEPS = 10_000;

    /** The most bytes of a tape, about. */
    static final long MOST_BYTES = 4 << 20;

    /** The most rows that come from COPY. */
    static final int MOST_COPIED_ROWS = 200_000;

    /** The most bytes of rows that come from COPY, about. */
    static final long MOST_COPIED_BYTES = 64L << 20;

    private static final long STEP_BYTES = 64;
    private static final long ARGUMENT_BYTES = 24;

    /** The states. */
    enum State {
        IDLE,
        OPEN,
        FAILED
    }

    private record Savepoint(String name, int number) {}

    private State state = State.IDLE;
    private boolean implicit;
    private boolean readOnly;
    private long nowMicros;
    private long bytes;
    private boolean copies;
    private int copiedRows;
    private long copiedBytes;
    private int savepointCount;
    private boolean writes;
    private final List<TapeStep> steps = new ArrayList<>();
    private final List<Savepoint> savepoints = new ArrayList<>();

    State state() {
        return state;
    }

    boolean isImplicit() {
        return implicit;
    }

    boolean isReadOnly() {
        return readOnly;
    }

    void readOnly(boolean only) {
        readOnly = only;
    }

    boolean hasSteps() {
        return !steps.isEmpty();
    }

    boolean hasWrites() {
        return writes;
    }

    List<TapeStep> steps() {
        return steps;
    }

    long nowMicros() {
        return nowMicros;
    }

    void fixNow(long micros) {
        if (nowMicros == 0) {
            nowMicros = micros;
        }
    }

    void begin(boolean beginsImplicitly, boolean only) {
        end();
        state = State.OPEN;
        implicit = beginsImplicitly;
        readOnly = only;
    }

    /** BEGIN in an implicit transaction makes it one that the client ends. */
    void becomeExplicit() {
        implicit = false;
    }

    void end() {
        state = State.IDLE;
        implicit = false;
        readOnly = false;
        nowMicros = 0;
        bytes = 0;
        copies = false;
        copiedRows = 0;
        copiedBytes = 0;
        savepointCount = 0;
        writes = false;
        steps.clear();
        savepoints.clear();
    }

    /** Throws if a statement of the transaction has failed. */
    void checkNotFailed() {
        if (state == State.FAILED) {
            throw new SessionException(
                    SqlStates.FAILED_TRANSACTION,
                    "current transaction is aborted, commands ignored until end of transaction block");
        }
    }

    void fail() {
        if (state == State.OPEN) {
            state = State.FAILED;
        }
    }

    /** Whether the statements that follow are rows of a COPY, which have limits of their own. */
    void copies(boolean rows) {
        copies = rows;
    }

    /** The rows that a COPY may still add. */
    int copyRoom() {
        return MOST_COPIED_ROWS - copiedRows;
    }

    void add(TapeStep step, boolean stepWrites) {
        if (copies) {
            copiedRows++;
            copiedBytes += size(step) - step.sql().length();
        } else {
            bytes += size(step);
        }
        checkRoom();
        steps.add(step);
        writes |= stepWrites;
    }

    /** Throws if the tape is full, before another statement runs. */
    void checkRoom() {
        if (copiedRows > MOST_COPIED_ROWS || copiedBytes > MOST_COPIED_BYTES) {
            throw new SessionException(
                    SqlStates.LIMIT_EXCEEDED,
                    "the transaction has more than " + MOST_COPIED_ROWS + " copied rows or " + MOST_COPIED_BYTES
                            + " bytes of them");
        }
        if (steps.size() - copiedRows >= MOST_STEPS || bytes > MOST_BYTES) {
            throw new SessionException(
                    SqlStates.LIMIT_EXCEEDED,
                    "the transaction has more than " + MOST_STEPS + " statements or " + MOST_BYTES + " bytes of them",
                    "Commit more often, or write a stored procedure.",
                    0);
        }
    }

    private static long size(TapeStep step) {
        long size = STEP_BYTES;
        for (Object argument : step.arguments()) {
            size += ARGUMENT_BYTES;
            if (argument instanceof String text) {
                size += text.length();
            } else if (argument instanceof byte[] array) {
                size += array.length;
            }
        }
        return size + step.sql().length();
    }

    void savepoint(String name) {
        Savepoint added = new Savepoint(name, savepointCount++);
        savepoints.add(added);
        add(TapeStep.savepoint(added.number()), false);
    }

    void release(String name) {
        int at = find(name);
        savepoints.subList(at, savepoints.size()).clear();
    }

    void rollbackTo(String name) {
        int at = find(name);
        savepoints.subList(at + 1, savepoints.size()).clear();
        add(TapeStep.rollbackTo(savepoints.get(at).number()), false);
        state = State.OPEN;
    }

    private int find(String name) {
        for (int i = savepoints.size() - 1; i >= 0; i--) {
            if (savepoints.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new SessionException(SqlStates.UNKNOWN_SAVEPOINT, "savepoint \"" + name + "\" does not exist");
    }
}
