package io.reprise.execution.work;

import io.reprise.catalog.ProcedureDefinition.Logging;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Elsewhere;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.Scope;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.Arguments;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Statement;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.compile.runtime.RowBuffer;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A statement that is run once for each of many rows of arguments, in one transaction. The first failure rolls all of them back, and the
 * batch names its row. It leaves a data record.
 *
 * <p>Made for one execution; the thread that runs the transaction writes to it, the reply publishes that.
 */
public final class BatchWork extends Work {
    private static final int NONE = -1;

    private final StatementWork statement;
    private final List<Arguments> rows;
    private int failed = NONE;
    private long written;

    /** The tape that another node runs instead; null if none does. */
    private TapeWork passed;

    /** A batch of a statement that writes, and returns no rows. */
    public BatchWork(StatementWork statement, List<Arguments> rows) {
        super(statement.name() + " for " + rows.size() + " rows");
        this.statement = statement;
        this.rows = rows;
        // A client composed it, so no replay could run it again by a name.
        logAs(Logging.DATA);
    }

    /** The row that failed, from 0; -1: none, or the batch as a whole. */
    public int failed() {
        return passed == null ? failed : passed.failed();
    }

    /** The number of rows that were written. */
    public long written() {
        return passed == null ? written : passed.counted();
    }

    @Override
    public boolean readOnly() {
        return false;
    }

    @Override
    public Scope scope() {
        return Scope.MULTI;
    }

    @Override
    public List<StatementFactory> statements() {
        return List.of();
    }

    @Override
    public void checkArguments(Execution execution) {
        for (Arguments row : rows) {
            statement.checkCount(row.count());
        }
    }

    @Override
    public void route(Execution execution, BucketMap buckets) {
        execution.routeBy(buckets);
        for (Arguments row : rows) {
            statement.addParticipants(execution, buckets, row);
        }
        if (execution.participantCount() == 0) {
            execution.addParticipant(0);
        }
    }

    @Override
    public void bind(List<Partition> partitions) {}

    @Override
    public void run(Partition partition, Execution execution) {
        begin();
        if (!isCurrent(execution)) {
            return;
        }
        for (int i = 0; i < rows.size(); i++) {
            try {
                RowBuffer count = statement.runIn(partition, rows.get(i));
                count.next();
                written += count.longAt(0);
            } catch (ProcedureException failure) {
                fail(i, failure, execution);
                return;
            }
        }
    }

    @Override
    public void runLent(Partition at, Execution execution) {
        begin();
        if (isCurrent(execution)) {
            runEach(statement.lentAt(at), execution);
        }
    }

    @Override
    public void runOver(Partition home, Execution execution, Elsewhere elsewhere) {
        begin();
        if (isCurrent(execution)) {
            runEach(statement.overAt(home, 0, execution, elsewhere), execution);
        }
    }

    private void runEach(Statement lent, Execution execution) {
        for (int i = 0; i < rows.size(); i++) {
            try {
                StatementWork.setParameters(lent, rows.get(i));
                written += lent.update();
            } catch (ProcedureException failure) {
                fail(i, failure, execution);
                return;
            }
        }
    }

    private void begin() {
        failed = NONE;
        written = 0;
    }

    /** A change of the schema may have overtaken the batch; then it is made again of the newly planned statement. */
    private boolean isCurrent(Execution execution) {
        if (statement.retired()) {
            execution.outcome().failStale("a change of the schema overtook the transaction; run it again");
            return false;
        }
        return true;
    }

    private void fail(int row, ProcedureException failure, Execution execution) {
        if (TapeWork.isFinal(failure.code())) {
            throw failure;
        }
        failed = row;
        ErrorCode code = failure.code();
        execution.outcome().fail(code, failure.getMessage(), failure.subject());
    }

    @Override
    public CompiledStatement statementAt(Partition partition, int number) {
        return statement.statementAt(partition, 0);
    }

    @Override
    public void decodeParameters(ByteBuffer in, CompiledStatement into) {
        ParameterBuffer.decode(in, into);
    }

    /** Another node runs it as a tape. */
    @Override
    public byte[] composed() {
        return tape().composed();
    }

    @Override
    public boolean takeAnswers(byte[] answers) {
        passed = tape();
        return passed.takeAnswers(answers);
    }

    private TapeWork tape() {
        return new TapeWork(
                rows.stream()
                        .map(row -> new TapeEntry(TapeEntry.Kind.STATEMENT, 0, statement, row, null))
                        .toList(),
                false,
                0,
                0);
    }
}
