package io.reprise.net.reprise;

import io.reprise.execution.Execution;
import io.reprise.net.session.ReplyLengths;
import io.reprise.net.session.SharedBytes;
import io.reprise.procedure.ErrorCode;

/**
 * The replies of a site. They are encoded when their transactions end: into the frames of their connections or, while they wait for
 * the log, behind each other. A client whose reply can't even be replaced by a failure is disconnected. Owned by the site's thread.
 */
final class SiteReplies {
    private final HeldReplies held;
    private final ReplyFrames frames;
    private final ReplyLengths lengths = new ReplyLengths();
    private final SharedBytes heldBytes;
    private final UntoldOutcomes untold;

    SiteReplies(int maxResultBytes, SharedBytes heldBytes, UntoldOutcomes untold) {
        this.heldBytes = heldBytes;
        this.untold = untold;
        EncodedColumns columns = new EncodedColumns();
        held = new HeldReplies(maxResultBytes, columns);
        frames = new ReplyFrames(maxResultBytes, columns);
    }

    /** The bytes that a reply of the procedure may have. */
    int expectedBytes(int procedure) {
        return lengths.expected(procedure);
    }

    /** Whether more replies may wait for the log. */
    boolean mayHoldMore() {
        return heldBytes.mayGrow();
    }

    /** Publishes the bytes of replies that wait for the log. */
    void countHeld() {
        heldBytes.set(held.bytes());
    }

    /** Encodes the outcome of a call for sending. */
    void reply(CallSlot slot, Execution ended) {
        ResultWriter to;
        try {
            to = frames.of(slot.outbox);
        } catch (OutOfMemoryError noMemory) {
            report(slot.outbox, noMemory, false);
            return;
        }
        int before = to.bytes().length();
        report(slot.outbox, to.ended(slot.id, ended), to.bytes().length() > before);
        lengths.saw(slot.procedure, to.bytes().length() - before);
    }

    /** Encodes the outcome of a call that must not be told yet. Returns its ticket. */
    int hold(CallSlot slot, Execution ended) {
        int ticket = held.ticket();
        Throwable problem = held.add(ticket, slot.outbox, slot.id, ended);
        int length = held.lastLength();
        report(slot.outbox, problem, length > 0);
        lengths.saw(slot.procedure, length);
        return ticket;
    }

    /** The reply with this ticket may be sent. Returns the state of its connection. */
    Outbox release(int ticket) {
        Outbox outbox = held.outbox(ticket);
        if (outbox.source.isOpen()) {
            try {
                held.copy(ticket, frames.of(outbox).bytes());
            } catch (OutOfMemoryError noMemory) {
                report(outbox, noMemory, false);
            }
        }
        held.remove(ticket);
        return outbox;
    }

    /** Replies that a call was not run. */
    void reject(CallSlot slot, ErrorCode code, String message) {
        reject(slot, FailureCodes.of(code), message, code.retryable());
    }

    /** The same, with a code of the protocol. */
    void reject(CallSlot slot, int code, String message, boolean retryIsSafe) {
        try {
            frames.of(slot.outbox).refused(slot.id, code, message, retryIsSafe);
        } catch (OutOfMemoryError noMemory) {
            report(slot.outbox, noMemory, false);
        }
    }

    private void report(Outbox outbox, Throwable problem, boolean replied) {
        if (problem != null) {
            untold.report(outbox.source, problem, replied);
        }
    }

    /** Sends frames that are due; see {@link ReplyFrames#handOver}. */
    boolean handOver(boolean all, int load, long nowNs) {
        return frames.handOver(all, load, nowNs);
    }
}
