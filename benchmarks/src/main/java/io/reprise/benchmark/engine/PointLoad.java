package io.reprise.benchmark.engine;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** Fills the table that {@link PointSelect} and {@link PointUpdate} use. */
public final class PointLoad extends Procedure {
    private final Statement insert = sql("INSERT INTO point (part, id, balance, owner) VALUES (?, ?, ?, ?)");

    /** Inserts rows 0 to {@code rows} - 1. */
    public void run(short part, int rows) {
        for (int id = 0; id < rows; id++) {
            insert.set(0, part).set(1, id).set(2, 1_000L * id).set(3, "owner").update();
        }
    }
}
