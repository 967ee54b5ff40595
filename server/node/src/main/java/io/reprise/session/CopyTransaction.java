package io.reprise.session;

import io.reprise.engine.BatchReply;
import io.reprise.engine.Batches;
import io.reprise.execution.deploy.Arguments;
import io.reprise.procedure.ProcedureException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;

/** Collects the rows of a COPY and inserts them as one transaction, or as a part of the session's. Owned by a session. */
final class CopyTransaction implements CopyIn.Sink {
    private static final long ARGUMENT_BYTES = 24;

    private final SqlSession session;
    private final CopyPlan plan;
    private final int mostRows;
    private final List<Arguments> rows = new ArrayList<>();
    private final List<Long> lines = new ArrayList<>();
    private long bytes;

    /** The rows of a COPY within a session. */
    CopyTransaction(SqlSession session, CopyPlan plan, int mostRows) {
        this.session = session;
        this.plan = plan;
        this.mostRows = mostRows;
    }

    @Override
    public void add(Arguments row, long line) {
        for (int i = 0; i < row.count(); i++) {
            bytes += ARGUMENT_BYTES;
            if (row.reference(i) instanceof String text) {
                bytes += text.length();
            } else if (row.reference(i) instanceof byte[] array) {
                bytes += array.length;
            }
        }
        if (rows.size() == mostRows || bytes > Transaction.MOST_COPIED_BYTES) {
            throw tooMany("COPY has more than " + mostRows + " rows or " + Transaction.MOST_COPIED_BYTES
                    + " bytes, which is too much for one transaction");
        }
        rows.add(row);
        lines.add(line);
    }

    private static SessionException tooMany(String message) {
        return new SessionException(
                SqlStates.LIMIT_EXCEEDED,
                message,
                "SET reprise.copy_atomic = off; the rows are committed in batches then.",
                0);
    }

    @Override
    public long finish() {
        if (rows.isEmpty()) {
            return 0;
        }
        if (session.isInTransaction()) {
            runAsStatements();
        } else {
            runAsBatch(session.batches(plan));
        }
        return rows.size();
    }

    private void runAsStatements() {
        List<Bound> bounds = new ArrayList<>();
        for (Arguments row : rows) {
            Object[] arguments = new Object[row.count()];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = row.boxed(i);
            }
            bounds.add(new Bound(plan.prepared(), arguments));
        }
        session.runCopied(bounds);
        for (int i = 0; i < bounds.size(); i++) {
            try {
                bounds.get(i).answer();
            } catch (SessionException failure) {
                throw failedAt(i, failure);
            }
        }
    }

    private void runAsBatch(Batches batches) {
        for (int i = 0; i < rows.size(); i++) {
            try {
                batches.partitionOf(rows.get(i));
            } catch (ProcedureException refused) {
                throw failedAt(i, Preparation.failure(refused, plan.prepared().translation()));
            }
        }
        try {
            BatchReply reply = batches.start(rows).join();
            if (!reply.succeeded()) {
                throw failedAt(
                        reply.failed(),
                        Preparation.failure(
                                new ProcedureException(reply.error(), reply.message(), reply.subject()),
                                plan.prepared().translation()));
            }
        } catch (CompletionException e) {
            throw e.getCause() instanceof ProcedureException known
                    ? Preparation.failure(known, plan.prepared().translation())
                    : new SessionException("XX000", "internal error: " + e.getCause());
        }
    }

    private SessionException failedAt(int row, SessionException failure) {
        if (failure.state().equals(SqlStates.LIMIT_EXCEEDED)) {
            return tooMany(failure.getMessage());
        }
        return row < 0 ? failure : failure.in(CopyIn.where(plan, lines.get(row)));
    }
}
