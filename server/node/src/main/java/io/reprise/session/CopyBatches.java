package io.reprise.session;

import io.reprise.engine.TapeReply;
import io.reprise.engine.TapeStep;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Cancellation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Inserts the rows of a COPY in batches, each a transaction of its own at the partition of its rows. Several batches are under way at a
 * time. A batch with a wrong row is rolled back, and ends the COPY; the others stay. Owned by a session.
 */
final class CopyBatches implements CopyIn.Sink {
    private static final int BATCH_ROWS = 500;
    private static final int MOST_UNDER_WAY = 16;

    private static final class Batch {
        private final List<TapeStep> steps = new ArrayList<>();
        private final List<Long> lines = new ArrayList<>();
        private CompletableFuture<TapeReply> end;
    }

    private final SessionEngine engine;
    private final Cancellation cancellation;
    private final CopyPlan plan;
    private final String sql;
    private final SortedMap<Integer, Batch> gathered = new TreeMap<>();
    private final ArrayDeque<Batch> underWay = new ArrayDeque<>();
    private long committed;
    private SessionException failure;

    CopyBatches(SessionEngine engine, Cancellation cancellation, CopyPlan plan) {
        this.engine = engine;
        this.cancellation = cancellation;
        this.plan = plan;
        sql = plan.prepared().translation().sql();
    }

    @Override
    public void add(Bound row, long line) {
        int partition;
        Object[] arguments;
        try {
            arguments = engine.filled(sql, null, row.arguments());
            partition = engine.partitionOf(sql, arguments);
        } catch (ProcedureException refused) {
            failure = told(refused, CopyIn.where(plan, line));
            throw end();
        }
        Batch batch = gathered.computeIfAbsent(partition, none -> new Batch());
        batch.steps.add(TapeStep.statement(sql, arguments));
        batch.lines.add(line);
        if (batch.steps.size() == BATCH_ROWS) {
            gathered.remove(partition);
            send(batch);
        }
        if (failure != null) {
            throw end();
        }
    }

    private void send(Batch batch) {
        while (underWay.size() >= MOST_UNDER_WAY) {
            await();
        }
        batch.end = engine.begin(cancellation, batch.steps);
        underWay.add(batch);
    }

    private void await() {
        Batch oldest = underWay.poll();
        SessionException why = null;
        try {
            TapeReply reply = oldest.end.join();
            if (reply.succeeded()) {
                committed += oldest.steps.size();
            } else {
                why = told(
                        new ProcedureException(reply.error(), reply.message(), reply.subject()),
                        CopyIn.where(plan, oldest.lines.get(Math.max(0, reply.failed()))));
            }
        } catch (CompletionException e) {
            why = e.getCause() instanceof ProcedureException known
                    ? told(known, CopyIn.where(plan, oldest.lines.getFirst()))
                    : new SessionException("XX000", "internal error: " + e.getCause());
        }
        if (failure == null) {
            failure = why;
        }
    }

    private SessionException told(ProcedureException why, String where) {
        return Preparation.failure(why, plan.prepared().translation()).in(where);
    }

    /** Waits for what is under way. Returns the failure of the COPY. */
    private SessionException end() {
        while (!underWay.isEmpty()) {
            await();
        }
        return new SessionException(
                failure.state(),
                failure.getMessage(),
                failure.fields()
                        .withPosition(0)
                        .withDetail(
                                committed + " rows of this COPY are committed, because reprise.copy_atomic is off."));
    }

    @Override
    public long finish() {
        for (Batch batch : gathered.values()) {
            send(batch);
        }
        gathered.clear();
        while (!underWay.isEmpty()) {
            await();
        }
        if (failure != null) {
            throw end();
        }
        return committed;
    }
}
