package io.reprise.workload.tatp;

import io.reprise.procedure.AbortException;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;

/** Removes a call forwarding of a subscriber known by number. */
public final class DeleteCallForwarding extends Procedure {
    private final Statement find = sql(Sql.BY_NUMBER);
    private final Statement delete = sql(Sql.DELETE_FORWARDING);
    private final AbortException noForwarding = abort("there is no such call forwarding");

    /** Writes. */
    public void run(Text subNbr, byte sfType, byte startTime) {
        if (!find.set(0, subNbr).first()) {
            throw abort("no subscriber has this number");
        }
        long sId = find.rows().longAt(0);
        if (delete.set(0, sId).set(1, sfType).set(2, startTime).update() == 0) {
            throw noForwarding;
        }
    }
}
