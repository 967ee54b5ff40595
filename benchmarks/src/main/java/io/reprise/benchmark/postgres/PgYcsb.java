package io.reprise.benchmark.postgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicInteger;

/** YCSB in the mix of BenchBase: 50% reads, 15% scans, 10% updates, deletes and read-modify-writes each, 5% inserts. */
final class PgYcsb implements PgWorkload {
    private static final int FIELDS = 10;
    private static final int FIELD_CHARACTERS = 100;
    private static final int MOST_SCANNED = 100;

    private static final String READ = "SELECT * FROM usertable WHERE ycsb_key = ?";
    private static final String LOCK = "SELECT * FROM usertable WHERE ycsb_key = ? FOR UPDATE";
    private static final String SCAN = "SELECT * FROM usertable WHERE ycsb_key > ? AND ycsb_key < ?";
    private static final String DELETE = "DELETE FROM usertable WHERE ycsb_key = ?";

    private static final double SKEW = 0.99;

    private final int records;

    /** The sums of the weights of all keys up to each. */
    private final double[] weights;

    private final String insert;
    private final String update;

    /** Shared by the terminals of all runs, so that new records have keys of their own. */
    private final AtomicInteger nextKey;

    PgYcsb(int records) {
        this.records = records;
        weights = new double[records];
        double sum = 0;
        for (int i = 0; i < records; i++) {
            sum += 1 / Math.pow(i + 1.0, SKEW);
            weights[i] = sum;
        }
        nextKey = new AtomicInteger(records);
        insert = "INSERT INTO usertable VALUES (?" + ", ?".repeat(FIELDS) + ")";
        StringJoiner fields = new StringJoiner(", ");
        for (int i = 1; i <= FIELDS; i++) {
            fields.add("field" + i + " = ?");
        }
        update = "UPDATE usertable SET " + fields + " WHERE ycsb_key = ?";
    }

    @Override
    public String name() {
        return "ycsb";
    }

    @Override
    public List<String> tables(boolean postgres) {
        StringBuilder table = new StringBuilder("CREATE TABLE usertable (ycsb_key INTEGER NOT NULL PRIMARY KEY");
        for (int i = 1; i <= FIELDS; i++) {
            table.append(", field").append(i).append(" TEXT");
        }
        List<String> tables = new ArrayList<>(List.of(table.append(')').toString()));
        if (!postgres) {
            tables.add("PARTITION TABLE usertable ON COLUMN ycsb_key");
        }
        return tables;
    }

    private static String text(SplittableRandom random) {
        char[] text = new char[FIELD_CHARACTERS];
        for (int i = 0; i < text.length; i++) {
            text[i] = (char) ('a' + random.nextInt(26));
        }
        return new String(text);
    }

    @Override
    public void load(Connection connection) throws SQLException, IOException {
        SplittableRandom random = new SplittableRandom(1);
        Object[] row = new Object[1 + FIELDS];
        try (RowsIn rows = new RowsIn(connection, "usertable")) {
            for (int key = 0; key < records; key++) {
                row[0] = key;
                for (int i = 1; i <= FIELDS; i++) {
                    row[i] = text(random);
                }
                rows.add(row);
            }
        }
    }

    @Override
    public PgTerminal terminal(Statements statements, int number) {
        return new Terminal(statements, number);
    }

    private final class Terminal extends PgTerminal {
        private int kind;
        private int key;
        private int scanned;
        private final Object[] values = new Object[1 + FIELDS];

        Terminal(Statements db, int number) {
            super(db, number);
        }

        @Override
        void choose() {
            kind = random.nextInt(100);
            key = kind < 55 && kind >= 50 ? nextKey.getAndIncrement() : skewed();
            scanned = 1 + random.nextInt(MOST_SCANNED);
        }

        private int skewed() {
            int at = Arrays.binarySearch(weights, random.nextDouble() * weights[records - 1]);
            return at < 0 ? -at - 1 : at;
        }

        private Object[] values(int keyAt) {
            for (int i = 0; i < values.length; i++) {
                values[i] = i == keyAt ? (Object) key : text(random);
            }
            return values;
        }

        @Override
        boolean transaction() throws SQLException {
            if (kind < 50) {
                read(READ, key);
            } else if (kind < 55) {
                db.update(insert, values(0));
            } else if (kind < 70) {
                read(SCAN, key, key + scanned);
            } else if (kind < 80) {
                db.update(update, values(FIELDS));
            } else if (kind < 90) {
                db.update(DELETE, key);
            } else {
                read(LOCK, key);
                db.update(update, values(FIELDS));
            }
            return true;
        }

        private void read(String sql, Object... arguments) throws SQLException {
            ResultSet rows = db.query(sql, arguments);
            while (rows.next()) {
                for (int i = 1; i <= FIELDS; i++) {
                    rows.getString(1 + i);
                }
            }
        }
    }

    @Override
    public void check(Connection connection) throws SQLException {
        Statements db = new Statements(connection);
        long rows = db.one("SELECT COUNT(*) FROM usertable").getLong(1);
        long most = nextKey.get();
        if (rows > most) {
            throw new IllegalStateException("there are " + rows + " records, and " + most + " were inserted");
        }
    }
}
