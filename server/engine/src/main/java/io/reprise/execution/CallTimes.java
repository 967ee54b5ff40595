package io.reprise.execution;

import io.reprise.procedure.ErrorCode;

/**
 * The times of an ended transaction that {@link SiteMeter} needs when it is answered: its invocation may be another's
 * by then. Reused; owned by the site's thread.
 */
public final class CallTimes {
    ProcedureMeter procedure;
    ErrorCode error;
    long id;
    long admittedNs;
    long beganNs;
    long endedNs;
    int participants;

    /** The number of transactions {@link SiteMeter} has noted with these times. */
    int count;

    /** Whether nothing is its own but its id: it succeeded, and was not timed by itself. */
    boolean isUsual() {
        return error == null && endedNs == 0;
    }

    /** References that are the same as before are left alone: storing one costs more than looking. */
    void note(ProcedureMeter of, Invocation invocation) {
        if (procedure != of) {
            procedure = of;
        }
        if (error != invocation.error()) {
            error = invocation.error();
        }
        id = invocation.id();
        admittedNs = invocation.admittedNs();
        beganNs = invocation.beganNs();
        endedNs = invocation.endedNs();
        participants = invocation.participantCount();
        count = 1;
    }
}
