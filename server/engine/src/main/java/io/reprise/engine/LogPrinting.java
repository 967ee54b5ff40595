package io.reprise.engine;

import io.reprise.log.DamagedLogException;
import io.reprise.log.LogPrinter;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogTail;
import io.reprise.runtime.file.StorageException;
import io.reprise.snapshot.file.Manifest;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Prints the log of a data directory with names, and runs that stand in the place of log. Records before the requested place are read for the schema
 * only.
 */
public final class LogPrinting {
    /** To ask takes what has been written to the reader. */
    private static final int RECORDS_BETWEEN_QUESTIONS = 100;

    private LogPrinting() {}

    /**
     * The requested records.
     *
     * @param from those in the frame at this log position and behind it
     * @param limit at most so many
     * @param transactionId only those of this transaction, if one is given
     */
    public record Range(long from, long limit, OptionalLong transactionId) {
        /** The whole log. */
        public static Range all() {
            return new Range(0, Long.MAX_VALUE, OptionalLong.empty());
        }
    }

    public static void print(DataDirectory directory, Range range, Consumer<String> lines) {
        print(directory, range, lines, () -> false);
    }

    /**
     * The same.
     *
     * @param gone whether the reader of the lines is gone; asked now and then
     */
    public static void print(DataDirectory directory, Range range, Consumer<String> lines, BooleanSupplier gone) {
        LogTail tail = directory.tail();
        long first = tail.firstPosition();
        if (range.from() > tail.position()) {
            throw new IllegalArgumentException("the log ends at position 0x" + Long.toHexString(tail.position())
                    + ", before position 0x" + Long.toHexString(range.from()));
        }
        Optional<DataDirectory.ReplacedLog> replaced =
                range.from() < first ? directory.replacedLog(tail) : Optional.empty();
        if (replaced.isPresent()) {
            printAll(replaced.get(), range, lines, gone);
            return;
        }
        if (range.from() > 0 && range.from() < first) {
            lines.accept("the log begins at 0x" + Long.toHexString(first)
                    + "; what was before it has been removed, because no snapshot needs it any more");
        }
        Optional<Manifest> base = directory.newestUpTo(Math.max(range.from(), first));
        try (LogSchema schema = new LogSchema(tail.database().buckets());
                LogReader reader = tail.read(begin(base, range, first))) {
            base.ifPresent(manifest -> schema.change(manifest.origin().attachment()));
            print(directory, reader, new LogPrinter(schema, lines), new Selected(range, schema, gone));
        }
    }

    /** Runs from the position of their snapshot on, and the log behind them. */
    private static void printAll(
            DataDirectory.ReplacedLog replaced, Range range, Consumer<String> lines, BooleanSupplier gone) {
        LogTail tail = replaced.tail();
        try (LogSchema schema = new LogSchema(tail.database().buckets());
                LogReader reader = tail.read(replaced.to())) {
            schema.change(replaced.base().origin().attachment());
            LogPrinter printer = new LogPrinter(schema, lines);
            Selected selected = new Selected(range, schema, gone);
            new RunPrinting(replaced, printer, lines).print(selected);
            print(replaced.directory(), reader, printer, selected);
        }
    }

    private static void print(DataDirectory directory, LogReader reader, LogPrinter printer, Selected selected) {
        try {
            printer.print(reader, selected);
        } catch (DamagedLogException e) {
            if (directory.hasRemovedLogAt(reader.position())) {
                throw new StorageException(
                        "go on at position 0x" + Long.toHexString(reader.position()),
                        e.file(),
                        "the engine that is at work there has removed this part of the log, which no snapshot needs any"
                                + " more; begin at a later position",
                        e);
            }
            throw e;
        }
    }

    /** With a snapshot before the place asked for, its schema is known there without what is before the snapshot. */
    private static long begin(Optional<Manifest> base, Range range, long first) {
        return base.map(m -> m.origin().logPosition())
                .filter(p -> p <= range.from())
                .orElse(first);
    }

    /** Keeps the schema in step with what is read. */
    private static final class Selected implements LogPrinter.Selection {
        private final Range range;
        private final LogSchema schema;
        private final BooleanSupplier gone;
        private long left;
        private long asked;

        private Selected(Range range, LogSchema schema, BooleanSupplier gone) {
            this.gone = gone;
            this.range = range;
            this.schema = schema;
            left = range.limit();
        }

        @Override
        public boolean wants(LogRecords records) {
            schema.pass(records);
            boolean wanted = left > 0
                    && records.framePosition() >= range.from()
                    && (range.transactionId().isEmpty()
                            || range.transactionId().getAsLong() == records.transactionId());
            if (wanted) {
                left--;
                if (++asked % RECORDS_BETWEEN_QUESTIONS == 0 && gone.getAsBoolean()) {
                    left = 0;
                }
            }
            return wanted;
        }

        @Override
        public boolean isOver() {
            return left <= 0;
        }
    }
}
