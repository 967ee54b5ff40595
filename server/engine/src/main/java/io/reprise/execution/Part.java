package io.reprise.execution;

import io.reprise.procedure.ErrorCode;
import io.reprise.sql.compile.runtime.HeapRows;

/**
 * One participant's share of a statement that every participant runs for itself: the rows it found, copied to where
 * others may read them, or why it failed. Written by the participant before it arrives, read by the last to arrive.
 */
public final class Part {
    private final HeapRows rows = new HeapRows();
    private ErrorCode error;
    private String message;

    /** Forgets the last transaction. */
    public void clear() {
        error = null;
        message = null;
    }

    /** The target of the rows. */
    public HeapRows rows() {
        return rows;
    }

    /** Records a failure. */
    public void fail(ErrorCode code, String what) {
        error = code;
        message = what;
    }

    /** Why it failed; null if it did not. */
    public ErrorCode error() {
        return error;
    }

    /** The description of the failure, for people. */
    public String message() {
        return message;
    }
}
