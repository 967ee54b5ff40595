package io.reprise.recovery.closure;

/**
 * The closure of what is to be rebuilt: goes through the transactions of a log from the last to the first and says of each whether it must
 * run again. Confined to one thread.
 *
 * <p>A transaction is needed if it wrote a needed row, or a replicated table.
 *
 * <ul>
 *   <li>A needed command adds the rows that it read and changed; a row that it inserted is not needed before it.
 *   <li>A needed data record adds nothing. The pieces that it gives whole are not needed before it. A piece of several columns that it both
 *       reads and writes is given in part only.
 *   <li>A coarse transaction is needed if anything of its buckets is. A coarse command needs its buckets whole.
 * </ul>
 *
 * <p>An edge from a reader to a later writer makes nothing needed.
 */
public final class BackwardPass {
    /** Rows that are followed singly, by default. */
    public static final int MOST_ROWS = 1 << 24;

    private final NeededRows needed;
    private final ClosureCounts counts = new ClosureCounts();
    private boolean everything;

    /** A pass that needs nothing so far, and follows so many rows singly. */
    public BackwardPass(int mostRows) {
        needed = new NeededRows(mostRows);
    }

    /** Needs all rows of a bucket. */
    public void needBucket(int bucket) {
        needed.addBucket(bucket);
    }

    /** Needs all that a transaction does, before it is {@linkplain #visit visited}. */
    public void need(LoggedTransaction transaction) {
        for (int i = 0; i < transaction.size(); i++) {
            if (!transaction.deleted(i)) {
                needed.add(transaction.table(i), transaction.row(i), -1);
            }
        }
    }

    /** The next transaction towards the beginning. Returns whether it is needed. */
    public boolean visit(LoggedTransaction transaction) {
        boolean wanted = isNeeded(transaction);
        counts.count(transaction, wanted);
        if (wanted) {
            if (transaction.isData()) {
                applyData(transaction);
            } else {
                applyCommand(transaction);
            }
        }
        return wanted;
    }

    /** The transaction runs again whatever it wrote. */
    public void visitNeeded(LoggedTransaction transaction) {
        counts.count(transaction, true);
        applyCommand(transaction);
    }

    /** A change of the schema: before it, pieces of rows mean something else. */
    public void visitCatalogChange() {
        needed.wholeRows();
    }

    private boolean isNeeded(LoggedTransaction transaction) {
        if (transaction.isReplicated()) {
            return true;
        }
        if (transaction.isCoarse()) {
            return touchesNeeded(transaction);
        }
        for (int i = 0; i < transaction.size(); i++) {
            if (everything && transaction.written(i) != 0
                    || (transaction.written(i) & needed.mask(transaction.table(i), transaction.row(i))) != 0) {
                return true;
            }
        }
        return false;
    }

    private boolean touchesNeeded(LoggedTransaction transaction) {
        if (everything) {
            return true;
        }
        if (!transaction.isConfined()) {
            return !needed.isEmpty();
        }
        for (int i = 0; i < transaction.bucketCount(); i++) {
            if (needed.touches(transaction.bucket(i))) {
                return true;
            }
        }
        return false;
    }

    private void applyCommand(LoggedTransaction transaction) {
        if (transaction.isCoarse()) {
            needBuckets(transaction);
            return;
        }
        for (int i = 0; i < transaction.size(); i++) {
            if (transaction.inserted(i)) {
                needed.remove(transaction.table(i), transaction.row(i), -1);
            } else {
                // Of a deleted row only its old content matters, as far as it was read.
                long before = transaction.deleted(i) ? 0 : transaction.written(i);
                needed.add(transaction.table(i), transaction.row(i), transaction.read(i) | before);
            }
        }
    }

    private void needBuckets(LoggedTransaction transaction) {
        if (!transaction.isConfined()) {
            everything = true;
            return;
        }
        for (int i = 0; i < transaction.bucketCount(); i++) {
            needed.addBucket(transaction.bucket(i));
        }
    }

    private void applyData(LoggedTransaction transaction) {
        for (int i = 0; i < transaction.size(); i++) {
            long kept = transaction.inserted(i) || transaction.deleted(i) ? 0 : transaction.read(i);
            needed.remove(transaction.table(i), transaction.row(i), transaction.written(i) & ~kept);
        }
    }

    /** The counts so far. */
    public ClosureCounts counts() {
        return counts;
    }

    /** Rows that are needed singly as they are before all transactions so far. */
    public int neededRows() {
        return needed.rows();
    }

    /** Buckets that are needed whole. */
    public int neededBuckets() {
        return needed.wholeBuckets();
    }

    /** Buckets of single tables that are needed whole, because too many rows were. */
    public int coarsened() {
        return needed.wholeTableBuckets();
    }

    /** Whether all buckets are needed whole. */
    public boolean needsEverything() {
        return everything;
    }

    /** Whether anything of a bucket is needed as it is before all transactions so far. */
    public boolean touches(int bucket) {
        return everything || needed.touches(bucket);
    }

    /** The pieces of a row that are needed as it is before all transactions so far. */
    public long needs(int table, long row) {
        return everything ? -1 : needed.mask(table, row);
    }
}
