package io.reprise.benchmark.postgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** TATP: seven short transactions of a telephone company, four fifths of which only read. */
final class PgTatp implements PgWorkload {
    private static final int NUMBERED = 10;
    private static final int LOCATIONS = Integer.MAX_VALUE;

    private static final String SUBSCRIBER = "SELECT * FROM subscriber WHERE s_id = ?";
    private static final String DESTINATION = "SELECT cf.numberx FROM special_facility sf, call_forwarding cf"
            + " WHERE sf.s_id = ? AND sf.sf_type = ? AND sf.is_active = 1 AND cf.s_id = sf.s_id AND cf.sf_type = sf.sf_type"
            + " AND cf.start_time <= ? AND ? < cf.end_time";
    private static final String ACCESS =
            "SELECT data1, data2, data3, data4 FROM access_info WHERE s_id = ? AND ai_type = ?";
    private static final String SET_BIT = "UPDATE subscriber SET bit_1 = ? WHERE s_id = ?";
    private static final String SET_DATA = "UPDATE special_facility SET data_a = ? WHERE s_id = ? AND sf_type = ?";
    private static final String BY_NUMBER = "SELECT s_id FROM subscriber WHERE sub_nbr = ?";
    private static final String MOVE = "UPDATE subscriber SET vlr_location = ? WHERE s_id = ?";
    private static final String FACILITIES = "SELECT sf_type FROM special_facility WHERE s_id = ?";
    private static final String INSERT = "INSERT INTO call_forwarding VALUES (?, ?, ?, ?, ?)";
    private static final String DELETE =
            "DELETE FROM call_forwarding WHERE s_id = ? AND sf_type = ? AND start_time = ?";
    private static final String DUPLICATE = "23505";
    private static final String NO_PARENT = "23503";

    private final int subscribers;

    PgTatp(int subscribers) {
        this.subscribers = subscribers;
    }

    @Override
    public String name() {
        return "tatp";
    }

    private static String numbered(String prefix, String type) {
        StringBuilder columns = new StringBuilder();
        for (int i = 1; i <= NUMBERED; i++) {
            columns.append(", ").append(prefix).append(i).append(' ').append(type);
        }
        return columns.toString();
    }

    @Override
    public List<String> tables(boolean postgres) {
        List<String> tables = new ArrayList<>(List.of(
                "CREATE TABLE subscriber (s_id INTEGER NOT NULL PRIMARY KEY, sub_nbr VARCHAR(15) NOT NULL"
                        + numbered("bit_", "SMALLINT") + numbered("hex_", "SMALLINT") + numbered("byte2_", "SMALLINT")
                        + ", msc_location INTEGER, vlr_location INTEGER)",
                "CREATE INDEX subscriber_by_number ON subscriber (sub_nbr)",
                "CREATE TABLE access_info (s_id INTEGER NOT NULL, ai_type SMALLINT NOT NULL, data1 SMALLINT, data2 SMALLINT,"
                        + " data3 VARCHAR(3), data4 VARCHAR(5), PRIMARY KEY (s_id, ai_type))",
                "CREATE TABLE special_facility (s_id INTEGER NOT NULL, sf_type SMALLINT NOT NULL, is_active SMALLINT NOT NULL,"
                        + " error_cntrl SMALLINT, data_a SMALLINT, data_b VARCHAR(5), PRIMARY KEY (s_id, sf_type))",
                "CREATE TABLE call_forwarding (s_id INTEGER NOT NULL, sf_type SMALLINT NOT NULL, start_time SMALLINT NOT NULL,"
                        + " end_time SMALLINT, numberx VARCHAR(15), PRIMARY KEY (s_id, sf_type, start_time),"
                        + " FOREIGN KEY (s_id, sf_type) REFERENCES special_facility (s_id, sf_type))"));
        if (!postgres) {
            for (String table : List.of("subscriber", "access_info", "special_facility", "call_forwarding")) {
                tables.add("PARTITION TABLE " + table + " ON COLUMN s_id");
            }
        }
        return tables;
    }

    private static String number(int subscriber) {
        return "%015d".formatted(subscriber);
    }

