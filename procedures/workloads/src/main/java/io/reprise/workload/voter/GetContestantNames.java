package io.reprise.workload.voter;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;

/** Lists the contestants. */
public final class GetContestantNames extends Procedure {
    private final Statement names =
            sql("SELECT contestant_number, contestant_name FROM contestants ORDER BY contestant_number");

    /** Reads. */
    public Rows run() {
        return names.query();
    }
}
