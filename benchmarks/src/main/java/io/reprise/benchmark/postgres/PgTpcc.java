package io.reprise.benchmark.postgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** TPC-C: orders of a wholesaler's customers. Terminals have no think time, and share the districts of their warehouse. */
final class PgTpcc implements PgWorkload {
    static final int DISTRICTS = 10;
    private static final int NAMES = 1000;
    private static final int UNDELIVERED_PERCENT = 30;
    private static final int LINES = 10;
    private static final int BAD_CREDIT_PERCENT = 10;
    private static final String[] SYLLABLES = {
        "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"
    };

    private final int warehouses;
    private final int items;
    private final int customers;

    private PgTpcc(int warehouses, int items, int customers) {
        this.warehouses = warehouses;
        this.items = items;
        this.customers = customers;
    }

    /** The size of the specification. */
    static PgTpcc specified(int warehouses) {
        return new PgTpcc(warehouses, 100_000, 3000);
    }

    /** Fewer items and customers, to see that all works. */
    static PgTpcc small(int warehouses) {
        return new PgTpcc(warehouses, 200, 60);
    }

    int warehouses() {
        return warehouses;
    }

    int items() {
        return items;
    }

    int customers() {
        return customers;
    }

    @Override
    public String name() {
        return "tpcc";
    }

    /** The last name with a number. */
    static String lastName(int number) {
        return SYLLABLES[number / 100 % 10] + SYLLABLES[number / 10 % 10] + SYLLABLES[number % 10];
    }

    @Override
    public List<String> tables(boolean postgres) {
        List<String> tables = new ArrayList<>(List.of(
                "CREATE TABLE warehouse (w_id INT NOT NULL, w_ytd DECIMAL(12,2) NOT NULL, w_tax DECIMAL(4,4) NOT NULL,"
                        + " w_name VARCHAR(10) NOT NULL, w_street_1 VARCHAR(20) NOT NULL, w_city VARCHAR(20) NOT NULL,"
                        + " w_state CHAR(2) NOT NULL, w_zip CHAR(9) NOT NULL, PRIMARY KEY (w_id))",
                "CREATE TABLE item (i_id INT NOT NULL, i_name VARCHAR(24) NOT NULL, i_price DECIMAL(5,2) NOT NULL,"
                        + " i_data VARCHAR(50) NOT NULL, i_im_id INT NOT NULL, PRIMARY KEY (i_id))",
                "CREATE TABLE stock (s_w_id INT NOT NULL, s_i_id INT NOT NULL, s_quantity INT NOT NULL,"
                        + " s_ytd DECIMAL(8,2) NOT NULL, s_order_cnt INT NOT NULL, s_remote_cnt INT NOT NULL,"
                        + " s_data VARCHAR(50) NOT NULL, s_dist_01 CHAR(24) NOT NULL, PRIMARY KEY (s_w_id, s_i_id),"
                        + " FOREIGN KEY (s_i_id) REFERENCES item (i_id))",
                "CREATE TABLE district (d_w_id INT NOT NULL, d_id INT NOT NULL, d_ytd DECIMAL(12,2) NOT NULL,"
                        + " d_tax DECIMAL(4,4) NOT NULL, d_next_o_id INT NOT NULL, d_name VARCHAR(10) NOT NULL,"
                        + " d_street_1 VARCHAR(20) NOT NULL, d_city VARCHAR(20) NOT NULL, d_state CHAR(2) NOT NULL,"
                        + " d_zip CHAR(9) NOT NULL, PRIMARY KEY (d_w_id, d_id),"
                        + " FOREIGN KEY (d_w_id) REFERENCES warehouse (w_id) ON DELETE CASCADE)",
                "CREATE TABLE customer (c_w_id INT NOT NULL, c_d_id INT NOT NULL, c_id INT NOT NULL,"
                        + " c_discount DECIMAL(4,4) NOT NULL, c_credit CHAR(2) NOT NULL, c_last VARCHAR(16) NOT NULL,"
                        + " c_first VARCHAR(16) NOT NULL, c_credit_lim DECIMAL(12,2) NOT NULL, c_balance DECIMAL(12,2) NOT NULL,"
                        + " c_ytd_payment FLOAT NOT NULL, c_payment_cnt INT NOT NULL, c_delivery_cnt INT NOT NULL,"
                        + " c_street_1 VARCHAR(20) NOT NULL, c_city VARCHAR(20) NOT NULL, c_state CHAR(2) NOT NULL,"
                        + " c_zip CHAR(9) NOT NULL, c_phone CHAR(16) NOT NULL, c_since TIMESTAMP NOT NULL,"
                        + " c_middle CHAR(2) NOT NULL, c_data VARCHAR(500) NOT NULL, PRIMARY KEY (c_w_id, c_d_id, c_id))",
                "CREATE INDEX idx_customer_name ON customer (c_w_id, c_d_id, c_last, c_first)",
                "CREATE TABLE history (h_c_id INT NOT NULL, h_c_d_id INT NOT NULL, h_c_w_id INT NOT NULL, h_d_id INT NOT NULL,"
                        + " h_w_id INT NOT NULL, h_date TIMESTAMP NOT NULL, h_amount DECIMAL(6,2) NOT NULL,"
                        + " h_data VARCHAR(24) NOT NULL)",
                "CREATE TABLE oorder (o_w_id INT NOT NULL, o_d_id INT NOT NULL, o_id INT NOT NULL, o_c_id INT NOT NULL,"
                        + " o_carrier_id INT, o_ol_cnt INT NOT NULL, o_all_local INT NOT NULL, o_entry_d TIMESTAMP NOT NULL,"
                        + " PRIMARY KEY (o_w_id, o_d_id, o_id))",
                "CREATE INDEX idx_order ON oorder (o_w_id, o_d_id, o_c_id, o_id)",
                "CREATE TABLE new_order (no_w_id INT NOT NULL, no_d_id INT NOT NULL, no_o_id INT NOT NULL,"
                        + " PRIMARY KEY (no_w_id, no_d_id, no_o_id))",
                "CREATE TABLE order_line (ol_w_id INT NOT NULL, ol_d_id INT NOT NULL, ol_o_id INT NOT NULL,"
                        + " ol_number INT NOT NULL, ol_i_id INT NOT NULL, ol_delivery_d TIMESTAMP, ol_amount DECIMAL(6,2) NOT NULL,"
                        + " ol_supply_w_id INT NOT NULL, ol_quantity INT NOT NULL, ol_dist_info CHAR(24) NOT NULL,"
                        + " PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number))"));
        if (!postgres) {
            for (String column : List.of(
                    "warehouse.w_id",
                    "stock.s_w_id",
                    "district.d_w_id",
                    "customer.c_w_id",
                    "history.h_w_id",
                    "oorder.o_w_id",
                    "new_order.no_w_id",
                    "order_line.ol_w_id")) {
                int point = column.indexOf('.');
                tables.add(
                        "PARTITION TABLE " + column.substring(0, point) + " ON COLUMN " + column.substring(point + 1));
            }
        }
        return tables;
    }

