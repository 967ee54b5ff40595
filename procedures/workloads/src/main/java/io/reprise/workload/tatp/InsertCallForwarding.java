package io.reprise.workload.tatp;

import io.reprise.procedure.AbortException;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;

/** Adds a call forwarding for a subscriber known by number. */
public final class InsertCallForwarding extends Procedure {
    private final Statement find = sql(Sql.BY_NUMBER);
    private final Statement facilities = sql(Sql.FACILITIES);
    private final Statement insert = sql(Sql.INSERT_FORWARDING);
    private final AbortException noFacility = abort("the subscriber does not have this special facility");

    /** Writes. */
    public void run(Text subNbr, byte sfType, byte startTime, byte endTime, Text numberx) {
        if (!find.set(0, subNbr).first()) {
            throw abort("no subscriber has this number");
        }
        long sId = find.rows().longAt(0);
        Rows has = facilities.set(0, sId).query();
        boolean found = false;
        while (has.next()) {
            found |= has.longAt(0) == sfType;
        }
        if (!found) {
            throw noFacility;
        }
        insert.set(0, sId)
                .set(1, sfType)
                .set(2, startTime)
                .set(3, endTime)
                .set(4, numberx)
                .update();
    }
}
