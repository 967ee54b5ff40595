package io.reprise.workload.tpcc;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/** Loads a range of a district's customers, each with the payment that opens its history. */
public final class LoadCustomers extends Procedure {
    /** The payment of each customer before the run: 10.00. */
    static final long FIRST_PAYMENT_CENTS = 1_000;

    private static final long CREDIT_LIMIT_CENTS = 5_000_000;

    private final Statement insertCustomer = sql("INSERT INTO customer (c_w_id, c_d_id, c_id, c_last, c_middle,"
            + " c_first, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, c_since, c_credit, c_credit_lim,"
            + " c_discount, c_balance, c_ytd_payment, c_payment_cnt, c_delivery_cnt, c_data)"
            + " VALUES (?, ?, ?, ?, 'OE', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 0, ?)");
    private final Statement insertHistory = sql("INSERT INTO history"
            + " (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    private final Population population = new Population();

    /**
     * Loads customers {@code from} to {@code to}, both included.
     *
     * @param names number of different last names: the first customers have one each
     * @param nameConstant the constant C of NURand for last names while loading
     */
    public void run(short wId, byte dId, int from, int to, int names, int nameConstant, long seed) {
        long now = timestampMicros();
        for (int cId = from; cId <= to; cId++) {
            population.random.seed(seed, 4, wId * 256L + dId, cId);
            insertCustomer(wId, dId, cId, names, nameConstant, now);
            insertHistory
                    .set(0, cId)
                    .set(1, dId)
                    .set(2, wId)
                    .set(3, dId)
                    .set(4, wId)
                    .set(5, now);
            insertHistory.setUnscaled(6, FIRST_PAYMENT_CENTS);
            insertHistory.set(7, population.alphanumeric(12, 24).text()).update();
        }
    }

    private void insertCustomer(short wId, byte dId, int cId, int names, int nameConstant, long now) {
        int name = cId <= names ? cId - 1 : NonUniform.next(population.random, 255, nameConstant, 0, names - 1);
        insertCustomer.set(0, wId).set(1, dId).set(2, cId);
        insertCustomer.set(3, CustomerName.append(population.text.clear(), name).text());
        insertCustomer.set(4, population.alphanumeric(8, 16).text());
        insertCustomer.set(5, population.alphanumeric(10, 20).text());
        insertCustomer.set(6, population.alphanumeric(10, 20).text());
        insertCustomer.set(7, population.alphanumeric(10, 20).text());
        insertCustomer.set(8, population.alphanumeric(2, 2).text());
        insertCustomer.set(9, population.zip().text());
        insertCustomer.set(10, population.numeric(16).text());
        insertCustomer.set(11, now);
        insertCustomer.set(12, population.random.uniform(1, 10) == 1 ? "BC" : "GC");
        insertCustomer.setUnscaled(13, CREDIT_LIMIT_CENTS);
        insertCustomer.setUnscaled(14, population.random.uniform(0, 5_000));
        insertCustomer.setUnscaled(15, -FIRST_PAYMENT_CENTS).setUnscaled(16, FIRST_PAYMENT_CENTS);
        insertCustomer.set(17, population.alphanumeric(300, 500).text()).update();
    }
}