    @Override
    public void load(Connection connection) throws SQLException, IOException {
        SplittableRandom random = new SplittableRandom(1);
        try (RowsIn rows = new RowsIn(connection, "item")) {
            for (int id = 1; id <= items; id++) {
                rows.add(id, "item " + id, price(random), "data of item " + id, random.nextInt(10_000));
            }
        }
        try (RowsIn rows = new RowsIn(connection, "warehouse")) {
            for (int w = 1; w <= warehouses; w++) {
                rows.add(w, "300000.00", "0.1000", "W" + w, "street", "city", "ST", "123456789");
            }
        }
        try (RowsIn rows = new RowsIn(connection, "stock")) {
            for (int w = 1; w <= warehouses; w++) {
                for (int id = 1; id <= items; id++) {
                    rows.add(
                            w, id, 10 + random.nextInt(91), 0, 0, 0, "data of stock " + id, "dist-info-of-24-letters.");
                }
            }
        }
        try (RowsIn rows = new RowsIn(connection, "district")) {
            for (int w = 1; w <= warehouses; w++) {
                for (int d = 1; d <= DISTRICTS; d++) {
                    rows.add(w, d, "30000.00", "0.0500", customers + 1, "D" + d, "street", "city", "ST", "123456789");
                }
            }
        }
        loadCustomers(connection, random);
        loadOrders(connection, random);
    }

    private static String price(SplittableRandom random) {
        return (1 + random.nextInt(99)) + ".50";
    }

