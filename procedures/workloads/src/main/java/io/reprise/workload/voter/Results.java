package io.reprise.workload.voter;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;

/** The contestants by their votes: number, name, votes; the winner first. Reads all partitions. */
public final class Results extends Procedure {
    private final Statement totals =
            sql("SELECT t.contestant_number, c.contestant_name, SUM(t.num_votes) AS total_votes"
                    + " FROM votes_by_contestant_state AS t, contestants AS c"
                    + " WHERE t.contestant_number = c.contestant_number"
                    + " GROUP BY t.contestant_number, c.contestant_name"
                    + " ORDER BY total_votes DESC, contestant_number");

    /** Counts. */
    public Rows run() {
        return totals.query();
    }
}
