package io.reprise.workload.ycsb;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;

/** Inserts a record. */
public final class InsertRecord extends Procedure {
    private final Statement insert = sql(Fields.INSERT);
    private final Text field = new Text();

    /**
     * Inserts.
     *
     * @param values the fields' values one after another, of {@code Fields.LENGTH} bytes each
     */
    public void run(long key, Text values) {
        if (values.length() != Fields.COUNT * Fields.LENGTH) {
            throw abort("a record has " + Fields.COUNT + " fields of " + Fields.LENGTH + " bytes, not "
                    + values.length() + " bytes");
        }
        insert.set(0, key);
        for (int i = 0; i < Fields.COUNT; i++) {
            field.wrap(values.segment(), values.offset() + (long) i * Fields.LENGTH, Fields.LENGTH);
            insert.set(1 + i, field);
        }
        insert.update();
    }
}
