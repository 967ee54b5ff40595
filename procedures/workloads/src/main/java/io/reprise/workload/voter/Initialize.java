package io.reprise.workload.voter;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** Fills the replicated tables, unless that was done before. */
public final class Initialize extends Procedure {
    private final Statement count = sql("SELECT COUNT(*) FROM contestants");
    private final Statement insertContestant =
            sql("INSERT INTO contestants (contestant_name, contestant_number) VALUES (?, ?)");
    private final Statement insertArea = sql("INSERT INTO area_code_state (area_code, state) VALUES (?, ?)");

    /**
     * Fills the tables of contestants and area codes.
     *
     * @param names one for each contestant; they are numbered from 1
     * @return the number of contestants
     */
    public long run(String[] names, int[] areaCodes, String[] states) {
        if (count.first() && count.rows().longAt(0) > 0) {
            return count.rows().longAt(0);
        }
        for (int i = 0; i < names.length; i++) {
            insertContestant.set(0, names[i]).set(1, i + 1L).update();
        }
        for (int i = 0; i < areaCodes.length; i++) {
            insertArea.set(0, areaCodes[i]).set(1, states[i]).update();
        }
        return names.length;
    }
}
