package io.reprise.command;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The records of a load that are neither in the table nor rejected yet, by batches. Batches end in another order than that in which
 * they were sent; a load that stops names the first record that has not ended. Thread-safe.
 */
final class LoadProgress {
    /** By the number of the first record. */
    private final ConcurrentSkipListMap<Long, Open> open = new ConcurrentSkipListMap<>();

    /**
     * A batch that has not ended.
     *
     * @param line the line of the file on which its first record begins
     * @param records the number of its records
     * @param mayBeThere whether they may be in the table
     */
    private record Open(long line, int records, boolean mayBeThere) {}

    /** A batch is about to be sent. Numbers of records rise by one. */
    void sent(long number, long line, int count) {
        open.put(number, new Open(line, count, true));
    }

    /** All of a batch is in the table, or rejected and noted. */
    void ended(long number) {
        open.remove(number);
    }

    /** A batch is not in the table for a reason that is not its own. */
    void notDone(long number, long line, int count) {
        open.put(number, new Open(line, count, false));
    }

    private long records(boolean mayBeThere) {
        return open.values().stream()
                .filter(batch -> batch.mayBeThere() == mayBeThere)
                .mapToLong(Open::records)
                .sum();
    }

    private static void part(StringBuilder text, long count, String what) {
        if (count > 0) {
            text.append(' ').append(count).append(what);
        }
    }

    /**
     * The message about a stopped load: its progress, and the command that goes on.
     *
     * @param last the number of the last record that was read
     * @param nextLine the line behind it
     * @param upsert whether rows that are there already are replaced
     * @param newRejects whether there is a file of rejects already
     */
    String howToGoOn(long last, long nextLine, boolean upsert, boolean newRejects) {
        Map.Entry<Long, Open> first = open.firstEntry();
        long from = first == null ? nextLine : first.getValue().line();
        StringBuilder text = new StringBuilder(
                "Every record before line " + from + " of the file is in the table, or in the file of rejects.");
        boolean perhapsThere = false;
        if (first != null) {
            long behind = last - first.getKey() + 1;
            long unknown = records(true);
            long not = records(false);
            perhapsThere = behind > not;
            text.append(" Of the ").append(behind).append(" from that line on that were sent,");
            part(text, behind - unknown - not, " are there too,");
            part(text, not, " are not,");
            part(text, unknown, " may be,");
            text.setCharAt(text.length() - 1, '.');
        }
        text.append("\nThen run the same command with --from-line ")
                .append(from)
                .append(newRejects ? " and another --rejects." : ".");
        if (perhapsThere) {
            text.append(
                    upsert
                            ? " Records that are there already are written once more."
                            : " Records that are there already are refused then, or written once more with --upsert; a table"
                                    + " without a primary key takes them twice: look first which it has.");
        }
        return text.toString();
    }
}
