package io.reprise.workload.ycsb;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;

/** Writes one field of a record. */
public final class UpdateRecord extends Procedure {
    private final Statement[] update = new Statement[Fields.COUNT];

    /** Declares a statement for each field. */
    public UpdateRecord() {
        for (int i = 0; i < update.length; i++) {
            update[i] = sql(Fields.UPDATE[i]);
        }
    }

    /** Returns how many records were written: 1, or 0 where there is none with the key. */
    public long run(long key, int field, Text value) {
        return update[field].set(0, value).set(1, key).update();
    }
}
