package io.reprise.workload.tpcc;

import io.reprise.procedure.AbortException;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;

/**
 * Clause 2.4: enters an order of 5 to 15 lines. Each line takes its goods from the stock of a supplying warehouse, which
 * may lie in another partition. An unused item number rolls the order back after the work for the lines before it.
 */
public final class NewOrder extends Procedure {
    private static final int ORDER_COLUMNS = 8;
    private static final Text BRAND = Text.of("B");
    private static final Text GENERIC = Text.of("G");

    private final Statement warehouse = sql("SELECT w_tax FROM warehouse WHERE w_id = ?");
    private final Statement district = sql("SELECT d_tax, d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?");
    private final Statement takeOrderId = sql("UPDATE district SET d_next_o_id = ? WHERE d_w_id = ? AND d_id = ?");
    private final Statement customer =
            sql("SELECT c_discount, c_last, c_credit FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
    private final Statement insertOrder = sql("INSERT INTO orders"
            + " (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local)"
            + " VALUES (?, ?, ?, ?, ?, NULL, ?, ?)");
    private final Statement insertNewOrder = sql("INSERT INTO new_order (no_w_id, no_d_id, no_o_id) VALUES (?, ?, ?)");
    private final Statement item = sql("SELECT i_price, i_name, i_data FROM item WHERE i_id = ?");
    private final Statement stock = sql("SELECT s_quantity, s_data,"
            + " CASE ? WHEN 1 THEN s_dist_01 WHEN 2 THEN s_dist_02 WHEN 3 THEN s_dist_03 WHEN 4 THEN s_dist_04"
            + " WHEN 5 THEN s_dist_05 WHEN 6 THEN s_dist_06 WHEN 7 THEN s_dist_07 WHEN 8 THEN s_dist_08"
            + " WHEN 9 THEN s_dist_09 ELSE s_dist_10 END"
            + " FROM stock WHERE s_w_id = ? AND s_i_id = ?");
    private final Statement updateStock = sql("UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?,"
            + " s_order_cnt = s_order_cnt + 1, s_remote_cnt = s_remote_cnt + ? WHERE s_w_id = ? AND s_i_id = ?");
    private final Statement insertLine = sql("INSERT INTO order_line"
            + " (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, ol_quantity,"
            + " ol_amount, ol_dist_info) VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)");

    private final ResultTable result = table(
            "ol_supply_w_id",
            "ol_i_id",
            "i_name",
            "ol_quantity",
            "s_quantity",
            "brand_generic",
            "i_price",
            "ol_amount",
            "o_id",
            "o_entry_d",
            "c_last",
            "c_credit",
            "c_discount",
            "w_tax",
            "d_tax",
            "total_amount");
    private final AbortException unusedItem = abort("Item number is not valid");

    private long warehouseTax;
    private long districtTax;
    private int orderId;

    /**
     * Enters the order.
     *
     * @return one row for each line; the order's own columns are filled in the last row only
     */
    public ResultTable run(short wId, byte dId, int cId, int[] itemIds, int[] supplyWarehouseIds, int[] quantities) {
        int lines = itemIds.length;
        long now = timestampMicros();
        prefetch(dId, itemIds, supplyWarehouseIds);
        customer.set(0, wId).set(1, dId).set(2, cId).prefetch();
        takeOrderId(wId, dId);
        Rows buyer = customer.query();
        if (!buyer.next()) {
            throw abort("no such customer");
        }
        insertOrder
                .set(0, wId)
                .set(1, dId)
                .set(2, orderId)
                .set(3, cId)
                .set(4, now)
                .set(5, lines);
        insertOrder.set(6, allLocal(wId, supplyWarehouseIds) ? 1 : 0).update();
        insertNewOrder.set(0, wId).set(1, dId).set(2, orderId).update();

        insertLine.set(0, wId).set(1, dId).set(2, orderId);
        long sum = 0;
        for (int i = 0; i < lines; i++) {
            if (i > 0) {
                endLine();
            }
            insertLine.set(3, i + 1);
            sum += addLine(wId, dId, itemIds[i], supplyWarehouseIds[i], quantities[i]);
        }
        endOrder(buyer, now, sum);
        return result;
    }

    /** Rows of items and of stock are anywhere in memory: asked for all at once, they are waited for once. */
    private void prefetch(byte dId, int[] itemIds, int[] supplyWarehouseIds) {
        stock.set(0, dId);
        for (int i = 0; i < itemIds.length; i++) {
            item.set(0, itemIds[i]).prefetch();
            stock.set(1, supplyWarehouseIds[i]).set(2, itemIds[i]).prefetch();
        }
    }

    private void takeOrderId(short wId, byte dId) {
        Rows here = warehouse.set(0, wId).query();
        if (!here.next()) {
            throw abort("no such warehouse");
        }
        warehouseTax = here.unscaledAt(0);
        Rows there = district.set(0, wId).set(1, dId).query();
        if (!there.next()) {
            throw abort("no such district");
        }
        districtTax = there.unscaledAt(0);
        orderId = (int) there.longAt(1);
        takeOrderId.set(0, orderId + 1L).set(1, wId).set(2, dId).update();
    }

    private long addLine(short wId, byte dId, int itemId, int supplyWarehouseId, int quantity) {
        Rows goods = item.set(0, itemId).query();
        if (!goods.next()) {
            throw unusedItem;
        }
        Rows supply = stock.set(0, dId).set(1, supplyWarehouseId).set(2, itemId).query();
        if (!supply.next()) {
            throw abort("no such stock");
        }
        long inStock = supply.longAt(0);
        long left = inStock >= quantity + 10 ? inStock - quantity : inStock - quantity + 91;
        boolean brand = Original.isIn(goods.textAt(2)) && Original.isIn(supply.textAt(1));
        long price = goods.unscaledAt(0);
        long amount = price * quantity;

        insertLine.set(4, itemId).set(5, supplyWarehouseId).set(6, quantity).setUnscaled(7, amount);
        insertLine.set(8, supply.textAt(2)).update();
        updateStock.set(0, left).set(1, quantity).set(2, supplyWarehouseId == wId ? 0 : 1);
        updateStock.set(3, supplyWarehouseId).set(4, itemId).update();

        result.add(supplyWarehouseId)
                .add(itemId)
                .add(goods.textAt(1))
                .add(quantity)
                .add(left);
        result.add(brand ? BRAND : GENERIC).addUnscaled(price, 2).addUnscaled(amount, 2);
        return amount;
    }

    private void endLine() {
        for (int i = 0; i < ORDER_COLUMNS; i++) {
            result.addNull();
        }
        result.endRow();
    }

    private void endOrder(Rows buyer, long now, long sum) {
        long discount = buyer.unscaledAt(0);
        long total = sum * (10_000 - discount) * (10_000 + warehouseTax + districtTax);
        result.add(orderId).add(now).add(buyer.textAt(1)).add(buyer.textAt(2)).addUnscaled(discount, 4);
        result.addUnscaled(warehouseTax, 4).addUnscaled(districtTax, 4);
        result.addUnscaled((total + 50_000_000) / 100_000_000, 2).endRow();
    }

    private static boolean allLocal(short wId, int[] supplyWarehouseIds) {
        for (int supplyWarehouseId : supplyWarehouseIds) {
            if (supplyWarehouseId != wId) {
                return false;
            }
        }
        return true;
    }
}
