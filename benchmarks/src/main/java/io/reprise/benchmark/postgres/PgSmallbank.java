package io.reprise.benchmark.postgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Smallbank: six transactions of a bank whose customers have a savings and a checking account. */
final class PgSmallbank implements PgWorkload {
    private static final int HOT_PERCENT = 90;
    private static final int HOT_CUSTOMERS = 100;
    private static final double FIRST_BALANCE = 10_000;
    private static final double DEPOSIT = 1.3;
    private static final double SAVING = 20.2;
    private static final double PAYMENT = 5;
    private static final double FINE = 1;

    private static final String CUSTOMER = "SELECT custid FROM accounts WHERE name = ?";
    private static final String SAVINGS = "SELECT bal FROM savings WHERE custid = ?";
    private static final String CHECKING = "SELECT bal FROM checking WHERE custid = ?";
    private static final String ADD_CHECKING = "UPDATE checking SET bal = bal + ? WHERE custid = ?";
    private static final String ADD_SAVINGS = "UPDATE savings SET bal = bal + ? WHERE custid = ?";
    private static final String CLEAR_CHECKING = "UPDATE checking SET bal = 0.0 WHERE custid = ?";
    private static final String CLEAR_SAVINGS = "UPDATE savings SET bal = 0.0 WHERE custid = ?";

    private final int customers;

    PgSmallbank(int customers) {
        this.customers = customers;
    }

    @Override
    public String name() {
        return "smallbank";
    }

    @Override
    public List<String> tables(boolean postgres) {
        List<String> tables = new ArrayList<>(List.of(
                "CREATE TABLE accounts (custid BIGINT NOT NULL PRIMARY KEY, name VARCHAR(64) NOT NULL)",
                "CREATE INDEX accounts_by_name ON accounts (name)",
                "CREATE TABLE savings (custid BIGINT NOT NULL PRIMARY KEY, bal DOUBLE PRECISION NOT NULL,"
                        + " FOREIGN KEY (custid) REFERENCES accounts (custid))",
                "CREATE TABLE checking (custid BIGINT NOT NULL PRIMARY KEY, bal DOUBLE PRECISION NOT NULL,"
                        + " FOREIGN KEY (custid) REFERENCES accounts (custid))"));
        if (!postgres) {
            tables.add("PARTITION TABLE savings ON COLUMN custid");
            tables.add("PARTITION TABLE checking ON COLUMN custid");
        }
        return tables;
    }

    @Override
    public void load(Connection connection) throws SQLException, IOException {
        try (RowsIn rows = new RowsIn(connection, "accounts")) {
            for (int i = 0; i < customers; i++) {
                rows.add(i, name(i));
            }
        }
        for (String table : List.of("savings", "checking")) {
            try (RowsIn rows = new RowsIn(connection, table)) {
                for (int i = 0; i < customers; i++) {
                    rows.add(i, FIRST_BALANCE);
                }
            }
        }
    }

    private static String name(long customer) {
        return "%064d".formatted(customer);
    }

    @Override
    public PgTerminal terminal(Statements statements, int number) {
        return new Terminal(statements, number);
    }

    private final class Terminal extends PgTerminal {
        private int kind;
        private long first;
        private long second;

        Terminal(Statements db, int number) {
            super(db, number);
        }

        @Override
        void choose() {
            kind = random.nextInt(100);
            first = customer();
            do {
                second = customer();
            } while (second == first);
        }

        private long customer() {
            boolean hot = customers > HOT_CUSTOMERS && random.nextInt(100) < HOT_PERCENT;
            return random.nextInt(hot ? HOT_CUSTOMERS : customers);
        }

        @Override
        boolean transaction() throws SQLException {
            long one = db.one(CUSTOMER, name(first)).getLong(1);
            if (kind < 15) {
                return amalgamate(one, db.one(CUSTOMER, name(second)).getLong(1));
            } else if (kind < 30) {
                return balance(SAVINGS, one) + balance(CHECKING, one) > Double.NEGATIVE_INFINITY;
            } else if (kind < 45) {
                return db.update(ADD_CHECKING, DEPOSIT, one) == 1;
            } else if (kind < 70) {
                return pay(one, db.one(CUSTOMER, name(second)).getLong(1));
            } else if (kind < 85) {
                return balance(SAVINGS, one) - SAVING >= 0 && db.update(ADD_SAVINGS, -SAVING, one) == 1;
            }
            double total = balance(SAVINGS, one) + balance(CHECKING, one);
            return db.update(ADD_CHECKING, total < PAYMENT ? -PAYMENT - FINE : -PAYMENT, one) == 1;
        }

        private double balance(String sql, long customer) throws SQLException {
            return db.one(sql, customer).getDouble(1);
        }

        private boolean amalgamate(long from, long to) throws SQLException {
            double total = balance(SAVINGS, from) + balance(CHECKING, from);
            db.update(CLEAR_CHECKING, from);
            db.update(CLEAR_SAVINGS, from);
            return db.update(ADD_CHECKING, total, to) == 1;
        }

        private boolean pay(long from, long to) throws SQLException {
            if (balance(CHECKING, from) < PAYMENT) {
                return false;
            }
            db.update(ADD_CHECKING, -PAYMENT, from);
            return db.update(ADD_CHECKING, PAYMENT, to) == 1;
        }
    }

    @Override
    public void check(Connection connection) throws SQLException {
        Statements db = new Statements(connection);
        for (String table : List.of("accounts", "savings", "checking")) {
            long rows = db.one("SELECT COUNT(*) FROM " + table).getLong(1);
            if (rows != customers) {
                throw new IllegalStateException(table + " has " + rows + " rows, not " + customers);
            }
        }
        double least = db.one("SELECT MIN(bal) FROM savings").getDouble(1);
        if (least < 0) {
            throw new IllegalStateException("a savings account has " + least);
        }
    }
}
