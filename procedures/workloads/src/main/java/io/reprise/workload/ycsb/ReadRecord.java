package io.reprise.workload.ycsb;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;

/** Reads all fields of a record. */
public final class ReadRecord extends Procedure {
    private final Statement read = sql(Fields.READ);

    /** Returns the record, or no row. */
    public Rows run(long key) {
        return read.set(0, key).query();
    }
}
