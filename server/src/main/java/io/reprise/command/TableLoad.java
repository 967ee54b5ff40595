package io.reprise.command;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.FailureCode;
import io.reprise.client.Reply;
import io.reprise.client.ResultRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Inserts records, a bounded number of them at a time. A record whose values don't fit, or which the database refuses, is
 * rejected with the reason, and the others go on; when the node is gone or full, all ends.
 */
final class TableLoad {
    private static final int UNDER_WAY = 128;
    private static final long PAUSE_MS = 10;

    /** A minute's worth: a node that is overloaded for longer is not going to take the file. */
    private static final int ATTEMPTS = 6000;

    private final Client client;
    private final LoadCommand.Rejects rejects;
    private final Semaphore room = new Semaphore(UNDER_WAY);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<String> types = new ArrayList<>();
    private final String insert;

    TableLoad(Client client, String table, List<String> columns, boolean upsert, LoadCommand.Rejects rejects) {
        this.client = client;
        this.rejects = rejects;
        List<String> names =
                columns.stream().map(name -> name == null ? "" : name.strip()).toList();
        String list = String.join(", ", names);
        ResultRows none =
                client.sql("SELECT " + list + " FROM " + table + " LIMIT 0").rows();
        for (int column = 0; column < none.columns(); column++) {
            types.add(none.columnType(column));
        }
        insert = (upsert ? "UPSERT" : "INSERT") + " INTO " + table + " (" + list + ") VALUES ("
                + "?, ".repeat(names.size() - 1) + "?)";
    }

    /** Loads all records; returns how many there were. */
    long run(CsvReader csv, Runnable progress) throws IOException, InterruptedException {
        long records = 0;
        for (List<String> fields = csv.read(); fields != null; fields = csv.read()) {
            if (fields.size() == 1 && fields.getFirst() == null) {
                continue;
            }
            records++;
            send(csv, fields);
            progress.run();
            stopIfFailed();
        }
        room.acquire(UNDER_WAY);
        stopIfFailed();
        return records;
    }

    private void send(CsvReader csv, List<String> fields) throws IOException, InterruptedException {
        String text = csv.text();
        String place = "line " + csv.line() + ": ";
        if (fields.size() != types.size()) {
            rejects.add(text, place + fields.size() + " fields, and there are " + types.size() + " columns");
            return;
        }
        Object[] values = new Object[types.size()];
        try {
            for (int i = 0; i < values.length; i++) {
                values[i] = ColumnText.value(types.get(i), fields.get(i));
            }
        } catch (IllegalArgumentException e) {
            rejects.add(text, place + e.getMessage());
            return;
        }
        room.acquire();
        insert(values, text, place, ATTEMPTS);
    }

    private void insert(Object[] values, String text, String place, int attempts) {
        client.sqlAsync(insert, values).whenComplete((reply, problem) -> {
            Throwable why = problem instanceof CompletionException ? problem.getCause() : problem;
            boolean again = why instanceof CallException call && call.code() == FailureCode.OVERLOADED && attempts > 1;
            if (again) {
                later(() -> insert(values, text, place, attempts - 1));
                return;
            }
            try {
                ended(reply, why, text, place);
            } catch (IOException e) {
                failure.compareAndSet(null, e);
            } finally {
                room.release();
            }
        });
    }

    private static void later(Runnable task) {
        java.util.concurrent.CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS)
                .execute(task);
    }

    private void ended(Reply reply, Throwable why, String text, String place) throws IOException {
        if (reply != null) {
            return;
        }
        if (why instanceof CallException call && isTheRecords(call.code())) {
            rejects.add(text, place + call.getMessage());
        } else {
            failure.compareAndSet(null, why);
        }
    }

    /** Whether another record may do better. */
    private static boolean isTheRecords(FailureCode code) {
        return switch (code) {
            case CONSTRAINT_VIOLATION,
                    NUMERIC_OVERFLOW,
                    DIVISION_BY_ZERO,
                    VALUE_TOO_LONG,
                    INVALID_VALUE,
                    CARDINALITY,
                    OUTCOME_UNKNOWN -> true;
            default -> false;
        };
    }

    private void stopIfFailed() throws IOException {
        Throwable failed = failure.get();
        if (failed == null && rejects.tooMany()) {
            throw new IllegalStateException("too many records are refused; the rejects file has them with the reasons");
        }
        switch (failed) {
            case null -> {}
            case CallException call ->
                throw new IllegalStateException(
                        "the load has stopped, with some records in the table: " + call.getMessage(), call);
            case IOException io -> throw io;
            case UncheckedIOException io -> throw io.getCause();
            default -> throw new IllegalStateException("the load has stopped", failed);
        }
    }
}
