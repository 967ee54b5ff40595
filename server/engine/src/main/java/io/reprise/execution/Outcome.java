package io.reprise.execution;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;

/**
 * The outcome of a request: a result or a failure, and the hash of what was written. It is remembered for calls that come again
 * ({@link Outcomes}), logged with the record of its transaction, sent to the client, and compared when the transaction is run
 * again. Written by the thread that runs the transaction; pooled with its {@link Execution}.
 */
public final class Outcome {
    private final Result result = new Result();
    private ErrorCode error;
    private String message;
    private ErrorSubject subject;
    private boolean stale;
    private boolean repeatable;
    private boolean ranBefore;
    private long writeHash;

    /** Forgets the last outcome. */
    void begin() {
        error = null;
        message = null;
        subject = null;
        stale = false;
        repeatable = false;
        ranBefore = false;
    }

    /** The returned value, if the transaction committed. */
    public Result result() {
        return result;
    }

    /** Ends the transaction with a failure; a message that is very long is cut. */
    public void fail(ErrorCode code, String what) {
        fail(code, what, null);
    }

    /** Ends the transaction with a failure about a subject; null: it has none. */
    public void fail(ErrorCode code, String what, ErrorSubject about) {
        error = code;
        message = Failures.shortened(what);
        subject = about;
        result.nothing();
    }

    /** Rejects the transaction because its work was replaced while it waited: the client asks for the new one. */
    public void failStale(String what) {
        fail(ErrorCode.INVALID_REQUEST, what);
        stale = true;
    }

    /** Rejects the transaction because a bucket moved while it waited: it is routed again. */
    public void failMisrouted(String what) {
        fail(ErrorCode.PARTITION_UNAVAILABLE, what);
        stale = true;
    }

    /** Ends the transaction with an unknown outcome, which the partition's next leader knows if the call has a number. */
    public void failUnknown(Request request, String what) {
        fail(ErrorCode.OUTCOME_UNKNOWN, what);
        repeatable = request.client() != 0 && request.sequence() != 0;
    }

    /** Whether the client may make the call again under its number, although it may have run. */
    public boolean repeatable() {
        return repeatable;
    }

    /** The kind of failure that ended the transaction; null if it committed. */
    public ErrorCode error() {
        return error;
    }

    /** Whether the transaction committed. */
    public boolean succeeded() {
        return error == null;
    }

    /** The failure, for a person; null if the transaction committed. */
    public String message() {
        return message;
    }

    /** The subject of the failure; null if it has none. */
    public ErrorSubject subject() {
        return subject;
    }

    /** Whether the transaction was rejected, before it began, only because its work had been replaced or a bucket had moved. */
    public boolean stale() {
        return stale;
    }

    /** The call was made before and committed then; this is that outcome. */
    void ranBefore() {
        ranBefore = true;
    }

    /** Whether this only answers a call that has committed before. */
    public boolean hasRunBefore() {
        return ranBefore;
    }

    /** Records the hash of the transaction's writes. */
    public void writeHash(long hash) {
        writeHash = hash;
    }

    /** The hash of all that the transaction wrote; the same wherever it is run again. */
    public long writeHash() {
        return writeHash;
    }
}
