package io.reprise.benchmark.postgres;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;

/** A terminal of TPC-C at a warehouse, in the specified mix or with New-Orders only. */
final class PgTpccTerminal extends PgTerminal {
    private static final int NAME_MASK = 255;
    private static final int CUSTOMER_MASK = 1023;
    private static final int ITEM_MASK = 8191;
    private static final int MOST_LINES = 15;
    private static final int LEAST_LINES = 5;
    private static final int LEAST_STOCK = 10;
    private static final int RESTOCKED = 91;
    private static final int CARRIERS = 10;
    private static final int RECENT_ORDERS = 20;
    private static final int NEW_ORDERS = 45;
    private static final int ALL = 100;
    private static final int MOST_DATA = 500;

    private static final String CUSTOMER =
            "SELECT c_discount, c_last, c_credit FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    private static final String WAREHOUSE_TAX = "SELECT w_tax FROM warehouse WHERE w_id = ?";
    private static final String DISTRICT =
            "SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ? FOR UPDATE";
    private static final String NEXT_ORDER =
            "UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = ? AND d_id = ?";
    private static final String INSERT_ORDER =
            "INSERT INTO oorder (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local) VALUES (?, ?, ?, ?, ?, ?, ?)";
    private static final String INSERT_NEW_ORDER = "INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)";
    private static final String ITEM = "SELECT i_price, i_name, i_data FROM item WHERE i_id = ?";
    private static final String STOCK =
            "SELECT s_quantity, s_data, s_dist_01 FROM stock WHERE s_i_id = ? AND s_w_id = ? FOR UPDATE";
    private static final String UPDATE_STOCK = "UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?,"
            + " s_order_cnt = s_order_cnt + 1, s_remote_cnt = s_remote_cnt + ? WHERE s_i_id = ? AND s_w_id = ?";
    private static final String INSERT_LINE = "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id,"
            + " ol_supply_w_id, ol_quantity, ol_amount, ol_dist_info) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String PAY_WAREHOUSE = "UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?";
    private static final String WAREHOUSE =
            "SELECT w_street_1, w_city, w_state, w_zip, w_name FROM warehouse WHERE w_id = ?";
    private static final String PAY_DISTRICT = "UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?";
    private static final String DISTRICT_ADDRESS =
            "SELECT d_street_1, d_city, d_state, d_zip, d_name FROM district WHERE d_w_id = ? AND d_id = ?";
    private static final String PAYER = "SELECT c_id, c_credit, c_balance, c_ytd_payment, c_payment_cnt FROM customer"
            + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    private static final String BY_NAME = "SELECT c_id, c_credit, c_balance, c_ytd_payment, c_payment_cnt FROM customer"
            + " WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first";
    private static final String CUSTOMER_DATA =
            "SELECT c_data FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    private static final String PAY_BAD = "UPDATE customer SET c_balance = ?, c_ytd_payment = ?, c_payment_cnt = ?,"
            + " c_data = ? WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    private static final String PAY_GOOD = "UPDATE customer SET c_balance = ?, c_ytd_payment = ?, c_payment_cnt = ?"
            + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    private static final String INSERT_HISTORY =
            "INSERT INTO history (h_c_d_id, h_c_w_id, h_c_id, h_d_id, h_w_id, h_date,"
                    + " h_amount, h_data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String LAST_ORDER = "SELECT o_id, o_carrier_id, o_entry_d FROM oorder"
            + " WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? ORDER BY o_id DESC LIMIT 1";
    private static final String LINES =
            "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line"
                    + " WHERE ol_o_id = ? AND ol_d_id = ? AND ol_w_id = ?";

    private static final String OLDEST =
            "SELECT no_o_id FROM new_order WHERE no_d_id = ? AND no_w_id = ? ORDER BY no_o_id ASC LIMIT 1";
    private static final String DELETE_NEW_ORDER =
            "DELETE FROM new_order WHERE no_o_id = ? AND no_d_id = ? AND no_w_id = ?";
    private static final String ORDERER = "SELECT o_c_id FROM oorder WHERE o_id = ? AND o_d_id = ? AND o_w_id = ?";
    private static final String CARRY =
            "UPDATE oorder SET o_carrier_id = ? WHERE o_id = ? AND o_d_id = ? AND o_w_id = ?";
    private static final String DELIVER =
            "UPDATE order_line SET ol_delivery_d = ? WHERE ol_o_id = ? AND ol_d_id = ? AND ol_w_id = ?";
    private static final String AMOUNT =
            "SELECT SUM(ol_amount) FROM order_line WHERE ol_o_id = ? AND ol_d_id = ? AND ol_w_id = ?";
    private static final String CHARGE = "UPDATE customer SET c_balance = c_balance + ?,"
            + " c_delivery_cnt = c_delivery_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";

