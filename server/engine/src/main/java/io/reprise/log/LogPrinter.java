package io.reprise.log;

import io.reprise.id.TransactionId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The log as text for people: a line for each frame, and below it one for each record.
 *
 * <pre>
 * frame 0x200 to 0x400: 2 records, 96 bytes
 *   0x200#0 COMMAND 2026-01-01T00:00:00.000123Z 774873907200123008 partition 1 bucket 17 hash 0x01020304 40 bytes: Vote(...)
 * </pre>
 */
public final class LogPrinter {
    private final PayloadPrinter payloads;
    private final Consumer<String> lines;

    /** A printer that hands each line to the consumer. */
    public LogPrinter(PayloadPrinter payloads, Consumer<String> lines) {
        this.payloads = payloads;
        this.lines = lines;
    }

    /** Says which records are printed. */
    public interface Selection {
        /** Is shown each record that is read, in order; returns whether it is to be printed. */
        boolean wants(LogRecords records);

        /** Whether nothing that follows is wanted. */
        default boolean isOver() {
            return false;
        }
    }

    /** Prints everything that the reader still has. */
    public void print(LogReader reader) {
        print(reader, records -> true);
    }

    /** Prints what is selected of that; frames without a selected record are left out. */
    public void print(LogReader reader, Selection selection) {
        LogRecords records = new LogRecords();
        try (LogFrame frame = new LogFrame()) {
            while (!selection.isOver() && reader.next(frame)) {
                print(frame, records, selection);
            }
        }
        if (!selection.isOver()) {
            lines.accept("end of the log at " + hex(reader.end()));
        }
    }

    private void print(LogFrame frame, LogRecords records, Selection selection) {
        boolean named = false;
        records.wrap(frame);
        while (!selection.isOver() && records.next()) {
            if (selection.wants(records)) {
                if (!named) {
                    lines.accept(describe(frame));
                    named = true;
                }
                lines.accept(describe(records, "#" + records.index()));
            }
        }
    }

    /** Prints a record of the sorted log, which does not know its number in its frame. */
    public void printSorted(LogRecords record) {
        lines.accept(describe(record, ""));
    }

    private static String describe(LogFrame frame) {
        return "frame " + hex(frame.position()) + " to " + hex(frame.endPosition()) + ": " + frame.records()
                + (frame.records() == 1 ? " record, " : " records, ") + frame.bytes() + " bytes";
    }

    private String describe(LogRecords records, String number) {
        StringBuilder line = new StringBuilder("  ")
                .append(hex(records.framePosition()))
                .append(number)
                .append(' ')
                .append(records.kind())
                .append(' ')
                .append(time(records.transactionId()))
                .append(' ')
                .append(records.transactionId());
        if (records.isMultiPartition()) {
            line.append(" several partitions");
        } else {
            line.append(" partition ").append(records.partition());
        }
        for (int i = 0; i < records.bucketCount(); i++) {
            line.append(i == 0 ? " bucket " : ", ").append(records.bucket(i));
        }
        if (records.kind().hasWriteHash()) {
            line.append(String.format(Locale.ROOT, " hash 0x%08x", records.writeHash()));
        }
        line.append(' ').append(records.payloadBytes()).append(" bytes");
        int before = line.length();
        payloads.print(records, line);
        if (line.length() > before) {
            line.insert(before, ": ");
        }
        return line.toString();
    }

    private static Instant time(long transactionId) {
        return Instant.EPOCH.plus(TransactionId.epochMicros(transactionId), ChronoUnit.MICROS);
    }

    private static String hex(long position) {
        return "0x" + Long.toHexString(position);
    }
}
