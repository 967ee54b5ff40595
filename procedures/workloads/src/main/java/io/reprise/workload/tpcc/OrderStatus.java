package io.reprise.workload.tpcc;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;

/** Clause 2.6: shows a customer's latest order. Reads only. */
public final class OrderStatus extends Procedure {
    private static final int CUSTOMER_COLUMNS = 8;

    private final Statement findByName = sql(CustomerName.FIND);
    private final Statement customer = sql("SELECT c_first, c_middle, c_last, c_balance FROM customer"
            + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
    private final Statement latestOrder = sql("SELECT o_id, o_entry_d, o_carrier_id FROM orders"
            + " WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? ORDER BY o_id DESC LIMIT 1");
    private final Statement lines = sql("SELECT ol_supply_w_id, ol_i_id, ol_quantity, ol_amount, ol_delivery_d"
            + " FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ? ORDER BY ol_number");

    private final ResultTable result = table(
            "c_id",
            "c_first",
            "c_middle",
            "c_last",
            "c_balance",
            "o_id",
            "o_entry_d",
            "o_carrier_id",
            "ol_supply_w_id",
            "ol_i_id",
            "ol_quantity",
            "ol_amount",
            "ol_delivery_d");

    /**
     * Looks the order up.
     *
     * @param cId the customer, or 0 to find the customer by last name
     * @return one row for each line; the columns of customer and order are filled in the first row only
     */
    public ResultTable run(short wId, byte dId, int cId, Text cLast) {
        int customerId = cId != 0
                ? cId
                : CustomerName.middle(
                        findByName.set(0, wId).set(1, dId).set(2, cLast).query());
        Rows buyer = customer.set(0, wId).set(1, dId).set(2, customerId).query();
        if (!buyer.next()) {
            throw abort("no such customer");
        }
        Rows order = latestOrder.set(0, wId).set(1, dId).set(2, customerId).query();
        if (!order.next()) {
            throw abort("the customer has no order");
        }
        result.add(customerId).add(buyer.textAt(0)).add(buyer.textAt(1)).add(buyer.textAt(2));
        result.addUnscaled(buyer.unscaledAt(3), 2).add(order.longAt(0)).add(order.longAt(1));
        addOrNull(order, 2);

        Rows line = lines.set(0, wId).set(1, dId).set(2, order.longAt(0)).query();
        for (boolean first = true; line.next(); first = false) {
            if (!first) {
                addNoCustomer();
            }
            result.add(line.longAt(0)).add(line.longAt(1)).add(line.longAt(2));
            result.addUnscaled(line.unscaledAt(3), 2);
            addOrNull(line, 4);
            result.endRow();
        }
        return result;
    }

    private void addNoCustomer() {
        for (int i = 0; i < CUSTOMER_COLUMNS; i++) {
            result.addNull();
        }
    }

    private void addOrNull(Rows rows, int column) {
        if (rows.isNull(column)) {
            result.addNull();
        } else {
            result.add(rows.longAt(column));
        }
    }
}
