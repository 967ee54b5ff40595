package io.reprise.execution.deploy;

import io.reprise.procedure.Binding;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Statement;
import io.reprise.procedure.TransactionRandom;

/** A binding for procedures that run no statements. */
final class FakeBinding extends Binding {
    @Override
    protected Statement statement(String text) {
        return null;
    }

    @Override
    protected ResultTable table(String... columnNames) {
        return null;
    }

    @Override
    protected long timestampMicros() {
        return 42;
    }

    @Override
    protected long transactionId() {
        return 7;
    }

    @Override
    protected TransactionRandom random() {
        return new TransactionRandom();
    }

    @Override
    protected void flush() {}

    @Override
    protected int savepoint() {
        return 0;
    }

    @Override
    protected void rollbackTo(int savepoint) {}
}
