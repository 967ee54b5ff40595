package io.reprise.workload.tpcc;

import io.reprise.workload.Database;

/**
 * Fills the tables by procedures that make up their rows themselves, in batches: only ranges and the seed travel, and a
 * batch's content does not depend on the batches' sizes.
 */
final class TpccLoader {
    private static final int BATCH = 1_000;

    private final Database database;
    private final TpccOptions options;

    TpccLoader(Database database, TpccOptions options) {
        this.database = database;
        this.options = options;
    }

    /** Loads one of so many parts: each has its share of the warehouses, and the first one has the items. */
    void load(int part, int parts) {
        if (part == 0) {
            batches(options.items(), (from, to) -> database.call("LoadItems", from, to, options.seed()));
        }
        for (int wId = 1 + part; wId <= options.warehouses(); wId += parts) {
            loadWarehouse((short) wId);
        }
    }

    private void loadWarehouse(short wId) {
        int customers = options.customersPerDistrict();
        int nameConstant = Tpcc.loadConstantForNames(options);
        database.call("LoadWarehouse", wId, customers, options.seed());
        batches(options.items(), (from, to) -> database.call("LoadStock", wId, from, to, options.seed()));
        for (int d = 1; d <= Tpcc.DISTRICTS; d++) {
            byte dId = (byte) d;
            batches(
                    customers,
                    (from, to) -> database.call(
                            "LoadCustomers", wId, dId, from, to, options.names(), nameConstant, options.seed()));
            batches(
                    customers,
                    (from, to) -> database.call(
                            "LoadOrders", wId, dId, from, to, customers, options.items(), options.seed()));
        }
    }

    private static void batches(int count, Batch batch) {
        for (int from = 1; from <= count; from += BATCH) {
            batch.load(from, Math.min(count, from + BATCH - 1));
        }
    }

    private interface Batch {
        void load(int from, int to);
    }
}
