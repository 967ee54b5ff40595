package io.reprise.execution.work;

import io.reprise.execution.FilledTable;
import io.reprise.id.TransactionId;
import io.reprise.procedure.Binding;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.TransactionRandom;
import io.reprise.runtime.memory.WorkMemory;
import java.util.ArrayList;
import java.util.List;

/** The transaction's time and so on for procedure instances, whether they hold one partition or several. */
abstract class TransactionBinding extends Binding {
    private final List<FilledTable> tables = new ArrayList<>();
    private final TransactionRandom random = new TransactionRandom();
    private FilledTable[] filled = {};
    private long transactionId;
    private boolean seeded;

    /** The memory that pays for tables that the procedure fills. */
    abstract WorkMemory workMemory();

    /** A transaction begins. */
    final void begin(long id) {
        transactionId = id;
        seeded = false;
        for (FilledTable table : filled) {
            table.clear();
        }
    }

    @Override
    protected final ResultTable table(String... columnNames) {
        FilledTable table = new FilledTable(workMemory(), columnNames);
        tables.add(table);
        filled = tables.toArray(FilledTable[]::new);
        return table;
    }

    @Override
    protected final long timestampMicros() {
        return TransactionId.epochMicros(transactionId);
    }

    @Override
    protected final long transactionId() {
        return transactionId;
    }

    @Override
    protected final TransactionRandom random() {
        if (!seeded) {
            seeded = true;
            random.seed(transactionId);
        }
        return random;
    }

    /** Queued statements have run already, in the order of queueing: they saved no round trip by waiting. */
    @Override
    protected final void flush() {}
}
