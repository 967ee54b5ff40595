package io.reprise.execution;

import io.reprise.procedure.ErrorCode;

/**
 * The times of an ended transaction that {@link SiteMeter} needs when it is answered: its execution may be another's
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
    void note(ProcedureMeter of, Execution execution) {
        if (procedure != of) {
            procedure = of;
        }
        if (error != execution.outcome().error()) {
            error = execution.outcome().error();
        }
        id = execution.id();
        admittedNs = execution.admittedNs();
        beganNs = execution.beganNs();
        endedNs = execution.endedNs();
        participants = execution.participantCount();
        count = 1;
    }
}
