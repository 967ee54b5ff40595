package io.reprise.storage;

import io.reprise.sql.parse.CatalogScript;

/**
 * Takes all of the heap, to the last word, inserts rows until a node of an index is split, which needs some, and says what comes
 * of that transaction. Run by {@code HeapExhaustionTest}.
 */
final class HeapExhaustion {
    private static final int ROWS = 2_000;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(64 << 20));
    private final TableStore table = store.createTable(CatalogScript.load(
                    "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, v BIGINT NOT NULL); CREATE INDEX by_v ON t (v);")
            .table("T")
            .orElseThrow());

    /** The taken arrays, each kept by the next one. */
    private Object[] taken;

    private HeapExhaustion() {}

    /** Says on standard output what happened. */
    public static void main(String[] arguments) {
        System.out.println(new HeapExhaustion().run());
    }

    private String run() {
        insert(0, ROWS);
        boolean exhausted = false;
        takeHeap();
        try {
            insert(ROWS, 10 * ROWS);
        } catch (OutOfMemoryError expected) {
            exhausted = true;
        }
        taken = null;
        if (!exhausted) {
            return "the heap was enough";
        }
        try {
            store.rollback();
        } catch (RuntimeException refusal) {
            return "refused: " + refusal.getMessage();
        }
        try {
            store.verify();
            return "whole";
        } catch (RuntimeException e) {
            return "inconsistent: " + e.getMessage();
        }
    }

    /** Each in a transaction of its own. */
    private void insert(int from, int to) {
        for (int i = from; i < to; i++) {
            store.begin(i);
            long row = table.allocate();
            store.memory().putLong(row + table.layout().offset(0), i);
            store.memory().putLong(row + table.layout().offset(1), i * SPREAD);
            table.insert(row, 0);
            store.commit();
        }
    }

    private void takeHeap() {
        for (int length = 1 << 20; length >= 1; ) {
            try {
                Object[] more = new Object[length];
                more[0] = taken;
                taken = more;
            } catch (OutOfMemoryError full) {
                length = length / 2;
            }
        }
    }
}
