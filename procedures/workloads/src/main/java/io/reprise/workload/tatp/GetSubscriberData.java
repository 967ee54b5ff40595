package io.reprise.workload.tatp;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;

/** Reads all that is known of a subscriber. */
public final class GetSubscriberData extends Procedure {
    private final Statement read =
            sql("SELECT s_id, sub_nbr, " + Sql.SUBSCRIBER_DATA + " FROM subscriber WHERE s_id = ?");

    /** Returns one row. */
    public Rows run(int sId) {
        return read.set(0, sId).query();
    }
}
