package io.reprise.execution;

import io.reprise.execution.deploy.Arguments;
import io.reprise.runtime.Invariants;
import io.reprise.runtime.agent.Cancellation;
import io.reprise.runtime.memory.WorkMemory;

/**
 * A client's call: a procedure or a statement, its arguments, and the number of the call if it has one. The client's side
 * fills it and converts the arguments; from the stamp on it is frozen, whatever becomes of the call. A log record encodes it ({@code
 * CommandRecorder}), and so can a message to another node. Pooled with its {@link Execution}.
 */
public final class Request {
    private final Arguments arguments;
    private Work work;
    private long client;
    private long sequence;
    private long acknowledged;
    private long largestResult = WorkMemory.UNLIMITED;
    private Cancellation cancellation;
    private boolean frozen;

    Request(Arguments arguments) {
        this.arguments = arguments;
    }

    /** Begins another request. */
    void begin(Work newWork) {
        work = newWork;
        sequence = 0;
        largestResult = WorkMemory.UNLIMITED;
        cancellation = null;
        frozen = false;
    }

    /** From here on nothing of it changes. */
    void freeze() {
        frozen = true;
    }

    /** The procedure or statement that the client named, as it was when the call was made. */
    public Work work() {
        return work;
    }

    /** The values that the client passed. */
    public Arguments arguments() {
        return arguments;
    }

    /**
     * Numbers the call, so that it runs once even if it is made again.
     *
     * @param ofClient the client's id
     * @param number the client's number of the call, the same when it is made again; 0: it may run as often as it comes
     * @param knownBelow the client knows the outcome of all its calls with lower numbers
     */
    public void once(long ofClient, long number, long knownBelow) {
        checkOpen();
        client = ofClient;
        sequence = number;
        acknowledged = knownBelow;
    }

    /** Limits the bytes of a result that can be sent: a statement that finds more is ended early. */
    public void limitResult(long bytes) {
        checkOpen();
        largestResult = bytes;
    }

    /** Cancels the request while it waits or runs on this node; null: it can't be canceled. */
    public void cancelBy(Cancellation by) {
        checkOpen();
        cancellation = by;
    }

    /** The client's means to cancel it; null: there is none. */
    public Cancellation cancellation() {
        return cancellation;
    }

    private void checkOpen() {
        Invariants.check(!frozen, "a request was changed after its transaction had been stamped, sequence", sequence);
    }

    /** The most bytes of a result that can be sent. */
    public long largestResult() {
        return largestResult;
    }

    /** The client's id, if the call has a {@link #sequence}. */
    public long client() {
        return client;
    }

    /** The client's number of the call; 0 if it has none. */
    public long sequence() {
        return sequence;
    }

    /** The client knows the outcome of all its calls with lower numbers. */
    public long acknowledged() {
        return acknowledged;
    }
}
