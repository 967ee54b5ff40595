package io.reprise.workload.tpcc;

import io.reprise.procedure.Rows;
import io.reprise.workload.Database;
import io.reprise.workload.Workload.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Clause 3.3.2: the twelve consistency conditions. Rows are read warehouse by warehouse with simple statements and
 * compared in {@link DistrictState}, so that a mistake in the engine's joins cannot hide another one. The database must
 * be at rest.
 */
final class TpccChecker {
    private static final int MAX_REPORTED = 50;

    /** Orders of a district. A result has a limit, which those of a long run would come to. */
    private static final int CHECKED_AT_ONCE = 50_000;

    private final Database database;
    private final TpccOptions options;
    private final List<Violation> violations = new ArrayList<>();

    /** The payments of customers, over all warehouses, in cents, by {@link #customerKey}. */
    private final Map<Long, Long> paidByCustomer = new HashMap<>();

    /** The payments at a district, in cents, by {@link #customerKey} with customer 0. */
    private final Map<Long, Long> paidAtDistrict = new HashMap<>();

    TpccChecker(Database database, TpccOptions options) {
        this.database = database;
        this.options = options;
    }

    List<Violation> check() {
        for (int wId = 1; wId <= options.warehouses(); wId++) {
            for (int dId = 1; dId <= Tpcc.DISTRICTS; dId++) {
                readHistory((short) wId, (byte) dId);
            }
        }
        for (int wId = 1; wId <= options.warehouses(); wId++) {
            checkWarehouse((short) wId);
        }
        return violations;
    }

    void violation(int condition, String details) {
        if (violations.size() < MAX_REPORTED) {
            violations.add(new Violation("TPC-C consistency condition " + condition, details));
        }
    }

    /** Reports the condition where the two sides differ. */
    void expectEqual(int condition, String where, String left, long leftValue, String right, long rightValue) {
        if (leftValue != rightValue) {
            violation(condition, where + ": " + left + " is " + leftValue + " but " + right + " is " + rightValue);
        }
    }

    int deliveredAtFirst() {
        return Tpcc.delivered(options.customersPerDistrict());
    }

    long paidBy(long wId, long dId, long cId) {
        return paidByCustomer.getOrDefault(customerKey(wId, dId, cId), 0L);
    }

    private void readHistory(short wId, byte dId) {
        Rows rows = database.query(
                "SELECT h_c_w_id, h_c_d_id, h_c_id, SUM(h_amount) FROM history WHERE h_w_id = ? AND h_d_id = ?"
                        + " GROUP BY h_c_w_id, h_c_d_id, h_c_id",
                wId,
                dId);
        while (rows.next()) {
            long cents = rows.unscaledAt(3);
            paidByCustomer.merge(customerKey(rows.longAt(0), rows.longAt(1), rows.longAt(2)), cents, Long::sum);
            paidAtDistrict.merge(customerKey(wId, dId, 0), cents, Long::sum);
        }
    }

    private void checkWarehouse(short wId) {
        Map<Long, DistrictState> districts = new HashMap<>();
        long districtSales = 0;
        long payments = 0;
        Rows rows = database.query("SELECT d_id, d_ytd, d_next_o_id FROM district WHERE d_w_id = ?", wId);
        while (rows.next()) {
            long dId = rows.longAt(0);
            long sales = rows.unscaledAt(1);
            long paid = paidAtDistrict.getOrDefault(customerKey(wId, dId, 0), 0L);
            districts.put(dId, new DistrictState(this, wId, dId, rows.intAt(2)));
            expectEqual(9, "warehouse " + wId + " district " + dId, "D_YTD", sales, "sum(H_AMOUNT)", paid);
            districtSales += sales;
            payments += paid;
        }
        Rows warehouse = database.query("SELECT w_ytd FROM warehouse WHERE w_id = ?", wId);
        if (!warehouse.next() || districts.size() != Tpcc.DISTRICTS) {
            violation(1, "warehouse " + wId + " or some of its districts are missing");
            return;
        }
        long sales = warehouse.unscaledAt(0);
        expectEqual(1, "warehouse " + wId, "W_YTD", sales, "sum(D_YTD)", districtSales);
        expectEqual(8, "warehouse " + wId, "W_YTD", sales, "sum(H_AMOUNT)", payments);
        readNewOrders(wId, districts);
        for (DistrictState district : districts.values()) {
            readOrders(wId, district);
        }
        readCustomers(wId, districts);
        districts.values().forEach(DistrictState::check);
    }

    private void readNewOrders(short wId, Map<Long, DistrictState> districts) {
        Rows rows = database.query("SELECT no_d_id, no_o_id FROM new_order WHERE no_w_id = ?", wId);
        while (rows.next()) {
            districts.get(rows.longAt(0)).newOrder(rows.intAt(1));
        }
    }

    /** Orders are never deleted: of each district a range of them is read at a time. */
    private void readOrders(short wId, DistrictState district) {
        int from = Integer.MIN_VALUE;
        for (int next = CHECKED_AT_ONCE; next < district.nextOrderId(); next += CHECKED_AT_ONCE) {
            readOrders(wId, district, from, next - 1);
            from = next;
        }
        readOrders(wId, district, from, Integer.MAX_VALUE);
    }

    private void readOrders(short wId, DistrictState district, int from, int to) {
        byte dId = (byte) district.dId();
        Rows orders = database.query(
                "SELECT o_id, o_c_id, o_carrier_id, o_ol_cnt FROM orders"
                        + " WHERE o_w_id = ? AND o_d_id = ? AND o_id BETWEEN ? AND ?",
                wId,
                dId,
                from,
                to);
        while (orders.next()) {
            district.order(orders.intAt(0), orders.intAt(1), !orders.isNull(2), orders.intAt(3));
        }
        Rows lines = database.query(
                "SELECT ol_o_id, COUNT(*), COUNT(ol_delivery_d), SUM(ol_amount) FROM order_line"
                        + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id BETWEEN ? AND ? GROUP BY ol_o_id",
                wId,
                dId,
                from,
                to);
        while (lines.next()) {
            district.lines(lines.intAt(0), lines.intAt(1), lines.intAt(2), lines.unscaledAt(3));
        }
    }

    private void readCustomers(short wId, Map<Long, DistrictState> districts) {
        Rows rows = database.query(
                "SELECT c_d_id, c_id, c_balance, c_ytd_payment, c_delivery_cnt FROM customer WHERE c_w_id = ?", wId);
        while (rows.next()) {
            DistrictState district = districts.get(rows.longAt(0));
            district.customer(rows.intAt(1), rows.unscaledAt(2), rows.unscaledAt(3), rows.longAt(4));
        }
    }

    private static Long customerKey(long wId, long dId, long cId) {
        return (wId << 40) | (dId << 32) | cId;
    }
}