    private static final String NEXT = "SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?";
    private static final String LOW_STOCK = "SELECT COUNT(DISTINCT s_i_id) FROM order_line, stock WHERE ol_w_id = ?"
            + " AND ol_d_id = ? AND ol_o_id < ? AND ol_o_id >= ? AND s_w_id = ? AND s_i_id = ol_i_id AND s_quantity < ?";

    private final PgTpcc scale;
    private final int warehouse;

    /** The bound of the percentages of the mix that it chooses from. */
    private final int kinds;

    private int kind;
    private int district;
    private int customer;
    private String lastName;
    private int customerWarehouse;
    private int customerDistrict;
    private BigDecimal amount;
    private int carrier;
    private int threshold;
    private int[] lineItems;
    private int[] suppliers;
    private int[] quantities;

    private PgTpccTerminal(PgTpcc scale, Statements db, int number, int kinds) {
        super(db, number);
        this.scale = scale;
        this.kinds = kinds;
        warehouse = 1 + number % scale.warehouses();
    }

    /** A terminal with all transactions. */
    static PgTpccTerminal ofAll(PgTpcc scale, Statements db, int number) {
        return new PgTpccTerminal(scale, db, number, ALL);
    }

    /** A terminal that only enters orders. */
    static PgTpccTerminal ofNewOrders(PgTpcc scale, Statements db, int number) {
        return new PgTpccTerminal(scale, db, number, NEW_ORDERS);
    }

    @Override
    void choose() {
        kind = random.nextInt(kinds);
        district = 1 + random.nextInt(PgTpcc.DISTRICTS);
        boolean remote = scale.warehouses() > 1 && random.nextInt(100) < 15;
        customerWarehouse = kind >= NEW_ORDERS && kind < 88 && remote ? otherWarehouse() : warehouse;
        customerDistrict = customerWarehouse == warehouse ? district : 1 + random.nextInt(PgTpcc.DISTRICTS);
        customer = 1 + skewed(CUSTOMER_MASK, scale.customers());
        lastName =
                random.nextInt(100) < 60 ? PgTpcc.lastName(skewed(NAME_MASK, Math.min(1000, scale.customers()))) : null;
        amount = BigDecimal.valueOf(100 + random.nextInt(499_901), 2);
        carrier = 1 + random.nextInt(CARRIERS);
        threshold = LEAST_STOCK + random.nextInt(11);
        chooseLines();
    }

    private void chooseLines() {
        int lines = LEAST_LINES + random.nextInt(MOST_LINES - LEAST_LINES + 1);
        lineItems = new int[lines];
        suppliers = new int[lines];
        quantities = new int[lines];
        for (int i = 0; i < lines; i++) {
            lineItems[i] = 1 + skewed(ITEM_MASK, scale.items());
            suppliers[i] = scale.warehouses() > 1 && random.nextInt(100) == 0 ? otherWarehouse() : warehouse;
            quantities[i] = 1 + random.nextInt(10);
        }
        if (random.nextInt(100) == 0) {
            lineItems[lines - 1] = -1;
        }
    }

    private int skewed(int mask, int range) {
        return (random.nextInt(mask + 1) | random.nextInt(range)) % range;
    }

    private int otherWarehouse() {
        int other = 1 + random.nextInt(scale.warehouses() - 1);
        return other < warehouse ? other : other + 1;
    }

    @Override
    boolean transaction() throws SQLException {
        if (kind < NEW_ORDERS) {
            return newOrder();
        } else if (kind < 88) {
            payment();
        } else if (kind < 92) {
            orderStatus();
        } else if (kind < 96) {
            delivery();
        } else {
            stockLevel();
        }
        return true;
    }

    private static Timestamp now() {
        return new Timestamp(System.currentTimeMillis());
    }

    private boolean newOrder() throws SQLException {
        db.beginBatch(INSERT_LINE);
        db.beginBatch(UPDATE_STOCK);
        BigDecimal discount = db.one(CUSTOMER, warehouse, district, customer).getBigDecimal(1);
        BigDecimal tax = db.one(WAREHOUSE_TAX, warehouse).getBigDecimal(1);
        ResultSet next = db.one(DISTRICT, warehouse, district);
        int order = next.getInt(1);
        if (discount.add(tax).add(next.getBigDecimal(2)).signum() < 0) {
            throw new IllegalStateException("a tax is negative");
        }
        db.update(NEXT_ORDER, warehouse, district);
        db.update(INSERT_ORDER, order, district, warehouse, customer, now(), lineItems.length, allLocal());
        db.update(INSERT_NEW_ORDER, order, district, warehouse);
        for (int i = 0; i < lineItems.length; i++) {
            ResultSet item = db.query(ITEM, lineItems[i]);
            if (!item.next()) {
                return false;
            }
            BigDecimal price = item.getBigDecimal(1).multiply(BigDecimal.valueOf(quantities[i]));
            ResultSet stock = db.one(STOCK, lineItems[i], suppliers[i]);
            int left = stock.getInt(1) - quantities[i];
            db.batch(
                    INSERT_LINE,
                    order,
                    district,
                    warehouse,
                    i + 1,
                    lineItems[i],
                    suppliers[i],
                    quantities[i],
                    price,
                    stock.getString(3));
            db.batch(
                    UPDATE_STOCK,
                    left >= LEAST_STOCK ? left : left + RESTOCKED,
                    quantities[i],
                    suppliers[i] == warehouse ? 0 : 1,
                    lineItems[i],
                    suppliers[i]);
        }
        db.runBatch(INSERT_LINE);
        db.runBatch(UPDATE_STOCK);
        return true;
    }

