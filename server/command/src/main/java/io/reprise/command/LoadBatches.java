package io.reprise.command;

import io.reprise.client.CallException;
import io.reprise.client.CallTooLongException;
import io.reprise.client.Client;
import io.reprise.client.FailureCode;
import io.reprise.client.Reply;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sends a load's records in batches: one statement and one transaction for many records, with a bounded number of statements under
 * way. A batch that the database refuses because of a record is sent again in smaller batches, at last record by record, so that only
 * the wrong records are rejected. Any other failure ends the load.
 *
 * <p>One thread reads and sends; replies come on the client's threads.
 */
final class LoadBatches {
    /** A connection's statements under way; a server refuses more than 64. */
    private static final int UNDER_WAY = 60;

    /** The most records of a batch. */
    private static final int LARGEST = 128;

    /** A batch of a wide table has fewer records: its statement names a parameter for each value. */
    private static final int MOST_PARAMETERS = 1024;

    private static final int SMALLER = 8;

    private static final long PAUSE_MS = 10;

    /** A minute's worth of pauses: a node that is overloaded for longer is not going to take the file. */
    private static final int ATTEMPTS = 6000;

    private final Client client;
    private final LoadCommand.Rejects rejects;
    private final LoadProgress progress;
    private final AtomicReference<Exception> failure;
    private final String insert;
    private final int columns;
    private final int largest;
    private final Map<Integer, String> statements = new HashMap<>();
    private final Semaphore room = new Semaphore(UNDER_WAY);
    private final Queue<List<LoadRecord>> refused = new ConcurrentLinkedQueue<>();

    /**
     * Of one table.
     *
     * @param insert the statement up to the word VALUES
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
        this.columns = columns;
        this.rejects = rejects;
        this.progress = progress;
        this.failure = failure;
        largest = Math.clamp(MOST_PARAMETERS / columns, 1, LARGEST);
    }

    /** The records of a full batch. */
    int largest() {
        return largest;
    }

    /** Whether batches are still sent: the node may answer, and the load was not ended. A file that can't be read or written does not end it. */
    boolean sends() {
        return failure.get() == null || failure.get() instanceof IOException;
    }

    /** Sends records, in pieces of few different sizes, because each size is a statement that the server has to plan. */
    void send(List<LoadRecord> records) throws InterruptedException {
        sendInPieces(records, largest);
        sendRefusedAgain();
    }

    private void sendRefusedAgain() throws InterruptedException {
        for (List<LoadRecord> batch = refused.poll(); batch != null; batch = refused.poll()) {
            if (sends()) {
                sendInPieces(batch, smaller(batch.size()));
            } else {
                notDone(batch);
            }
        }
    }

    /** The next smaller size of a batch than this one. */
    private int smaller(int size) {
        int next = largest;
        while (next >= size) {
            next = Math.max(1, next / SMALLER);
        }
        return next;
    }

    private void sendInPieces(List<LoadRecord> records, int most) throws InterruptedException {
        int size = most;
        // From the last to the first: the entry of the whole batch is replaced when all pieces behind have theirs.
        for (int end = records.size(); end > 0; end -= size) {
            while (size > end) {
                size = Math.max(1, size / SMALLER);
            }
            List<LoadRecord> piece = records.subList(end - size, end);
            room.acquire();
            progress.sent(piece.getFirst().number(), piece.getFirst().line(), size);
            insert(piece, ATTEMPTS);
        }
    }

    /** Waits until all records have ended. */
    void awaitEnd() throws InterruptedException {
        room.acquire(UNDER_WAY);
        while (!refused.isEmpty()) {
            room.release(UNDER_WAY);
            sendRefusedAgain();
            room.acquire(UNDER_WAY);
        }
    }

    /** Records that were read and are not sent. */
    void notDone(List<LoadRecord> records) {
        if (!records.isEmpty()) {
            progress.notDone(records.getFirst().number(), records.getFirst().line(), records.size());
        }
    }

    private String statement(int records) {
        return statements.computeIfAbsent(records, count -> {
            String row = "(" + "?, ".repeat(columns - 1) + "?)";
            return insert + (row + ", ").repeat(count - 1) + row;
        });
    }

    private Object[] values(List<LoadRecord> batch) {
        Object[] values = new Object[batch.size() * columns];
        for (int i = 0; i < batch.size(); i++) {
            System.arraycopy(batch.get(i).values(), 0, values, i * columns, columns);
        }
        return values;
    }

    private void insert(List<LoadRecord> batch, int attempts) {
        insert(batch, statement(batch.size()), values(batch), attempts);
    }

    private void insert(List<LoadRecord> batch, String statement, Object[] values, int attempts) {
        begin(statement, values).whenComplete((_, problem) -> {
            Throwable why = problem instanceof CompletionException ? problem.getCause() : problem;
            boolean again = why instanceof CallException call && call.code() == FailureCode.OVERLOADED && attempts > 1;
            if (again && sends()) {
                later(() -> insert(batch, statement, values, attempts - 1));
            } else {
                ended(batch, why);
            }
        });
    }

    /** A statement that can't be sent fails like one that was. */
    private CompletableFuture<Reply> begin(String statement, Object[] values) {
        try {
            return client.sqlAsync(statement, values);
        } catch (RuntimeException notSent) {
            return CompletableFuture.failedFuture(notSent);
        }
    }

    private static void later(Runnable task) {
        CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS).execute(task);
    }

    private void ended(List<LoadRecord> batch, Throwable why) {
        try {
            if (why == null) {
                progress.ended(batch.getFirst().number());
            } else if (batch.size() > 1 && isOfTheBatch(why)) {
                refused.add(batch);
            } else if (isOfTheRecord(why)) {
                reject(batch.getFirst(), why.getMessage());
            } else {
                fail(batch, why);
            }
        } finally {
            room.release();
        }
    }

    private void fail(List<LoadRecord> batch, Throwable why) {
        if (why instanceof CallException call && call.code() != FailureCode.OUTCOME_UNKNOWN) {
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

    /** Whether smaller batches may do better. */
    private static boolean isOfTheBatch(Throwable why) {
        return isOfTheRecord(why)
                || why instanceof CallException call
                        && (call.code() == FailureCode.TIME_LIMIT || call.code() == FailureCode.MEMORY_LIMIT);
    }

    /** Whether another record may do better. */
    private static boolean isOfTheRecord(Throwable why) {
        if (why instanceof IllegalArgumentException || why instanceof CallTooLongException) {
            return true;
        }
        return why instanceof CallException call
                && switch (call.code()) {
                    case CONSTRAINT_VIOLATION,
                            NUMERIC_OVERFLOW,
                            DIVISION_BY_ZERO,
                            VALUE_TOO_LONG,
                            INVALID_VALUE,
                            CARDINALITY -> true;
                    default -> false;
                };
    }
}
