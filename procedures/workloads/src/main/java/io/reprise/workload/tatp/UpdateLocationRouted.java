package io.reprise.workload.tatp;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;

/** Notes where a subscriber, known by number, is; the caller says which id belongs to the number. */
public final class UpdateLocationRouted extends Procedure {
    private final Statement find = sql(Sql.BY_ID_AND_NUMBER);
    private final Statement move = sql(Sql.MOVE);

    /** Writes. */
    public void run(int sId, Text subNbr, long vlrLocation) {
        if (!find.set(0, sId).set(1, subNbr).first()) {
            throw abort("no subscriber has this number");
        }
        move.set(0, vlrLocation).set(1, sId).update();
    }
}
