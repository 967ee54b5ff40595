package io.reprise.net.reprise;

import io.reprise.execution.Work;
import io.reprise.execution.deploy.Arguments;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.wire.CallReader;
import io.reprise.wire.message.Failure;

/**
 * The admission of calls at a site: limits, deadlines, rights and the number and kinds of arguments. A call that is not admitted is
 * rejected with a reply. Owned by the site's thread, except {@link #refuseNew}.
 */
final class CallAdmission {
    private static final long NS_PER_MS = 1_000_000;

    private final CurrentProcedures procedures;
    private final SiteReplies replies;
    private final int callsPerConnection;
    private volatile boolean refusesNew;

    CallAdmission(CurrentProcedures procedures, SiteReplies replies, int callsPerConnection) {
        this.procedures = procedures;
        this.replies = replies;
        this.callsPerConnection = callsPerConnection;
    }

    /** Any thread: rejects all calls from now on, because the server closes. */
    void refuseNew() {
        refusesNew = true;
    }

    /** The work of the call at hand; null if it was rejected. */
    Work admit(CallIntake intake, CallSlot slot, long nowNs) {
        if (refusesNew) {
            replies.reject(slot, ErrorCode.SHUTTING_DOWN, "the server is closing; the call was not run");
            return null;
        }
        if (slot.outbox.underWay >= callsPerConnection) {
            replies.reject(
                    slot,
                    ErrorCode.OVERLOADED,
                    callsPerConnection + " calls of this connection are under way already; wait for replies");
            return null;
        }
        long timeoutMs = intake.call().timeoutMs();
        if (timeoutMs != 0 && nowNs - intake.arrivedNs() > timeoutMs * NS_PER_MS) {
            replies.reject(
                    slot,
                    Failure.Code.DEADLINE_PASSED_VALUE,
                    "the call waited longer than its timeout of " + timeoutMs + " ms and was not run",
                    true);
            return null;
        }
        Work work = procedures.of(slot.procedure);
        if (work == null) {
            String name = procedures.name(slot.procedure);
            replies.reject(
                    slot,
                    ErrorCode.INVALID_REQUEST,
                    name == null
                            ? "no procedure has the number " + slot.procedure + "; ask for it by its name first"
                            : "procedure " + name + " was dropped");
            return null;
        }
        CallSource source = slot.outbox.source;
        if (!source.user().mayCall(work)) {
            source.countNotPermitted();
            replies.reject(slot, Failure.Code.NOT_PERMITTED_VALUE, source.user().mayNotCall(work), false);
            return null;
        }
        return work;
    }

    /** The name of an admitted call's procedure. */
    String name(CallSlot slot) {
        return procedures.name(slot.procedure);
    }

    /** The work of a call that a change of the schema overtook; null if it can't be run again. */
    Work readmit(CallSlot slot) {
        Work work = procedures.of(slot.procedure);
        return work == null || !slot.outbox.source.user().mayCall(work) ? null : work;
    }

    /** Reads the arguments of the call at hand; false if the call was rejected for their number or kinds. */
    boolean readArguments(CallIntake intake, CallSlot slot, Work work, Arguments to) {
        CallReader call = intake.call();
        try {
            work.checkCount(call.arguments());
        } catch (ProcedureException wrong) {
            replies.reject(slot, wrong.code(), wrong.getMessage());
            return false;
        }
        try {
            int unknown = ArgumentReading.read(call, to, slot, intake.frameSegment());
            if (unknown != 0) {
                replies.reject(
                        slot,
                        ErrorCode.INVALID_VALUE,
                        "argument " + unknown + " is of a kind that this server does not know; it may be older than the"
                                + " client");
            }
            return unknown == 0;
        } catch (OutOfMemoryError noMemory) {
            // The arguments read so far go with the execution, so only this call suffers.
            replies.reject(
                    slot,
                    ErrorCode.OVERLOADED,
                    "the server has no memory left for the call's arguments; try again later");
            return false;
        }
    }
}
