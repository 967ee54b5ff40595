package io.reprise.workload.tpcc;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;

/** Clause 2.7: delivers the oldest undelivered order of each district of a warehouse, all in one transaction. */
public final class Delivery extends Procedure {
    private final Statement oldest =
            sql("SELECT no_o_id FROM new_order" + " WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id LIMIT 1");
    private final Statement take = sql("DELETE FROM new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?");
    private final Statement order = sql("SELECT o_c_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?");
    private final Statement carry =
            sql("UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?");
    private final Statement amount =
            sql("SELECT SUM(ol_amount) FROM order_line" + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?");
    private final Statement deliverLines =
            sql("UPDATE order_line SET ol_delivery_d = ? WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?");
    private final Statement charge = sql("UPDATE customer SET c_balance = c_balance + ?,"
            + " c_delivery_cnt = c_delivery_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");

    private final ResultTable result = table("d_id", "o_id");

    /**
     * Delivers.
     *
     * @return one row for each district that had an order to deliver
     */
    public ResultTable run(short wId, byte carrierId) {
        long now = timestampMicros();
        for (byte dId = 1; dId <= Tpcc.DISTRICTS; dId++) {
            Rows waiting = oldest.set(0, wId).set(1, dId).query();
            if (waiting.next()) {
                long orderId = waiting.longAt(0);
                deliver(wId, dId, orderId, carrierId, now);
                result.add(dId).add(orderId).endRow();
            }
        }
        return result;
    }

    private void deliver(short wId, byte dId, long orderId, byte carrierId, long now) {
        take.set(0, wId).set(1, dId).set(2, orderId).update();
        Rows taken = order.set(0, wId).set(1, dId).set(2, orderId).query();
        if (!taken.next()) {
            throw abort("an undelivered order is missing in orders");
        }
        long customerId = taken.longAt(0);
        charge.setUnscaled(0, 0).set(1, wId).set(2, dId).set(3, customerId).prefetch();
        carry.set(0, carrierId).set(1, wId).set(2, dId).set(3, orderId).update();
        Rows sum = amount.set(0, wId).set(1, dId).set(2, orderId).query();
        if (!sum.next() || sum.isNull(0)) {
            throw abort("an undelivered order has no lines");
        }
        long cents = sum.unscaledAt(0);
        deliverLines.set(0, now).set(1, wId).set(2, dId).set(3, orderId).update();
        charge.setUnscaled(0, cents).update();
    }
}
