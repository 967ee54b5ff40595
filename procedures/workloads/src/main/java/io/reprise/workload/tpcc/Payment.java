package io.reprise.workload.tpcc;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;
import io.reprise.procedure.TextBuilder;

/**
 * Clause 2.5: a customer pays at a district of a warehouse, which need not be the customer's own. The customer is given
 * by id or by last name; bad credit leaves a note in the customer's data.
 */
public final class Payment extends Procedure {
    private static final int DATA_LENGTH = 500;
    private static final int SHOWN_DATA_LENGTH = 200;
    private static final int CREDIT = 10;
    private static final int BALANCE = 13;

    private final Statement payWarehouse = sql("UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?");
    private final Statement warehouse =
            sql("SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip FROM warehouse WHERE w_id = ?");
    private final Statement payDistrict = sql("UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?");
    private final Statement district = sql("SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip"
            + " FROM district WHERE d_w_id = ? AND d_id = ?");
    private final Statement findByName = sql(CustomerName.FIND);
    private final Statement customer = sql("SELECT c_first, c_middle, c_last, c_street_1, c_street_2, c_city,"
            + " c_state, c_zip, c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance"
            + " FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
    private final Statement payCustomer = sql("UPDATE customer SET c_balance = c_balance - ?,"
            + " c_ytd_payment = c_ytd_payment + ?, c_payment_cnt = c_payment_cnt + 1"
            + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
    private final Statement customerData =
            sql("SELECT c_data FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
    private final Statement noteCustomerData =
            sql("UPDATE customer SET c_data = ? WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?");
    private final Statement insertHistory = sql("INSERT INTO history"
            + " (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)");

    private final ResultTable result = table(
            "w_street_1",
            "w_street_2",
            "w_city",
            "w_state",
            "w_zip",
            "d_street_1",
            "d_street_2",
            "d_city",
            "d_state",
            "d_zip",
            "c_id",
            "c_first",
            "c_middle",
            "c_last",
            "c_street_1",
            "c_street_2",
            "c_city",
            "c_state",
            "c_zip",
            "c_phone",
            "c_since",
            "c_credit",
            "c_credit_lim",
            "c_discount",
            "c_balance",
            "h_date",
            "c_data");
    private final TextBuilder historyData = new TextBuilder(24);
    private final TextBuilder note = new TextBuilder(DATA_LENGTH);

    /**
     * Pays.
     *
     * @param amountCents the payment, in cents
     * @param cId the customer, or 0 to find the customer by last name
     */
    public ResultTable run(short wId, byte dId, long amountCents, short cWId, byte cDId, int cId, Text cLast) {
        long now = timestampMicros();
        int customerId = cId != 0
                ? cId
                : CustomerName.middle(
                        findByName.set(0, cWId).set(1, cDId).set(2, cLast).query());
        customer.set(0, cWId).set(1, cDId).set(2, customerId).prefetch();
        payWarehouse.setUnscaled(0, amountCents).set(1, wId).update();
        Rows here = warehouse.set(0, wId).query();
        payDistrict.setUnscaled(0, amountCents).set(1, wId).set(2, dId).update();
        Rows there = district.set(0, wId).set(1, dId).query();
        if (!here.next() || !there.next()) {
            throw abort("no such district");
        }
        Rows payer = customer.query();
        if (!payer.next()) {
            throw abort("no such customer");
        }
        long balance = payer.unscaledAt(BALANCE) - amountCents;
        insertHistory(wId, dId, amountCents, cWId, cDId, customerId, now, here, there);
        addAddress(here);
        addAddress(there);
        addCustomer(payer, customerId, balance);
        result.add(now);

        boolean badCredit = payer.textAt(CREDIT).byteAt(0) == 'B';
        payCustomer.setUnscaled(0, amountCents).setUnscaled(1, amountCents);
        payCustomer.set(2, cWId).set(3, cDId).set(4, customerId).update();
        if (badCredit) {
            noteBadCredit(wId, dId, amountCents, cWId, cDId, customerId);
        } else {
            result.addNull();
        }
        return result.endRow();
    }

    private void insertHistory(
            short wId, byte dId, long amountCents, short cWId, byte cDId, int cId, long now, Rows here, Rows there) {
        historyData.clear().append(here.textAt(0)).append("    ").append(there.textAt(0));
        insertHistory
                .set(0, cId)
                .set(1, cDId)
                .set(2, cWId)
                .set(3, dId)
                .set(4, wId)
                .set(5, now);
        insertHistory.setUnscaled(6, amountCents).set(7, historyData.text()).update();
    }

    private void addAddress(Rows place) {
        for (int i = 1; i <= 5; i++) {
            result.add(place.textAt(i));
        }
    }

    private void addCustomer(Rows payer, int cId, long balance) {
        result.add(cId);
        for (int i = 0; i < 9; i++) {
            result.add(payer.textAt(i));
        }
        result.add(payer.longAt(9)).add(payer.textAt(CREDIT)).addUnscaled(payer.unscaledAt(11), 2);
        result.addUnscaled(payer.unscaledAt(12), 4).addUnscaled(balance, 2);
    }

    /** Clause 2.5.2.2: the payment and its place go before the data, which is cut off at its maximal length. */
    private void noteBadCredit(short wId, byte dId, long amountCents, short cWId, byte cDId, int cId) {
        Rows before = customerData.set(0, cWId).set(1, cDId).set(2, cId).query();
        if (!before.next()) {
            throw abort("no such customer");
        }
        note.clear()
                .append(cId)
                .append(' ')
                .append(cDId)
                .append(' ')
                .append(cWId)
                .append(' ');
        note.append(dId).append(' ').append(wId).append(' ');
        note.append(amountCents / 100)
                .append('.')
                .appendPadded(amountCents % 100, 2)
                .append('|');
        note.append(before.textAt(0));
        noteCustomerData
                .set(0, note.text())
                .set(1, cWId)
                .set(2, cDId)
                .set(3, cId)
                .update();
        result.add(note.text(SHOWN_DATA_LENGTH));
    }
}
