package io.reprise.command;

import io.reprise.client.CallException;
import io.reprise.client.CallTooLongException;
import io.reprise.client.Client;
import io.reprise.client.FailureCode;
import io.reprise.client.Reply;
import io.reprise.client.ResultRows;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Inserts records, a bounded number of them at a time. A record whose values don't fit, or which the database refuses, is
 * rejected with the reason, and the others go on. When the node is gone or full, or the file makes no sense any more, all ends, and
 * whoever asked is told from which line to go on.
 */
final class TableLoad {
    private static final int UNDER_WAY = 128;
    private static final long PAUSE_MS = 10;

    /** A minute's worth: a node that is overloaded for longer is not going to take the file. */
    private static final int ATTEMPTS = 6000;

    private final Client client;
    private final LoadCommand.Rejects rejects;
    private final boolean upsert;
    private final Semaphore room = new Semaphore(UNDER_WAY);
    private final LoadProgress progress = new LoadProgress();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final List<String> types = new ArrayList<>();
    private final String insert;
    private long records;

    /** A record on its way. */
    private record Sent(long number, long line, String text, Object[] values) {}

    TableLoad(Client client, String table, List<String> columns, boolean upsert, LoadCommand.Rejects rejects) {
        this.client = client;
        this.rejects = rejects;
        this.upsert = upsert;
        List<String> names =
                columns.stream().map(name -> name == null ? "" : name.strip()).toList();
        String list = String.join(", ", names);
        ResultRows none = columnsOf("SELECT " + list + " FROM " + table + " LIMIT 0");
        for (int column = 0; column < none.columns(); column++) {
            types.add(none.columnType(column));
        }
        insert = (upsert ? "UPSERT" : "INSERT") + " INTO " + table + " (" + list + ") VALUES ("
                + "?, ".repeat(names.size() - 1) + "?)";
    }

    /** That the table and the columns are there, and of which types. */
    private ResultRows columnsOf(String query) {
        try {
            return client.sql(query).rows();
        } catch (CallException e) {
            throw new IllegalStateException(
                    "nothing was loaded, because the table's columns can't be asked for by \"" + query + "\": "
                            + e.getMessage()
                            + ". The file's first line has to name them, unless --columns does; what stands between fields is"
                            + " said by --separator",
                    e);
        }
    }

    /** Loads all records that begin on this line or behind it; returns how many there were. */
    long run(CsvReader csv, long fromLine, Runnable shown) throws IOException, InterruptedException {
        long nextLine = csv.nextLine();
        try {
            for (List<String> fields = csv.read(); fields != null; fields = csv.read()) {
                nextLine = csv.nextLine();
                if (csv.line() < fromLine || isEmptyLine(fields)) {
                    continue;
                }
                records++;
                send(csv, fields);
                shown.run();
                if (failure.get() != null || rejects.tooMany()) {
                    break;
                }
            }
        } catch (CharacterCodingException e) {
            failure.compareAndSet(
                    null, new IOException("from line " + nextLine + " on something in the file is not in UTF-8", e));
        } catch (IOException e) {
            failure.compareAndSet(null, e);
        }
        room.acquire(UNDER_WAY);
        if (failure.get() != null || rejects.tooMany()) {
            throw stopped(nextLine);
        }
        return records;
    }

    /** Of a table with one column it is a record, whose value is NULL. */
    private boolean isEmptyLine(List<String> fields) {
        return types.size() > 1 && fields.size() == 1 && fields.getFirst() == null;
    }

    private void send(CsvReader csv, List<String> fields) throws InterruptedException {
        Object[] values = new Object[types.size()];
        Sent record = new Sent(records, csv.line(), csv.text(), values);
        room.acquire();
        progress.sent(record.number(), record.line());
        try {
            if (csv.malformed()) {
                throw new IllegalArgumentException("something stands behind a field's closing quotation mark;"
                        + " a quotation mark within a field is written twice");
            }
            if (fields.size() != types.size()) {
                throw new IllegalArgumentException(
                        fields.size() + " fields, and there are " + types.size() + " columns");
            }
            for (int i = 0; i < values.length; i++) {
                values[i] = ColumnText.value(types.get(i), fields.get(i));
            }
        } catch (IllegalArgumentException e) {
            ended(record, null, e);
            return;
        }
        insert(record, ATTEMPTS);
    }

