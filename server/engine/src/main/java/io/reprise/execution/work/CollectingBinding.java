package io.reprise.execution.work;

import io.reprise.execution.FilledTable;
import io.reprise.procedure.Binding;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;
import io.reprise.procedure.TransactionRandom;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.storage.ProcedureLimitErrors;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Collects the texts of the statements that a procedure's constructor declares. */
final class CollectingBinding extends Binding {
    private final String procedure;
    private final List<String> texts = new ArrayList<>();

    CollectingBinding(String procedure) {
        this.procedure = procedure;
    }

    /** The texts in the order of their declaration. */
    List<String> texts() {
        return texts;
    }

    @Override
    protected Statement statement(String text) {
        if (text == null) {
            throw refused("the text of its statement " + texts.size() + " is null");
        }
        texts.add(text);
        return new Unbound();
    }

    @Override
    protected ResultTable table(String... columnNames) {
        try {
            return new FilledTable(new WorkMemory(ProcedureLimitErrors.INSTANCE), columnNames);
        } catch (ProcedureException e) {
            throw refused(e.getMessage());
        }
    }

    @Override
    protected long timestampMicros() {
        throw tooEarly("timestampMicros");
    }

    @Override
    protected long transactionId() {
        throw tooEarly("transactionId");
    }

    @Override
    protected TransactionRandom random() {
        throw tooEarly("random");
    }

    @Override
    protected void flush() {
        throw tooEarly("flush");
    }

    @Override
    protected int savepoint() {
        throw tooEarly("savepoint");
    }

    @Override
    protected void rollbackTo(int savepoint) {
        throw tooEarly("rollbackTo");
    }

    private ProcedureException tooEarly(String what) {
        return refused("its constructor called " + what + ", outside of any transaction; call it in run");
    }

    private ProcedureException refused(String why) {
        return new ProcedureException(
                ErrorCode.INVALID_REQUEST, "procedure " + procedure + " can't be deployed: " + why);
    }

    /** Stands for a statement while the procedure is only looked at. */
    private final class Unbound extends Statement {
        @Override
        public Statement set(int parameter, long value) {
            throw tooEarly("Statement.set");
        }

        @Override
        public Statement set(int parameter, double value) {
            throw tooEarly("Statement.set");
        }

        @Override
        public Statement set(int parameter, boolean value) {
            throw tooEarly("Statement.set");
        }

        @Override
        public Statement set(int parameter, String value) {
            throw tooEarly("Statement.set");
        }

        @Override
        public Statement set(int parameter, Text value) {
            throw tooEarly("Statement.set");
        }

        @Override
        public Statement set(int parameter, byte[] value) {
            throw tooEarly("Statement.set");
        }

        @Override
        public Statement set(int parameter, BigDecimal value) {
            throw tooEarly("Statement.set");
        }

        @Override
        public Statement setUnscaled(int parameter, long unscaled) {
            throw tooEarly("Statement.setUnscaled");
        }

        @Override
        public Statement setNull(int parameter) {
            throw tooEarly("Statement.setNull");
        }

        @Override
        public Rows query() {
            throw tooEarly("Statement.query");
        }

        @Override
        public Rows rows() {
            throw tooEarly("Statement.rows");
        }

        @Override
        public long update() {
            throw tooEarly("Statement.update");
        }

        @Override
        public Rows queue() {
            throw tooEarly("Statement.queue");
        }
    }
}
