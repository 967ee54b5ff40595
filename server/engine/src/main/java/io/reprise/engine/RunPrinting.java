package io.reprise.engine;

import io.reprise.log.LogFrame;
import io.reprise.log.LogPrinter;
import io.reprise.log.LogRecords;
import io.reprise.recovery.demand.TailIndex;
import io.reprise.recovery.run.LogRun;
import io.reprise.recovery.run.RunRecords;
import java.util.function.Consumer;

/**
 * Prints the records of runs that have taken the place of the log, in the order of the log. They are data records: a command has the rows that it
 * changed in its place. One run at a time is in memory.
 */
final class RunPrinting {
    private final DataDirectory.ReplacedLog replaced;
    private final LogPrinter printer;
    private final Consumer<String> lines;

    RunPrinting(DataDirectory.ReplacedLog replaced, LogPrinter printer, Consumer<String> lines) {
        this.replaced = replaced;
        this.printer = printer;
        this.lines = lines;
    }

    /** Prints the selected records. */
    void print(LogPrinter.Selection selection) {
        for (LogRun run : replaced.runs()) {
            if (selection.isOver()) {
                return;
            }
            print(run, selection);
        }
    }

    private void print(LogRun run, LogPrinter.Selection selection) {
        int buckets = run.manifest().identity().database().buckets().count();
        LogRecords record = new LogRecords();
        boolean named = false;
        try (TailIndex index = new TailIndex(buckets, TailIndex.room(run.end() - run.begin()));
                LogFrame frame = new LogFrame()) {
            add(run, index);
            for (int i = 0; i < index.count() && !selection.isOver(); i++) {
                if (!index.holds(i)) {
                    continue;
                }
                index.view(i, frame, record);
                if (!selection.wants(record)) {
                    continue;
                }
                if (!named) {
                    named = true;
                    lines.accept(
                            "sorted log 0x" + Long.toHexString(run.begin()) + " to 0x" + Long.toHexString(run.end())
                                    + ": " + run.records() + " records, " + run.images() + " of them of commands");
                }
                printer.printSorted(record);
            }
        }
    }

    private void add(LogRun run, TailIndex index) {
        RunRecords opened = replaced.open(run);
        try {
            index.add(opened, replaced.from(), replaced.to());
        } catch (RuntimeException | Error failure) {
            opened.close();
            throw failure;
        }
        index.takeAll();
    }
}