    private void loadCustomers(Connection connection, SplittableRandom random) throws SQLException, IOException {
        String since = "2026-01-01 00:00:00";
        String data = "customer data ".repeat(25);
        try (RowsIn rows = new RowsIn(connection, "customer")) {
            for (int w = 1; w <= warehouses; w++) {
                for (int d = 1; d <= DISTRICTS; d++) {
                    for (int c = 1; c <= customers; c++) {
                        String credit = random.nextInt(100) < BAD_CREDIT_PERCENT ? "BC" : "GC";
                        rows.add(
                                w,
                                d,
                                c,
                                "0.0500",
                                credit,
                                lastName((c - 1) % NAMES),
                                "first" + c,
                                "50000.00",
                                "-10.00",
                                10,
                                1,
                                0,
                                "street",
                                "city",
                                "ST",
                                "123456789",
                                "0123456789012345",
                                since,
                                "OE",
                                data);
                    }
                }
            }
        }
        try (RowsIn rows = new RowsIn(connection, "history")) {
            for (int w = 1; w <= warehouses; w++) {
                for (int d = 1; d <= DISTRICTS; d++) {
                    for (int c = 1; c <= customers; c++) {
                        rows.add(c, d, w, d, w, since, "10.00", "history");
                    }
                }
            }
        }
    }

    private boolean isDelivered(int order) {
        return order <= customers * (100 - UNDELIVERED_PERCENT) / 100;
    }

    private void loadOrders(Connection connection, SplittableRandom random) throws SQLException, IOException {
        String entered = "2026-01-01 00:00:00";
        try (RowsIn rows = new RowsIn(connection, "oorder")) {
            for (int w = 1; w <= warehouses; w++) {
                for (int d = 1; d <= DISTRICTS; d++) {
                    for (int o = 1; o <= customers; o++) {
                        // A permutation: 7 divides no number of customers.
                        int customer = (int) (o * 7L % customers) + 1;
                        rows.add(w, d, o, customer, isDelivered(o) ? 1 : null, LINES, 1, entered);
                    }
                }
            }
        }
        try (RowsIn rows = new RowsIn(connection, "new_order")) {
            for (int w = 1; w <= warehouses; w++) {
                for (int d = 1; d <= DISTRICTS; d++) {
                    for (int o = 1; o <= customers; o++) {
                        if (!isDelivered(o)) {
                            rows.add(w, d, o);
                        }
                    }
                }
            }
        }
        try (RowsIn rows = new RowsIn(connection, "order_line")) {
            for (int w = 1; w <= warehouses; w++) {
                for (int d = 1; d <= DISTRICTS; d++) {
                    for (int o = 1; o <= customers; o++) {
                        for (int line = 1; line <= LINES; line++) {
                            boolean delivered = isDelivered(o);
                            rows.add(
                                    w,
                                    d,
                                    o,
                                    line,
                                    1 + random.nextInt(items),
                                    delivered ? entered : null,
                                    delivered ? "0.00" : price(random),
                                    w,
                                    5,
                                    "dist-info-of-24-letters.");
                        }
                    }
                }
            }
        }
    }

    @Override
    public PgTerminal terminal(Statements statements, int number) {
        return PgTpccTerminal.ofAll(this, statements, number);
    }

    /** The conditions 1 to 4 of the specification: sums of payments, the next order, and the lines of orders. */
    @Override
    public void check(Connection connection) throws SQLException {
        Statements db = new Statements(connection);
        none(
                db,
                "warehouse, and the sum of its districts",
                "SELECT w_id FROM warehouse, (SELECT d_w_id, SUM(d_ytd) AS total"
                        + " FROM district GROUP BY d_w_id) s WHERE d_w_id = w_id AND w_ytd <> total");
        none(
                db,
                "district, and its last order",
                "SELECT d_id FROM district, (SELECT o_w_id, o_d_id, MAX(o_id) AS last"
                        + " FROM oorder GROUP BY o_w_id, o_d_id) s WHERE o_w_id = d_w_id AND o_d_id = d_id AND d_next_o_id - 1 <> last");
        none(
                db,
                "district, and its orders to be delivered",
                "SELECT no_d_id FROM new_order GROUP BY no_w_id, no_d_id"
                        + " HAVING MAX(no_o_id) - MIN(no_o_id) + 1 <> COUNT(*)");
        none(
                db,
                "order, and its lines",
                "SELECT o_id FROM oorder, (SELECT ol_w_id, ol_d_id, ol_o_id, COUNT(*) AS has FROM order_line"
                        + " GROUP BY ol_w_id, ol_d_id, ol_o_id) s WHERE ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id"
                        + " AND o_ol_cnt <> has");
    }

    private static void none(Statements db, String what, String sql) throws SQLException {
        try (ResultSet rows = db.query(sql)) {
            if (rows.next()) {
                throw new IllegalStateException("the " + what + " differ: " + rows.getInt(1));
            }
        }
    }
}
