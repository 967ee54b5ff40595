package io.reprise.recovery.rebuild;

import io.reprise.recovery.closure.BackwardPass;
import io.reprise.recovery.closure.LogHistory;
import io.reprise.recovery.closure.LoggedTransaction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * The part of a log that a rebuild needs, in memory, in log order: transactions of the closure with their footprints, changes of the schema,
 * and of skipped transactions the rows that no later one may find. Made for all buckets of a partition; {@link #plan} then finds the closure
 * of some of them without the log. Confined to one thread.
 */
final class RebuildHistory {
    private static final long ANY_COLUMN = -1;

    private final List<Entry> entries = new ArrayList<>();
    private final BitSet buckets;
    private long transactions;
    private boolean catalogChanges;

    /**
     * An entry.
     *
     * @param logged null for a change of the schema
     * @param needed whether the transaction is in the closure
     */
    record Entry(LoggedTransaction logged, boolean needed) {}

    /**
     * A closure within the history.
     *
     * @param buckets the buckets to rebuild
     * @param needed by entry, whether it runs again
     * @param rows the rows that are needed from the snapshot
     */
    record Plan(BitSet buckets, BitSet needed, BackwardPass rows) {}

    /**
     * Reads a log backward.
     *
     * @param below transactions from this id on came after the fence
     * @param indexed by table, the pieces by which a search finds a row, as the schema is at the fence
     */
    RebuildHistory(LogHistory log, BitSet buckets, long below, IntToLongFunction indexed) {
        this.buckets = (BitSet) buckets.clone();
        BackwardPass pass = pass(buckets);
        log.backward(new LogHistory.Visitor() {
            @Override
            public void transaction(LoggedTransaction transaction) {
                if (Long.compareUnsigned(transaction.id(), below) < 0) {
                    add(pass, transaction, indexed);
                }
            }

            @Override
            public void catalogChange() {
                pass.visitCatalogChange();
                catalogChanges = true;
                entries.add(new Entry(null, true));
            }
        });
        Collections.reverse(entries);
    }

    private void add(BackwardPass pass, LoggedTransaction transaction, IntToLongFunction indexed) {
        transactions++;
        if (pass.visit(transaction)) {
            entries.add(new Entry(transaction, true));
            return;
        }
        // Before a change of the schema other columns may have been indexed.
        LoggedTransaction gone = transaction.onlyGone(catalogChanges ? table -> ANY_COLUMN : indexed);
        if (gone != null) {
            entries.add(new Entry(gone, false));
        }
    }

    private static BackwardPass pass(BitSet buckets) {
        BackwardPass pass = new BackwardPass(BackwardPass.MOST_ROWS);
        buckets.stream().forEach(pass::needBucket);
        return pass;
    }

    /** The closure of some of the buckets. */
    Plan plan(BitSet of) {
        BackwardPass pass = pass(of);
        BitSet needed = new BitSet(entries.size());
        for (int i = entries.size() - 1; i >= 0; i--) {
            Entry entry = entries.get(i);
            if (entry.logged() == null) {
                pass.visitCatalogChange();
            } else if (entry.needed() && pass.visit(entry.logged())) {
                needed.set(i);
            }
        }
        return new Plan((BitSet) of.clone(), needed, pass);
    }

    /** All buckets of the partition. */
    BitSet buckets() {
        return (BitSet) buckets.clone();
    }

    /** The number of transactions of the log. */
    long transactions() {
        return transactions;
    }

    /** Whether the schema changes. */
    boolean changesSchema() {
        return catalogChanges;
    }

    int size() {
        return entries.size();
    }

    /** The transaction of an entry; null for a change of the schema. */
    LoggedTransaction logged(int entry) {
        return entries.get(entry).logged();
    }
}
