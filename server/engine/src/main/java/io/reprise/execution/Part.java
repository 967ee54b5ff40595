package io.reprise.execution;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import io.reprise.sql.compile.runtime.HeapRows;

/**
 * One participant's share of a statement that every participant runs for itself: the rows it found, copied to where
 * others may read them, or why it failed. Written by the participant before it arrives, read by the last to arrive.
 */
public final class Part {
    private final HeapRows rows = new HeapRows();
    private ErrorCode error;
    private String message;
    private ErrorSubject subject;

    /** Forgets the last transaction. */
    public void clear() {
        error = null;
        message = null;
        subject = null;
    }

    /** The target of the rows. */
    public HeapRows rows() {
        return rows;
    }

    /** Records a failure. */
    public void fail(ErrorCode code, String what) {
        fail(code, what, null);
    }

    /** Records a failure about a subject; null: it has none. */
    public void fail(ErrorCode code, String what, ErrorSubject about) {
        error = code;
        message = what;
        subject = about;
    }

    /** The subject of the failure; null if it has none. */
    public ErrorSubject subject() {
        return subject;
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