    private int allLocal() {
        for (int supplier : suppliers) {
            if (supplier != warehouse) {
                return 0;
            }
        }
        return 1;
    }

    /** The row of the customer by number, or the middle one of those with the name. */
    private Object[] customer(int ofWarehouse, int ofDistrict) throws SQLException {
        List<Object[]> found = new ArrayList<>();
        ResultSet rows = lastName == null
                ? db.query(PAYER, ofWarehouse, ofDistrict, customer)
                : db.query(BY_NAME, ofWarehouse, ofDistrict, lastName);
        while (rows.next()) {
            found.add(new Object[] {
                rows.getInt(1), rows.getString(2), rows.getBigDecimal(3), rows.getDouble(4), rows.getInt(5)
            });
        }
        if (found.isEmpty()) {
            throw new IllegalStateException("no customer " + (lastName == null ? customer : lastName));
        }
        return found.get((found.size() - 1) / 2);
    }

    private void payment() throws SQLException {
        db.update(PAY_WAREHOUSE, amount, warehouse);
        String from = db.one(WAREHOUSE, warehouse).getString(5);
        db.update(PAY_DISTRICT, amount, warehouse, district);
        String to = db.one(DISTRICT_ADDRESS, warehouse, district).getString(5);
        Object[] payer = customer(customerWarehouse, customerDistrict);
        int id = (int) payer[0];
        BigDecimal balance = ((BigDecimal) payer[2]).subtract(amount);
        double paid = (double) payer[3] + amount.doubleValue();
        int payments = (int) payer[4] + 1;
        if ("BC".equals(payer[1])) {
            String data = db.one(CUSTOMER_DATA, customerWarehouse, customerDistrict, id)
                    .getString(1);
            String longer = id + " " + customerDistrict + " " + customerWarehouse + " " + district + " " + warehouse
                    + " " + amount + " | " + data;
            db.update(
                    PAY_BAD,
                    balance,
                    paid,
                    payments,
                    longer.substring(0, Math.min(MOST_DATA, longer.length())),
                    customerWarehouse,
                    customerDistrict,
                    id);
        } else {
            db.update(PAY_GOOD, balance, paid, payments, customerWarehouse, customerDistrict, id);
        }
        db.update(
                INSERT_HISTORY,
                customerDistrict,
                customerWarehouse,
                id,
                district,
                warehouse,
                now(),
                amount,
                from + "    " + to);
    }

    private void orderStatus() throws SQLException {
        int id = (int) customer(warehouse, district)[0];
        ResultSet last = db.query(LAST_ORDER, warehouse, district, id);
        if (last.next()) {
            ResultSet lines = db.query(LINES, last.getInt(1), district, warehouse);
            while (lines.next()) {
                lines.getBigDecimal(4);
            }
        }
    }

    private void delivery() throws SQLException {
        for (int each = 1; each <= PgTpcc.DISTRICTS; each++) {
            ResultSet oldest = db.query(OLDEST, each, warehouse);
            if (!oldest.next()) {
                continue;
            }
            int order = oldest.getInt(1);
            if (db.update(DELETE_NEW_ORDER, order, each, warehouse) != 1) {
                // Another terminal delivers it. A COMMIT would fail with this state, too.
                throw new SQLException("order " + order + " was delivered meanwhile", PgRun.CONFLICT);
            }
            int orderer = db.one(ORDERER, order, each, warehouse).getInt(1);
            db.update(CARRY, carrier, order, each, warehouse);
            db.update(DELIVER, now(), order, each, warehouse);
            BigDecimal total = db.one(AMOUNT, order, each, warehouse).getBigDecimal(1);
            db.update(CHARGE, total, warehouse, each, orderer);
        }
    }

    private void stockLevel() throws SQLException {
        int next = db.one(NEXT, warehouse, district).getInt(1);
        db.one(LOW_STOCK, warehouse, district, next, next - RECENT_ORDERS, warehouse, threshold);
    }
}
