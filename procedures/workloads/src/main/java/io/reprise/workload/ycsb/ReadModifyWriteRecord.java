package io.reprise.workload.ycsb;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;

/** Reads a record and writes one of its fields, as one transaction. */
public final class ReadModifyWriteRecord extends Procedure {
    private final Statement read = sql(Fields.READ);
    private final Statement[] update = new Statement[Fields.COUNT];

    /** Declares a statement for each field. */
    public ReadModifyWriteRecord() {
        for (int i = 0; i < update.length; i++) {
            update[i] = sql(Fields.UPDATE[i]);
        }
    }

    /** Returns the record as it was before. */
    public Rows run(long key, int field, Text value) {
        Rows before = read.set(0, key).query();
        if (before.count() > 0) {
            update[field].set(0, value).set(1, key).update();
        }
        return before;
    }
}
