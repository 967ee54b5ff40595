package io.reprise.workload.tatp;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;

/** Notes where a subscriber, known by number, is. */
public final class UpdateLocation extends Procedure {
    private final Statement find = sql(Sql.BY_NUMBER);
    private final Statement move = sql(Sql.MOVE);

    /** Writes. */
    public void run(Text subNbr, long vlrLocation) {
        if (!find.set(0, subNbr).first()) {
            throw abort("no subscriber has this number");
        }
        long sId = find.rows().longAt(0);
        move.set(0, vlrLocation).set(1, sId).update();
    }
}
