package io.reprise.storage;

/**
 * Is told of each write before it happens, so that a snapshot can save what a row was (copy on write). A rollback is not
 * told: it restores what an earlier call was told of.
 *
 * <p>An observer may set and clear the {@linkplain io.reprise.storage.row.RowLayout#SNAPSHOT_BITS snapshot bits} of rows.
 * They stay with the row while it lives, whatever is updated or rolled back; a row that is inserted has none.
 */
public interface WriteObserver {
    /** The row has been inserted. */
    void inserted(TableStore table, long row);

    /** The row is about to be changed or deleted. */
    void beforeChange(TableStore table, long row);

    /**
     * All rows of a table, truncated or dropped, are about to be freed with everything that belongs to them. No other
     * code can reach them any more.
     *
     * @param firstPlace the address of the first of them
     * @param free frees them; needs no transaction, and must not be called within one
     * @return whether the observer still needs them and will call {@code free} itself
     */
    boolean keeps(TableStore table, long firstPlace, Runnable free);

    /** Two observers of writes, each of which may itself be two. Memory that both need is freed when both have released it. */
    record Pair(WriteObserver first, WriteObserver second) implements WriteObserver {
        /** The observers but one; null if none is left. */
        WriteObserver without(WriteObserver removed) {
            WriteObserver left = without(first, removed);
            WriteObserver right = without(second, removed);
            if (left == null || right == null) {
                return left == null ? right : left;
            }
            return left == first && right == second ? this : new Pair(left, right);
        }

        private static WriteObserver without(WriteObserver from, WriteObserver removed) {
            if (from == removed) {
                return null;
            }
            return from instanceof Pair several ? several.without(removed) : from;
        }

        @Override
        public void inserted(TableStore table, long row) {
            first.inserted(table, row);
            second.inserted(table, row);
        }

        @Override
        public void beforeChange(TableStore table, long row) {
            first.beforeChange(table, row);
            second.beforeChange(table, row);
        }

        @Override
        public boolean keeps(TableStore table, long firstPlace, Runnable free) {
            int[] keepers = new int[1];
            Runnable release = () -> {
                if (--keepers[0] == 0) {
                    free.run();
                }
            };
            keepers[0] += first.keeps(table, firstPlace, release) ? 1 : 0;
            keepers[0] += second.keeps(table, firstPlace, release) ? 1 : 0;
            return keepers[0] > 0;
        }
    }
}
