package io.reprise.command;

import io.reprise.client.CallException;
import io.reprise.client.CallTooLongException;
import io.reprise.client.Client;
import io.reprise.client.ErrorCode;
import io.reprise.client.RejectedRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sends a load's records in batches: one request for many records, with a bounded number of requests under way. The node makes a
 * transaction of the records of each partition, and answers with those that it refuses. They are rejected, or sent again if the node
 * had no time for them. Any other failure ends the load.
 *
 * <p>One thread reads and sends; replies come on the client's threads.
 */
final class LoadBatches {
    /** Requests under way: enough for the node to have work while replies travel. A server refuses more than 64 of a connection. */
    private static final int UNDER_WAY = 32;

    /** The most records of a batch. */
    private static final int LARGEST = 1000;

    /** A batch of a wide table has fewer records. */
    private static final int MOST_VALUES = 16_384;

    private static final long PAUSE_MS = 10;

    /** A minute's worth of pauses: a node that is overloaded for longer is not going to take the file. */
    private static final int ATTEMPTS = 6000;

    private final Client client;
    private final LoadCommand.Rejects rejects;
    private final LoadProgress progress;
    private final AtomicReference<Exception> failure;
    private final String insert;
    private final int largest;
    private final Semaphore room = new Semaphore(UNDER_WAY);

    /** Batches whose frame was too long. */
    private final Queue<List<LoadRecord>> tooLong = new ConcurrentLinkedQueue<>();

    /**
     * Of one table.
     *
     * @param insert the statement for a record
     * @param failure gets the first reason to end the load
     */
    LoadBatches(
            Client client,
            String insert,
            int columns,
            LoadCommand.Rejects rejects,
            LoadProgress progress,
            AtomicReference<Exception> failure) {
        this.client = client;
        this.insert = insert;
        this.rejects = rejects;
        this.progress = progress;
        this.failure = failure;
        largest = Math.clamp(MOST_VALUES / columns, 1, LARGEST);
    }

    /** The records of a full batch. */
    int largest() {
        return largest;
    }

    /** Whether batches are still sent: the node may answer, and the load was not ended. A file that can't be read or written does not end it. */
    boolean sends() {
        return failure.get() == null || failure.get() instanceof IOException;
    }

    /** Sends records; waits while enough are under way. */
    void send(List<LoadRecord> records) throws InterruptedException {
        if (!records.isEmpty()) {
            sendBatch(records);
        }
        sendHalves();
    }

    private void sendBatch(List<LoadRecord> batch) throws InterruptedException {
        room.acquire();
        progress.sent(batch.getFirst().number(), batch.getFirst().line(), batch.size());
        insert(new Open(batch, progress, false), ATTEMPTS);
    }

    private void sendHalves() throws InterruptedException {
        for (List<LoadRecord> batch = tooLong.poll(); batch != null; batch = tooLong.poll()) {
            int half = batch.size() / 2;
            // The entry of the whole batch is replaced when the piece behind has its own.
            for (List<LoadRecord> piece : List.of(batch.subList(half, batch.size()), batch.subList(0, half))) {
                if (sends()) {
                    sendBatch(piece);
                } else {
                    notDone(piece);
                }
            }
        }
    }

    /** Waits until all records have ended. */
    void awaitEnd() throws InterruptedException {
        room.acquire(UNDER_WAY);
        while (!tooLong.isEmpty()) {
            room.release(UNDER_WAY);
            sendHalves();
            room.acquire(UNDER_WAY);
        }
    }

    /** Notes records that were read and are not sent. */
    void notDone(List<LoadRecord> records) {
        if (!records.isEmpty()) {
            progress.notDone(records.getFirst().number(), records.getFirst().line(), records.size());
        }
    }

    /**
     * Sends a request.
     *
     * @param open the records under way: one entry of {@link LoadProgress} for all, or one for each
     */
    private void insert(Open open, int attempts) {
        begin(open.batch()).whenComplete((rejected, problem) -> {
            Throwable why = problem instanceof CompletionException ? problem.getCause() : problem;
            if (why == null) {
                ended(open, rejected, attempts);
            } else if (isOfTheMoment(why) && attempts > 1 && sends()) {
                later(() -> insert(open, attempts - 1));
            } else {
                failed(open, why);
            }
        });
    }

