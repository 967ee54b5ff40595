package io.reprise.workload.tatp;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;

/** Finds the present destination of a forwarded call. */
public final class GetNewDestination extends Procedure {
    private final Statement find = sql("SELECT cf.numberx FROM special_facility AS sf, call_forwarding AS cf"
            + " WHERE sf.s_id = ? AND sf.sf_type = ? AND sf.is_active = 1"
            + " AND cf.s_id = sf.s_id AND cf.sf_type = sf.sf_type AND cf.start_time <= ? AND cf.end_time > ?");

    /** Returns a row for each number. */
    public Rows run(int sId, byte sfType, byte startTime, byte endTime) {
        find.set(0, sId).set(1, sfType).set(2, startTime).set(3, endTime);
        return find.query();
    }
}
