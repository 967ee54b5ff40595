package io.reprise.workload.tatp;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;

/** Reads a subscriber's access data of one type. */
public final class GetAccessData extends Procedure {
    private final Statement read =
            sql("SELECT data1, data2, data3, data4 FROM access_info WHERE s_id = ? AND ai_type = ?");

    /** Returns one row, or none. */
    public Rows run(int sId, byte aiType) {
        return read.set(0, sId).set(1, aiType).query();
    }
}
