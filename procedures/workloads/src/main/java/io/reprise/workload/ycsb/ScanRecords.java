package io.reprise.workload.ycsb;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;

/** Reads some records in the order of their keys. They may lie in all partitions. */
public final class ScanRecords extends Procedure {
    private final Statement scan =
            sql("SELECT ycsb_key, " + Fields.ALL + " FROM usertable WHERE ycsb_key >= ? ORDER BY ycsb_key LIMIT ?");

    /** Returns the first {@code count} records whose keys are not below {@code fromKey}. */
    public Rows run(long fromKey, int count) {
        return scan.set(0, fromKey).set(1, count).query();
    }
}
