package io.reprise.workload.tpcc;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** Loads a range of a district's orders: each customer has one, in an order of its own; the latest are undelivered. */
public final class LoadOrders extends Procedure {
    private static final int MAX_CUSTOMERS = 96_000;

    private final Statement insertOrder = sql("INSERT INTO orders"
            + " (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, 1)");
    private final Statement insertNewOrder = sql("INSERT INTO new_order (no_w_id, no_d_id, no_o_id) VALUES (?, ?, ?)");
    private final Statement insertLine = sql("INSERT INTO order_line"
            + " (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, ol_quantity,"
            + " ol_amount, ol_dist_info) VALUES (?, ?, ?, ?, ?, ?, ?, 5, ?, ?)");
    private final Population population = new Population();
    private final int[] customers = new int[MAX_CUSTOMERS];

    /**
     * Loads orders {@code from} to {@code to}, both included.
     *
     * @param customersPerDistrict number of the district's customers, and so of its orders
     * @param items number of items
     */
    public void run(short wId, byte dId, int from, int to, int customersPerDistrict, int items, long seed) {
        long now = timestampMicros();
        population.random.seed(seed, 5, wId * 256L + dId, 0).permutation(customers, customersPerDistrict);
        for (int oId = from; oId <= to; oId++) {
            population.random.seed(seed, 5, wId * 256L + dId, oId);
            boolean delivered = oId <= Tpcc.delivered(customersPerDistrict);
            int lines = population.random.uniform(5, 15);
            insertOrder
                    .set(0, wId)
                    .set(1, dId)
                    .set(2, oId)
                    .set(3, customers[oId - 1])
                    .set(4, now);
            if (delivered) {
                insertOrder.set(5, population.random.uniform(1, 10));
            } else {
                insertOrder.setNull(5);
                insertNewOrder.set(0, wId).set(1, dId).set(2, oId).update();
            }
            insertOrder.set(6, lines).update();
            insertLines(wId, dId, oId, lines, items, delivered, now);
        }
    }

    private void insertLines(short wId, byte dId, int oId, int lines, int items, boolean delivered, long now) {
        insertLine.set(0, wId).set(1, dId).set(2, oId).set(5, wId);
        for (int number = 1; number <= lines; number++) {
            insertLine.set(3, number).set(4, population.random.uniform(1, items));
            if (delivered) {
                insertLine.set(6, now).setUnscaled(7, 0);
            } else {
                insertLine.setNull(6).setUnscaled(7, population.random.uniform(1, 999_999));
            }
            insertLine.set(8, population.alphanumeric(24, 24).text()).update();
        }
    }
}
