package io.reprise.benchmark.engine;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.procedure.TextBuilder;
import io.reprise.workload.RandomValues;

/** Replaces rows of a table by others with strings of other lengths. */
public final class Churn extends Procedure {
    /** The table, and this procedure. */
    static final String DDL = """
            CREATE TABLE churn (
              part SMALLINT NOT NULL,
              id INTEGER NOT NULL,
              amount DECIMAL(12,2) NOT NULL,
              name VARCHAR(16) NOT NULL,
              content VARCHAR(500) NOT NULL,
              PRIMARY KEY (part, id) USING ORDERED
            );
            PARTITION TABLE churn ON COLUMN part;
            CREATE PROCEDURE PARTITION ON TABLE churn COLUMN part PARAMETER 0
              FROM CLASS io.reprise.benchmark.engine.Churn;
            """;

    private final Statement delete = sql("DELETE FROM churn WHERE part = ? AND id = ?");
    private final Statement insert = sql("INSERT INTO churn (part, id, amount, name, content) VALUES (?, ?, ?, ?, ?)");
    private final RandomValues random = new RandomValues(0);
    private final TextBuilder text = new TextBuilder(500);

    /** Deletes so many rows, chosen at random below {@code rows}, where they are there, and inserts others for them. */
    public void run(short part, int rows, int count, long seed) {
        random.seed(seed);
        for (int i = 0; i < count; i++) {
            int id = random.uniform(0, rows - 1);
            delete.set(0, part).set(1, id).update();
            insert.set(0, part).set(1, id).setUnscaled(2, random.uniform(0, 1_000_000));
            insert.set(3, random.alphanumeric(text.clear(), 12, 16).text());
            insert.set(4, random.alphanumeric(text.clear(), 20, 500).text()).update();
        }
    }
}