    private void insert(Sent record, int attempts) {
        begin(record).whenComplete((reply, problem) -> {
            Throwable why = problem instanceof CompletionException ? problem.getCause() : problem;
            boolean again = why instanceof CallException call && call.code() == FailureCode.OVERLOADED && attempts > 1;
            if (again && !(failure.get() instanceof Stopped)) {
                later(() -> insert(record, attempts - 1));
            } else {
                ended(record, reply, why);
            }
        });
    }

    /** What can't even be sent fails as what was. */
    private CompletableFuture<Reply> begin(Sent record) {
        try {
            return client.sqlAsync(insert, record.values());
        } catch (RuntimeException notSent) {
            return CompletableFuture.failedFuture(notSent);
        }
    }

    private static void later(Runnable task) {
        CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS).execute(task);
    }

    private void ended(Sent record, Reply reply, Throwable why) {
        try {
            note(record, reply, why);
        } catch (IOException e) {
            // It has not found its end: whoever goes on has to begin with it.
            progress.notDone(record.number(), record.line());
            failure.compareAndSet(null, new IOException("the file of rejects can't be written: " + e, e));
        } finally {
            room.release();
        }
    }

    private void note(Sent record, Reply reply, Throwable why) throws IOException {
        if (reply != null) {
            progress.ended(record.number());
        } else if (isTheRecords(why)) {
            rejects.add(record.text(), "line " + record.line() + ": " + why.getMessage());
            progress.ended(record.number());
        } else {
            if (why instanceof CallException call && call.code() != FailureCode.OUTCOME_UNKNOWN) {
                progress.notDone(record.number(), record.line());
            }
            failure.compareAndSet(null, why instanceof Exception known ? known : new IllegalStateException(why));
        }
    }

    /** Whether another record may do better. */
    private static boolean isTheRecords(Throwable why) {
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

    /** Any thread: no more records are sent, and {@link #run} ends when those under way have. */
    void stop() {
        failure.compareAndSet(null, new Stopped());
    }

    /** Whoever runs it wants it to end. */
    private static final class Stopped extends Exception {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("it was told to");
        }
    }

    /** Why it has stopped, what to do first, and how to go on. */
    private IllegalStateException stopped(long nextLine) {
        Exception why = failure.get();
        String reason = why == null
                ? "too many records are refused; the file of rejects has them with the reasons"
                : String.valueOf(why.getMessage());
        return new IllegalStateException(
                "the load has stopped: " + reason + "\n" + (why instanceof Stopped ? "" : whatFirst(why) + "\n")
                        + progress.howToGoOn(records, nextLine, upsert, rejects.count() > 0),
                why);
    }

    private static String whatFirst(Exception why) {
        if (why == null) {
            return "First see there what is wrong; with the wrong columns or separator all are refused.";
        }
        if (!(why instanceof CallException call)) {
            return "First mend that.";
        }
        return switch (call.code()) {
            case STORAGE_UNAVAILABLE ->
                "First make room on the disk that the node has its data on, or make that writable; \"reprise status\" says"
                        + " \"The log takes no writes\" for as long as it does not.";
            case MEMORY_LIMIT ->
                "First make room: delete rows, or start the node again with more engine.memoryPerPartition.";
            case NOT_CONNECTED, OUTCOME_UNKNOWN, SHUTTING_DOWN ->
                "First see to it that the node is at work (\"reprise status\"), or start it again: what it has answered is there.";
            case NOT_PERMITTED, NOT_AUTHENTICATED -> "First name a user who may write.";
            default -> "First mend that.";
        };
    }
}
