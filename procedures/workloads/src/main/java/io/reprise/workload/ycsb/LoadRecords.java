package io.reprise.workload.ycsb;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.procedure.TextBuilder;
import io.reprise.workload.RandomValues;

/** Inserts records with made-up values. */
public final class LoadRecords extends Procedure {
    private final Statement insert = sql(Fields.INSERT);
    private final TextBuilder value = new TextBuilder(Fields.LENGTH);
    private final RandomValues random = new RandomValues(0);

    /** Inserts a record for each key. */
    public void run(long[] keys, long seed) {
        for (long key : keys) {
            random.seed(seed, 1, key, 0);
            insert.set(0, key);
            for (int i = 0; i < Fields.COUNT; i++) {
                value.clear();
                insert.set(
                        1 + i,
                        random.alphanumeric(value, Fields.LENGTH, Fields.LENGTH).text());
            }
            insert.update();
        }
    }
}
