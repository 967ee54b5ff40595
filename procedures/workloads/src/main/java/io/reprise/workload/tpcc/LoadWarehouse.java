package io.reprise.workload.tpcc;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** Loads a warehouse and its districts. */
public final class LoadWarehouse extends Procedure {
    private final Statement insertWarehouse = sql("INSERT INTO warehouse (w_name, w_street_1, w_street_2, w_city,"
            + " w_state, w_zip, w_tax, w_id, w_ytd) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    private final Statement insertDistrict = sql("INSERT INTO district (d_name, d_street_1, d_street_2, d_city,"
            + " d_state, d_zip, d_tax, d_w_id, d_id, d_ytd, d_next_o_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    private final Population population = new Population();

    /** Loads the warehouse, whose sales so far are one payment of 10.00 by each customer and one order of each. */
    public void run(short wId, int customersPerDistrict, long seed) {
        long districtSales = customersPerDistrict * LoadCustomers.FIRST_PAYMENT_CENTS;
        setPlace(insertWarehouse, seed, wId, 0);
        insertWarehouse
                .set(7, wId)
                .setUnscaled(8, districtSales * Tpcc.DISTRICTS)
                .update();
        for (int dId = 1; dId <= Tpcc.DISTRICTS; dId++) {
            setPlace(insertDistrict, seed, wId, dId);
            insertDistrict.set(7, wId).set(8, dId).setUnscaled(9, districtSales);
            insertDistrict.set(10, customersPerDistrict + 1L).update();
        }
    }

    private void setPlace(Statement insert, long seed, short wId, int dId) {
        population.random.seed(seed, 3, wId, dId);
        insert.set(0, population.alphanumeric(6, 10).text());
        insert.set(1, population.alphanumeric(10, 20).text());
        insert.set(2, population.alphanumeric(10, 20).text());
        insert.set(3, population.alphanumeric(10, 20).text());
        insert.set(4, population.alphanumeric(2, 2).text());
        insert.set(5, population.zip().text());
        insert.setUnscaled(6, population.random.uniform(0, 2_000));
    }
}
