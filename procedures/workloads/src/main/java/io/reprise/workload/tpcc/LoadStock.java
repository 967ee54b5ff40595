package io.reprise.workload.tpcc;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** Loads the stock of a range of items in one warehouse. */
public final class LoadStock extends Procedure {
    private final Statement insert = sql("INSERT INTO stock (s_w_id, s_i_id, s_quantity,"
            + " s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05, s_dist_06, s_dist_07, s_dist_08, s_dist_09,"
            + " s_dist_10, s_ytd, s_order_cnt, s_remote_cnt, s_data)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, ?)");
    private final Population population = new Population();

    /** Loads the stock of items {@code from} to {@code to}, both included. */
    public void run(short wId, int from, int to, long seed) {
        for (int id = from; id <= to; id++) {
            population.random.seed(seed, 2, wId, id);
            insert.set(0, wId).set(1, id).set(2, population.random.uniform(10, 100));
            for (int dId = 1; dId <= Tpcc.DISTRICTS; dId++) {
                insert.set(2 + dId, population.alphanumeric(24, 24).text());
            }
            insert.set(13, population.data().text()).update();
        }
    }
}
