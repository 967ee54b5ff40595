package io.reprise.workload.tatp;

import io.reprise.procedure.AbortException;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;

/** Removes a call forwarding of a subscriber known by number; the caller says which id belongs to the number. */
public final class DeleteCallForwardingRouted extends Procedure {
    private final Statement find = sql(Sql.BY_ID_AND_NUMBER);
    private final Statement delete = sql(Sql.DELETE_FORWARDING);
    private final AbortException noForwarding = abort("there is no such call forwarding");

    /** Writes. */
    public void run(int sId, Text subNbr, byte sfType, byte startTime) {
        if (!find.set(0, sId).set(1, subNbr).first()) {
            throw abort("no subscriber has this number");
        }
        if (delete.set(0, sId).set(1, sfType).set(2, startTime).update() == 0) {
            throw noForwarding;
        }
    }
}
