package io.reprise.session;

import io.reprise.engine.BatchReply;
import io.reprise.engine.Batches;
import io.reprise.execution.deploy.Arguments;
import io.reprise.procedure.ProcedureException;
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
        private final List<Arguments> rows = new ArrayList<>(BATCH_ROWS);
        private final long[] lines = new long[BATCH_ROWS];
        private CompletableFuture<BatchReply> end;
    }

    private final Batches batches;
    private final CopyPlan plan;
    private final SortedMap<Integer, Batch> gathered = new TreeMap<>();
    private final ArrayDeque<Batch> underWay = new ArrayDeque<>();
    private long committed;
    private SessionException failure;

    CopyBatches(Batches batches, CopyPlan plan) {
        this.batches = batches;
        this.plan = plan;
    }

    @Override
    public void add(Arguments row, long line) {
        int partition;
        try {
            partition = batches.partitionOf(row);
        } catch (ProcedureException refused) {
            failure = told(refused, CopyIn.where(plan, line));
            throw end();
        }
        Batch batch = gathered.computeIfAbsent(partition, none -> new Batch());
        batch.lines[batch.rows.size()] = line;
        batch.rows.add(row);
        if (batch.rows.size() == BATCH_ROWS) {
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
        batch.end = batches.start(batch.rows);
        underWay.add(batch);
    }

    private void await() {
        Batch oldest = underWay.poll();
        SessionException why = null;
        try {
            BatchReply reply = oldest.end.join();
            if (reply.succeeded()) {
                committed += oldest.rows.size();
            } else {
                why = told(
                        new ProcedureException(reply.error(), reply.message(), reply.subject()),
                        CopyIn.where(plan, oldest.lines[Math.max(0, reply.failed())]));
            }
        } catch (CompletionException e) {
            why = e.getCause() instanceof ProcedureException known
                    ? told(known, CopyIn.where(plan, oldest.lines[0]))
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