    @Override
    public void load(Connection connection) throws SQLException, IOException {
        SplittableRandom random = new SplittableRandom(1);
        try (RowsIn rows = new RowsIn(connection, "subscriber")) {
            for (int id = 1; id <= subscribers; id++) {
                Object[] row = new Object[2 + 3 * NUMBERED + 2];
                row[0] = id;
                row[1] = number(id);
                for (int i = 2; i < row.length - 2; i++) {
                    row[i] = random.nextInt(i < 2 + NUMBERED ? 2 : i < 2 + 2 * NUMBERED ? 16 : 256);
                }
                row[row.length - 2] = random.nextInt(LOCATIONS);
                row[row.length - 1] = random.nextInt(LOCATIONS);
                rows.add(row);
            }
        }
        try (RowsIn rows = new RowsIn(connection, "access_info")) {
            for (int id = 1; id <= subscribers; id++) {
                for (int type = 1; type <= 1 + id % 4; type++) {
                    rows.add(id, type, random.nextInt(256), random.nextInt(256), "ABC", "DEFGH");
                }
            }
        }
        try (RowsIn rows = new RowsIn(connection, "special_facility")) {
            for (int id = 1; id <= subscribers; id++) {
                for (int type = 1; type <= 1 + id % 4; type++) {
                    int active = random.nextInt(100) < 85 ? 1 : 0;
                    rows.add(id, type, active, random.nextInt(256), random.nextInt(256), "DEFGH");
                }
            }
        }
        try (RowsIn rows = new RowsIn(connection, "call_forwarding")) {
            for (int id = 1; id <= subscribers; id++) {
                for (int type = 1; type <= 1 + id % 4; type++) {
                    for (int time = 0; time < 24; time += 8) {
                        if (random.nextBoolean()) {
                            rows.add(id, type, time, time + 1 + random.nextInt(8), number(id));
                        }
                    }
                }
            }
        }
    }

    @Override
    public PgTerminal terminal(Statements statements, int number) {
        return new Terminal(statements, number);
    }

    private final class Terminal extends PgTerminal {
        private int kind;
        private int id;
        private short type;
        private short start;
        private short end;
        private int value;

        Terminal(Statements db, int number) {
            super(db, number);
        }

        @Override
        void choose() {
            kind = random.nextInt(100);
            id = (random.nextInt(65_536) | 1 + random.nextInt(subscribers)) % subscribers + 1;
            type = (short) (1 + random.nextInt(4));
            start = (short) (8 * random.nextInt(3));
            end = (short) (1 + random.nextInt(24));
            value = random.nextInt(256);
        }

        @Override
        boolean transaction() throws SQLException {
            if (kind < 35) {
                return db.query(SUBSCRIBER, id).next();
            } else if (kind < 45) {
                return drained(db.query(DESTINATION, id, type, start, end));
            } else if (kind < 80) {
                return drained(db.query(ACCESS, id, type));
            } else if (kind < 82) {
                db.update(SET_BIT, (short) (value & 1), id);
                return db.update(SET_DATA, (short) value, id, type) == 1;
            } else if (kind < 96) {
                return db.update(MOVE, value, db.one(BY_NUMBER, number(id)).getInt(1)) == 1;
            } else if (kind < 98) {
                return insert(db.one(BY_NUMBER, number(id)).getInt(1));
            }
            return db.update(DELETE, db.one(BY_NUMBER, number(id)).getInt(1), type, start) == 1;
        }

        private static boolean drained(ResultSet rows) throws SQLException {
            while (rows.next()) {
                rows.getString(1);
            }
            return true;
        }

        private boolean insert(int subscriber) throws SQLException {
            drained(db.query(FACILITIES, subscriber));
            try {
                return db.update(INSERT, subscriber, type, start, end, number(subscriber)) == 1;
            } catch (SQLException e) {
                if (DUPLICATE.equals(e.getSQLState()) || NO_PARENT.equals(e.getSQLState())) {
                    return false;
                }
                throw e;
            }
        }
    }

    @Override
    public void check(Connection connection) throws SQLException {
        Statements db = new Statements(connection);
        long rows = db.one("SELECT COUNT(*) FROM subscriber").getLong(1);
        if (rows != subscribers) {
            throw new IllegalStateException(rows + " subscribers are there, not " + subscribers);
        }
        long lost = db.one("SELECT COUNT(*) FROM call_forwarding cf WHERE NOT EXISTS (SELECT 1 FROM special_facility sf"
                        + " WHERE sf.s_id = cf.s_id AND sf.sf_type = cf.sf_type)")
                .getLong(1);
        if (lost != 0) {
            throw new IllegalStateException(lost + " forwardings have no facility");
        }
    }
}
