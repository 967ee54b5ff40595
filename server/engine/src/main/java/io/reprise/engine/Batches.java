package io.reprise.engine;

import io.reprise.execution.BucketMap;
import io.reprise.execution.deploy.Arguments;
import io.reprise.execution.work.BatchWork;
import io.reprise.execution.work.StatementWork;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Runs one statement for many rows of arguments: an INSERT or another write of one row. Its owner asks for the partition of each row, and
 * starts a batch for the rows of one partition, as one transaction. A change of the schema that overtakes a batch has the statement
 * planned again. Owned by one thread, which may wait; batches run beside it.
 */
public final class Batches {
    private final EngineSchema schema;
    private final Calls calls;
    private final Sequences sequences;
    private final DrawnValues session;
    private final RunLimits limits;
    private final String sql;
    private StatementWork statement;

    Batches(EngineSchema schema, Calls calls, Sequences sequences, DrawnValues session, RunLimits limits, String sql) {
        this.schema = schema;
        this.calls = calls;
        this.sequences = sequences;
        this.session = session;
        this.limits = limits;
        this.sql = sql;
        statement = schema.statement(sql);
        if (!statement.traits().writes() || statement.traits().returnsRows()) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "only a statement that writes and returns no rows is run for many rows of values: " + sql);
        }
    }

    /** The number of values that a row has. */
    public int parameters() {
        return statement.traits().givenParameters();
    }

    /**
     * Adds the values of sequences that the statement takes to a row, and tells the partition of the row. Rows of a statement that needs
     * all partitions are all told the same one.
     *
     * @throws ProcedureException if the row has the wrong number of values, or no partition can be told from them
     */
    public int partitionOf(Arguments row) {
        if (statement.retired()) {
            statement = schema.statement(sql);
        }
        if (!statement.traits().sequences().isEmpty() && row.count() == parameters()) {
            sequences.fill(statement.traits(), session, row);
        }
        statement.checkCount(row.count());
        BucketMap buckets = calls.buckets();
        return statement.partitionOf(buckets, row);
    }

    /** Starts a transaction for rows that {@link #partitionOf} has seen; a failure is in the reply. The rows stay as they are until it comes. */
    public CompletableFuture<BatchReply> start(List<Arguments> rows) {
        Attempt attempt = new Attempt(rows);
        return calls.start(limits, attempt::make).thenApply(attempt::reply);
    }

    /** The newest of several attempts. */
    private final class Attempt {
        private final List<Arguments> rows;
        private BatchWork work;

        Attempt(List<Arguments> rows) {
            this.rows = rows;
        }

        BatchWork make() {
            work = new BatchWork(schema.statement(sql), rows);
            return work;
        }

        BatchReply reply(Reply reply) {
            return new BatchReply(reply.error(), reply.message(), reply.subject(), work.failed(), work.written());
        }
    }
}
