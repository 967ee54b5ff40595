package io.reprise.workload.tpcc;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** Loads a range of items into every partition. */
public final class LoadItems extends Procedure {
    private final Statement insert =
            sql("INSERT INTO item (i_id, i_im_id, i_name, i_price, i_data) VALUES (?, ?, ?, ?, ?)");
    private final Population population = new Population();

    /** Loads items {@code from} to {@code to}, both included. */
    public void run(int from, int to, long seed) {
        for (int id = from; id <= to; id++) {
            population.random.seed(seed, 1, id, 0);
            insert.set(0, id).set(1, population.random.uniform(1, 10_000));
            insert.set(2, population.alphanumeric(14, 24).text());
            insert.setUnscaled(3, population.random.uniform(100, 10_000));
            insert.set(4, population.data().text()).update();
        }
    }
}
