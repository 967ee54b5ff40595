package io.reprise.storage;

/** Two observers of writes, each of which may itself be two. Memory that both need is freed when both have released it. */
record WriteObservers(WriteObserver first, WriteObserver second) implements WriteObserver {
    /** The observers but one; null if none is left. */
    WriteObserver without(WriteObserver removed) {
        WriteObserver left = without(first, removed);
        WriteObserver right = without(second, removed);
        if (left == null || right == null) {
            return left == null ? right : left;
        }
        return left == first && right == second ? this : new WriteObservers(left, right);
    }

    private static WriteObserver without(WriteObserver from, WriteObserver removed) {
        if (from == removed) {
            return null;
        }
        return from instanceof WriteObservers several ? several.without(removed) : from;
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