    /** A request that can't be sent fails like one that was. */
    private CompletableFuture<List<RejectedRow>> begin(List<LoadRecord> batch) {
        try {
            List<Object[]> rows = new ArrayList<>(batch.size());
            for (LoadRecord row : batch) {
                rows.add(row.values());
            }
            return client.sqlForRowsAsync(insert, rows);
        } catch (RuntimeException notSent) {
            return CompletableFuture.failedFuture(notSent);
        }
    }

    private static void later(Runnable task) {
        CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS).execute(task);
    }

    /** The node has answered: it has committed all records but some. */
    private void ended(Open open, List<RejectedRow> rejected, int attempts) {
        List<LoadRecord> again = new ArrayList<>();
        open.eachRejected(rejected, (row, why) -> {
            if (isOfTheRecord(why.code())) {
                reject(row, why.message());
            } else if (isOfTheMoment(why.code()) && attempts > 1 && sends()) {
                again.add(row);
            } else {
                fail(List.of(row), why.failure());
            }
        });
        if (again.isEmpty()) {
            room.release();
        } else {
            later(() -> insert(new Open(again, progress, true), attempts - 1));
        }
    }

    private void failed(Open open, Throwable why) {
        List<LoadRecord> batch = open.batch();
        boolean ofTheSize = why instanceof IllegalArgumentException || why instanceof CallTooLongException;
        try {
            if (ofTheSize && batch.size() > 1) {
                tooLong.add(batch);
            } else if (ofTheSize) {
                reject(batch.getFirst(), why.getMessage());
            } else if (open.single()) {
                batch.forEach(row -> fail(List.of(row), why));
            } else {
                fail(batch, why);
            }
        } finally {
            room.release();
        }
    }

    private void fail(List<LoadRecord> batch, Throwable why) {
        if (why instanceof CallException call && call.code() != ErrorCode.OUTCOME_UNKNOWN) {
            notDone(batch);
        }
        failure.compareAndSet(null, why instanceof Exception known ? known : new IllegalStateException(why));
    }

    /** Notes a record with the reason. Without that the record has not ended: the next load has to begin with it. */
    void reject(LoadRecord rejected, String why) {
        try {
            rejects.add(rejected.text(), "line " + rejected.line() + ": " + why);
            progress.ended(rejected.number());
        } catch (IOException e) {
            notDone(List.of(rejected));
            failure.compareAndSet(null, new IOException("the file of rejects can't be written: " + e, e));
        }
    }

    private static boolean isOfTheMoment(Throwable why) {
        return why instanceof CallException call && isOfTheMoment(call.code());
    }

    /** Whether the same record may do better in a moment, because it was not run. */
    private static boolean isOfTheMoment(ErrorCode code) {
        return code == ErrorCode.OVERLOADED || code == ErrorCode.MOVED || code == ErrorCode.PARTITION_UNAVAILABLE;
    }

    /** Whether another record may do better. */
    private static boolean isOfTheRecord(ErrorCode code) {
        return switch (code) {
            case CONSTRAINT_VIOLATION, NUMERIC_OVERFLOW, DIVISION_BY_ZERO, VALUE_TOO_LONG, INVALID_VALUE, CARDINALITY ->
                true;
            default -> false;
        };
    }

    /** The receiver of rejected records. */
    private interface Rejection {
        void of(LoadRecord row, RejectedRow why);
    }

    /**
     * Records under way.
     *
     * @param single whether each has an entry in the progress; otherwise they have one together, by the first of them
     */
    private record Open(List<LoadRecord> batch, LoadProgress progress, boolean single) {
        /** Gives each rejected record an entry of its own, passes it on, and ends the others. */
        void eachRejected(List<RejectedRow> rejected, Rejection to) {
            int next = 0;
            for (RejectedRow each : rejected) {
                endSingles(next, each.row());
                next = each.row() + 1;
                LoadRecord row = batch.get(each.row());
                progress.sent(row.number(), row.line(), 1);
            }
            endSingles(next, batch.size());
            if (!single && (rejected.isEmpty() || rejected.getFirst().row() > 0)) {
                progress.ended(batch.getFirst().number());
            }
            for (RejectedRow each : rejected) {
                to.of(batch.get(each.row()), each);
            }
        }

        private void endSingles(int from, int to) {
            for (int i = from; single && i < to; i++) {
                progress.ended(batch.get(i).number());
            }
        }
    }
}
