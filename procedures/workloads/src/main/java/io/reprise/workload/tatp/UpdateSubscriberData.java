package io.reprise.workload.tatp;

import io.reprise.procedure.AbortException;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** Changes a subscriber's profile. Fails, with everything undone, where the subscriber lacks the special facility. */
public final class UpdateSubscriberData extends Procedure {
    private final Statement setBit = sql("UPDATE subscriber SET bit_1 = ? WHERE s_id = ?");
    private final Statement setData = sql("UPDATE special_facility SET data_a = ? WHERE s_id = ? AND sf_type = ?");
    private final AbortException noFacility = abort("the subscriber does not have this special facility");

    /** Changes. */
    public void run(int sId, byte bit, byte sfType, short dataA) {
        setBit.set(0, bit).set(1, sId).update();
        if (setData.set(0, dataA).set(1, sId).set(2, sfType).update() == 0) {
            throw noFacility;
        }
    }
}
