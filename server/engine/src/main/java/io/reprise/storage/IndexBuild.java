package io.reprise.storage;

import io.reprise.runtime.agent.PublishedLong;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the indexes of a partition's tables beside the loading of their rows, so that two threads share the work.
 * Rows are {@linkplain DirectWrites#append appended} from the front of a table's space to its end; the loader
 * publishes its progress, and the builder follows.
 *
 * <pre>
 *  loader    append ... append, publish, append ... publish, finish
 *  builder       step ... step ... step ... until isDone
 * </pre>
 *
 * <p>The builder reads the loader's data (rows, strings, counts) below the published end only. The loader never
 * touches the indexes. The account of the partition's memory is safe for both. One thread may as well be both, one
 * after the other. After an exception the partition must not be used.
 */
public final class IndexBuild {
    /** So many rows go into one index before the next has its turn: they stay in the cache until the last has had it. */
    private static final int TOGETHER = 2048;

    private final List<Rows> tables = new ArrayList<>();
    private final PublishedLong finished = new PublishedLong();
    private boolean begun;
    private boolean done;

    /** For all tables that the partition has now; their rows are in no index. */
    public IndexBuild(PartitionStore store) {
        store.tables().forEach(table -> tables.add(new Rows(table)));
    }

    /** Loader, before the builder's first step: so many rows will come into a table. Its indexes are made large enough. */
    public void expect(TableStore table, long rows) {
        tables.stream().filter(t -> t.table == table).forEach(t -> t.expected = rows);
    }

    /** Loader: all rows appended so far are complete. */
    public void publish() {
        for (int i = 0; i < tables.size(); i++) {
            tables.get(i).publish();
        }
    }

    /** Loader: all rows are complete, and no more come. */
    public void finish() {
        publish();
        finished.set(1);
    }

    /**
     * Builder: enters some rows, or none if none are published. Returns how many. Throws CONSTRAINT_VIOLATION or
     * MEMORY_LIMIT.
     */
    public int step() {
        if (!begun) {
            begun = true;
            tables.forEach(rows -> rows.table.indexes.expectRows(rows.expected, 0));
        }
        boolean last = finished.get() != 0;
        int count = 0;
        for (int i = 0; i < tables.size(); i++) {
            count += tables.get(i).enter();
        }
        done = last && count == 0;
        return count;
    }

    /** Builder: whether all rows of a finished load are in all indexes. */
    public boolean isDone() {
        return done;
    }

    /** Both in one: enters all rows that there are. */
    public void run() {
        finish();
        while (!done) {
            step();
        }
    }

    /** One table's rows. */
    private static final class Rows {
        private final TableStore table;
        private final int rowSize;
        private final PublishedLong end = new PublishedLong();
        private long published;
        private long entered;
        private long expected;

        Rows(TableStore table) {
            this.table = table;
            rowSize = table.layout().size();
            entered = table.scanStart();
            published = entered;
            end.set(entered);
        }

        void publish() {
            if (table.scanEnd() != published) {
                published = table.scanEnd();
                end.set(published);
            }
        }

        int enter() {
            long to = Math.min(end.get(), entered + (long) TOGETHER * rowSize);
            int count = (int) ((to - entered) / rowSize);
            if (count > 0) {
                table.indexes.enter(entered, to);
                entered = to;
            }
            return count;
        }
    }
}
