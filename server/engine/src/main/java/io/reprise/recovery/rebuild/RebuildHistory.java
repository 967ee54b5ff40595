package io.reprise.recovery.rebuild;

import io.reprise.recovery.closure.BackwardPass;
import io.reprise.recovery.closure.LogHistory;
import io.reprise.recovery.closure.LoggedTransaction;
import io.reprise.recovery.closure.LoggedTransactions;
import java.util.BitSet;
import java.util.function.IntToLongFunction;

/**
 * The part of a log that a rebuild needs, in memory, in log order: transactions of the closure with their footprints, changes of the schema,
 * and of skipped transactions the rows that no later one may find. Made for all buckets of a partition; {@link #plan} then finds the closure
 * of some of them without the log. Entries have numbers in log order. Confined to one thread.
 */
final class RebuildHistory {
    private static final long ANY_COLUMN = -1;

    /** The last one first. */
    private final LoggedTransactions entries = new LoggedTransactions();

    /** By entry, whether the transaction is in the closure. */
    private final BitSet needed = new BitSet();

    private final BitSet buckets;
    private long transactions;
    private boolean catalogChanges;

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
                entries.addCatalogChange();
            }
        });
    }

    private void add(BackwardPass pass, LoggedTransaction transaction, IntToLongFunction indexed) {
        transactions++;
        if (pass.visit(transaction)) {
            needed.set(entries.size());
            entries.add(transaction);
            return;
        }
        // Before a change of the schema other columns may have been indexed.
        LoggedTransaction gone = transaction.onlyGone(catalogChanges ? table -> ANY_COLUMN : indexed);
        if (gone != null) {
            entries.add(gone);
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
        BitSet ofPlan = new BitSet(size());
        for (int i = 0; i < size(); i++) {
            LoggedTransaction transaction = entries.at(i);
            if (transaction == null) {
                pass.visitCatalogChange();
            } else if (needed.get(i) && pass.visit(transaction)) {
                ofPlan.set(size() - 1 - i);
            }
        }
        return new Plan((BitSet) of.clone(), ofPlan, pass);
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

    /** The transaction of an entry in log order, until the next call; null for a change of the schema. */
    LoggedTransaction logged(int entry) {
        return entries.at(size() - 1 - entry);
    }
}
