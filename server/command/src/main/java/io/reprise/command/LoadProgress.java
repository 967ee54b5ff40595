package io.reprise.command;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Which records of a load have found their end: are in the table, or were refused. They end in another order than that in which they
 * were sent, so whoever stops in between has to know the first that has not. Any thread.
 */
final class LoadProgress {
    /** By number. Those that are neither have found their end. */
    private final ConcurrentSkipListMap<Long, Open> open = new ConcurrentSkipListMap<>();

    /** A record that was sent: on which line of the file it begins, and whether it may be in the table. */
    private record Open(long line, boolean mayBeThere) {}

    /** It is about to be sent; the numbers rise by one. */
    void sent(long number, long line) {
        open.put(number, new Open(line, true));
    }

    /** It is in the table, or was refused and noted. */
    void ended(long number) {
        open.remove(number);
    }

    /** It is not in the table, for a reason that is not its own. */
    void notDone(long number, long line) {
        open.put(number, new Open(line, false));
    }

    private static void part(StringBuilder text, long count, String what) {
        if (count > 0) {
            text.append(' ').append(count).append(what);
        }
    }

    /**
     * Where a load that has stopped stands, and how it goes on, in sentences.
     *
     * @param last the number of the last record that was sent
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
            long unknown = open.values().stream().filter(Open::mayBeThere).count();
            long not = open.size() - unknown;
            perhapsThere = behind > not;
            text.append(" Of the ").append(behind).append(" from that line on that were sent,");
            part(text, behind - open.size(), " are there too,");
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
