package io.reprise.record.data;

import io.reprise.storage.TableStore;

/**
 * A hash of the rows that a data record inserts, changes and deletes, as they are behind it. The record applied to equal rows comes to the
 * same sum. If a changed row differs in any column, the sum is another one. Rows that a truncation deletes don't count.
 */
public final class RowSum {
    private final boolean isWanted;
    private long sum;

    /** A sum of no rows; unless it is wanted, it stays that. */
    public RowSum(boolean wanted) {
        isWanted = wanted;
    }

    /** No rows. */
    public void clear() {
        sum = 0;
    }

    /** The sum. */
    public long sum() {
        return sum;
    }

    /** A row has been inserted or changed. */
    public void written(TableStore table, long row) {
        if (isWanted) {
            sum += table.rowHash(row);
        }
    }

    /** A row is deleted; its id can still be read. */
    public void deleted(TableStore table, long row) {
        if (isWanted) {
            sum += table.deletedHash(row);
        }
    }
}
