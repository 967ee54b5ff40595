package io.reprise.workload.tpcc;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;

/** Clause 2.8: counts the items of a district's last 20 orders whose stock is below a threshold. Reads only. */
public final class StockLevel extends Procedure {
    private static final int ORDERS = 20;

    private final Statement nextOrder = sql("SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?");
    private final Statement low = sql("SELECT COUNT(DISTINCT s_i_id) FROM order_line, stock"
            + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id >= ? AND ol_o_id < ?"
            + " AND s_w_id = ol_w_id AND s_i_id = ol_i_id AND s_quantity < ?");

    /** Counts. */
    public long run(short wId, byte dId, int threshold) {
        Rows district = nextOrder.set(0, wId).set(1, dId).query();
        if (!district.next()) {
            throw abort("no such district");
        }
        long next = district.longAt(0);
        low.set(0, wId).set(1, dId).set(2, next - ORDERS).set(3, next).set(4, threshold);
        return low.first() ? low.rows().longAt(0) : 0;
    }
}
