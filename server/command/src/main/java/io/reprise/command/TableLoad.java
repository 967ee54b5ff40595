package io.reprise.command;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.Rows;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A load of a file into a table. It reads records, converts their values, and sends them in {@link LoadBatches}. A record with values
 * that don't fit, or that the database refuses, is rejected with the reason, and the others go on. When the node is gone or full, or the
 * rest of the file is no CSV, the load stops and names the line from which to go on.
 */
final class TableLoad {
    /** The most characters of a batch; one record may have more. */
    private static final int MOST_CHARACTERS = 48 << 10;

    /** The most characters of a wrong column name in a message. */
    private static final int MOST_SHOWN = 40;

    private final Client client;
    private final LoadCommand.Rejects rejects;
    private final boolean upsert;
    private final LoadProgress progress = new LoadProgress();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final List<ColumnText> columns = new ArrayList<>();
    private final LoadBatches batches;
    private List<LoadRecord> batch = new ArrayList<>();
    private long characters;
    private long records;

    TableLoad(Client client, String table, List<String> names, boolean upsert, LoadCommand.Rejects rejects) {
        this.client = client;
        this.rejects = rejects;
        this.upsert = upsert;
        List<String> quoted = new ArrayList<>();
        Rows none = columnsOf(table);
        for (String name : names) {
            int column = column(none, table, name == null ? "" : name.strip());
            columns.add(ColumnText.of(none.columnType(column)));
            quoted.add('"' + none.columnName(column).replace("\"", "\"\"") + '"');
        }
        String insert = (upsert ? "UPSERT" : "INSERT") + " INTO " + table + " (" + String.join(", ", quoted)
                + ") VALUES (" + "?, ".repeat(columns.size() - 1) + "?)";
        batches = new LoadBatches(client, insert, columns.size(), rejects, progress, failure);
    }

    /** The columns of the table with their types, by a query without rows. */
    private Rows columnsOf(String table) {
        try {
            return client.sql("SELECT * FROM " + table + " LIMIT 0").rows();
        } catch (CallException e) {
            throw new IllegalStateException(
                    "nothing was loaded, because the columns of table " + table + " can't be read: " + e.getMessage(),
                    e);
        }
    }

    /** The place of a column by its name, which may be in quotes as in SQL. */
    private static int column(Rows rows, String table, String name) {
        String plain = name.length() > 1 && name.startsWith("\"") && name.endsWith("\"")
                ? name.substring(1, name.length() - 1).replace("\"\"", "\"")
                : name;
        int found = -1;
        StringBuilder all = new StringBuilder();
        for (int column = 0; column < rows.columns(); column++) {
            String other = rows.columnName(column);
            if (other.equals(plain) || found < 0 && other.equals(plain.toUpperCase(Locale.ROOT))) {
                found = column;
            }
            all.append(column == 0 ? "" : ", ").append(other);
        }
        if (found < 0) {
            throw new IllegalArgumentException("nothing was loaded, because table " + table + " has no column \""
                    + (plain.length() > MOST_SHOWN ? plain.substring(0, MOST_SHOWN) + "..." : plain) + "\". It has "
                    + all
                    + ". The file's first line has to name the columns, unless --columns does; --separator says what stands"
                    + " between them");
        }
        return found;
    }

    /** Loads all records that begin on this line or behind it. Returns how many there were. */
    long run(LoadSource file, long fromLine, Runnable shown) throws IOException, InterruptedException {
        long nextLine = file.nextLine();
        try {
            while (file.read()) {
                nextLine = file.nextLine();
                if (file.line() < fromLine || file.isBlank()) {
                    continue;
                }
                records++;
                add(file);
                shown.run();
                if (hasToStop()) {
                    break;
                }
            }
        } catch (CharacterCodingException e) {
            failure.compareAndSet(
                    null, new IOException("from line " + nextLine + " on something in the file is not in UTF-8", e));
        } catch (IOException e) {
            failure.compareAndSet(null, e);
        }
        finish();
        if (hasToStop()) {
            throw stopped(nextLine);
        }
        return records;
    }

    private boolean hasToStop() {
        return failure.get() != null || rejects.tooMany();
    }

    /** The records of the last batch are sent even if the rest of the file is no CSV. */
    private void finish() throws InterruptedException {
        if (batches.sends() && !rejects.tooMany()) {
            batches.send(batch);
        } else {
            batches.notDone(batch);
        }
        batches.awaitEnd();
    }

    private void add(LoadSource file) throws InterruptedException {
        Object[] values = new Object[columns.size()];
        LoadRecord added = new LoadRecord(records, file.line(), file.text(), values);
        try {
            file.values(columns, values);
        } catch (IllegalArgumentException e) {
            batches.reject(added, e.getMessage());
            return;
        }
        if (characters + added.text().length() > MOST_CHARACTERS) {
            sendBatch();
        }
        batch.add(added);
        characters += added.text().length();
        if (batch.size() == batches.largest()) {
            sendBatch();
        }
    }

    private void sendBatch() throws InterruptedException {
        batches.send(batch);
        batch = new ArrayList<>(batches.largest());
        characters = 0;
    }

    /** Ends {@link #run} when the records under way have ended. Any thread. */
    void stop() {
        failure.compareAndSet(null, new Stopped());
    }

    /** The reason of a load that its user ends. */
    private static final class Stopped extends Exception {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("it was told to");
        }
    }

    /** The reason, what to do first, and how to go on. */
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
