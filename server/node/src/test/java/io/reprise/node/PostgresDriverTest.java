package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Options;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.BatchUpdateException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** The PostgreSQL port by pgjdbc, the driver that most programs use. */
final class PostgresDriverTest {
    private PostgresServer server;

    @BeforeEach
    void open() {
        server = PostgresServer.open(Options.create().partitions(2).ddl("""
                        CREATE TABLE account (id BIGINT NOT NULL, owner VARCHAR(20), balance DECIMAL(12,2), PRIMARY KEY (id));
                        PARTITION TABLE account ON COLUMN id;
                        CREATE TABLE thing (id INTEGER NOT NULL, flag BOOLEAN, small SMALLINT, d DOUBLE, t TIMESTAMP, on_day DATE,
                            b VARBINARY(20), s VARCHAR(100), n DECIMAL(18,6), PRIMARY KEY (id));
                        CREATE PROCEDURE AllOwners AS SELECT id, owner FROM account ORDER BY id;
                        CREATE PROCEDURE PARTITION ON TABLE account COLUMN id FROM CLASS io.reprise.node.PostgresDriverTest$Deposit;
                        """));
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** Adds to a balance. */
    public static final class Deposit extends io.reprise.procedure.Procedure {
        private final io.reprise.procedure.Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

        /** Gives the number of changed rows. */
        public long run(long id, BigDecimal amount) {
            return add.set(0, amount).set(1, id).update();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended", "extendedForPrepared", "extendedCacheEverything"})
    void shouldWriteAndReadInEachQueryMode(String mode) throws SQLException {
        try (Connection connection = server.connect("preferQueryMode=" + mode);
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("INSERT INTO account VALUES (1, 'Ann', 12.50), (2, 'Bob', 0)"))
                    .isEqualTo(2);
            try (PreparedStatement query =
                    connection.prepareStatement("SELECT owner, balance FROM account WHERE id = ?")) {
                for (int round = 0; round < 8; round++) {
                    query.setLong(1, 1);
                    try (ResultSet rows = query.executeQuery()) {
                        assertThat(rows.next()).isTrue();
                        assertThat(rows.getString("owner")).isEqualTo("Ann");
                        assertThat(rows.getBigDecimal("balance")).isEqualTo(new BigDecimal("12.50"));
                        assertThat(rows.next()).isFalse();
                    }
                }
            }
            assertThat(statement.executeUpdate("DELETE FROM account")).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"binaryTransfer=true&prepareThreshold=-1", "binaryTransfer=false"})
    void shouldPassUuidsMomentsAndJson(String transfer) throws SQLException {
        UUID id = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
        OffsetDateTime moment = OffsetDateTime.parse("2026-01-31T12:00:00.5+02:00");
        try (Connection connection = server.connect(transfer);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE kinds (id UUID PRIMARY KEY, t TIMESTAMP WITH TIME ZONE, r REAL, j JSON, b JSONB)");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO kinds VALUES (?, ?, ?, ?, ?)")) {
                insert.setObject(1, id);
                insert.setObject(2, moment);
                insert.setFloat(3, 0.1f);
                insert.setObject(4, "{\"a\": 1}", Types.OTHER);
                insert.setObject(5, "[1, 2]", Types.OTHER);
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }

            try (PreparedStatement query = connection.prepareStatement("SELECT * FROM kinds WHERE id = ? AND t <= ?")) {
                query.setObject(1, id);
                query.setObject(2, moment);
                for (int round = 0; round < 3; round++) {
                    try (ResultSet rows = query.executeQuery()) {
                        assertThat(rows.next()).isTrue();
                        assertThat(rows.getObject("id", UUID.class)).isEqualTo(id);
                        assertThat(rows.getObject("t", OffsetDateTime.class).toInstant())
                                .isEqualTo(moment.toInstant());
                        assertThat(rows.getFloat("r")).isEqualTo(0.1f);
                        assertThat(rows.getString("j")).isEqualTo("{\"a\": 1}");
                        assertThat(rows.getString("b")).isEqualTo("[1, 2]");
                        assertThat(rows.getMetaData().getColumnTypeName(1)).isEqualTo("uuid");
                        assertThat(rows.getMetaData().getColumnTypeName(2)).isEqualTo("timestamptz");
                        assertThat(rows.getMetaData().getColumnTypeName(3)).isEqualTo("float4");
                    }
                }
            }
            assertThat(rows(
                            statement,
                            "SELECT CAST(t AS TEXT), r FROM kinds WHERE id = '123E4567-e89b-12d3-a456-426614174000'"))
                    .containsExactly("2026-01-31 10:00:00.500000+00 0.1");
            assertThat(rows(statement, "SELECT j->'a', b->>1, j ->> 'a' = '1' FROM kinds WHERE j->>'a' = '1'"))
                    .containsExactly("1 2 t");
            assertState(statement, "INSERT INTO kinds (id, j) VALUES ('" + UUID.randomUUID() + "', '{a}')", "22P02");
            assertState(statement, "INSERT INTO kinds (id) VALUES ('nothing')", "22P02");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"binaryTransfer=true&prepareThreshold=-1", "binaryTransfer=false"})
    void shouldPassTimesOfDay(String transfer) throws SQLException {
        LocalTime at = LocalTime.parse("23:59:58.000123");
        try (Connection connection = server.connect(transfer);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE shift (id INTEGER PRIMARY KEY, at TIME NOT NULL, until TIME(0) DEFAULT '17:30')");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO shift (id, at) VALUES (?, ?)")) {
                insert.setInt(1, 1);
                insert.setObject(2, at);
                assertThat(insert.executeUpdate()).isEqualTo(1);
                insert.setInt(1, 2);
                insert.setTime(2, java.sql.Time.valueOf("01:02:03"));
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
            assertState(statement, "INSERT INTO shift VALUES (3, '25:00')", "22P02");

            try (PreparedStatement query =
                    connection.prepareStatement("SELECT at, until FROM shift WHERE at >= ? ORDER BY id")) {
                for (int round = 0; round < 3; round++) {
                    query.setObject(1, at);
                    try (ResultSet rows = query.executeQuery()) {
                        assertThat(rows.next()).isTrue();
                        assertThat(rows.getObject(1, LocalTime.class)).isEqualTo(at);
                        assertThat(rows.getObject(2, LocalTime.class)).isEqualTo(LocalTime.of(17, 30));
                        assertThat(rows.getMetaData().getColumnTypeName(1)).isEqualTo("time");
                        assertThat(rows.next()).isFalse();
                    }
                }
            }
            assertThat(rows(statement, "SELECT at, until FROM shift WHERE id = 1"))
                    .containsExactly("23:59:58.000123 17:30:00");
            try (ResultSet columns = connection.getMetaData().getColumns(null, null, "shift", "at")) {
                assertThat(columns.next()).isTrue();
                assertThat(columns.getInt("DATA_TYPE")).isEqualTo(Types.TIME);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"binaryTransfer=true&prepareThreshold=-1", "binaryTransfer=false"})
    void shouldPassDecimalsOf38Digits(String transfer) throws SQLException {
        BigDecimal large = new BigDecimal("-12345678901234567890123456789012.345678");
        try (Connection connection = server.connect(transfer);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE amount (id INTEGER PRIMARY KEY, n NUMERIC(38,6), w NUMERIC(19,4) NOT NULL, l NUMERIC(36,2)[])");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO amount VALUES (?, ?, ?, ?)")) {
                for (int id = 1; id <= 3; id++) {
                    insert.setInt(1, id);
                    insert.setBigDecimal(2, id == 3 ? null : large.add(BigDecimal.valueOf(id - 1)));
                    insert.setBigDecimal(3, new BigDecimal("-999999999999999.99994"));
                    insert.setArray(4, connection.createArrayOf("numeric", new Object[] {large, null}));
                    assertThat(insert.executeUpdate()).isEqualTo(1);
                }
            }
            for (int round = 0; round < 3; round++) {
                try (PreparedStatement query =
                        connection.prepareStatement("SELECT n, w, l, n * 2 FROM amount WHERE n = ? OR w > ?")) {
                    query.setBigDecimal(1, large);
                    query.setLong(2, Long.MAX_VALUE);
                    try (ResultSet rows = query.executeQuery()) {
                        assertThat(rows.next()).isTrue();
                        assertThat(rows.getBigDecimal(1)).isEqualTo(large);
                        assertThat(rows.getObject(2)).isEqualTo(new BigDecimal("-999999999999999.9999"));
                        assertThat((Object[]) rows.getArray(3).getArray())
                                .containsExactly(large.setScale(2, RoundingMode.HALF_UP), null);
                        assertThat(rows.getBigDecimal(4)).isEqualTo(large.multiply(BigDecimal.TWO));
                        assertThat(rows.getMetaData().getColumnType(1)).isEqualTo(Types.NUMERIC);
                        assertThat(rows.getMetaData().getPrecision(1)).isEqualTo(38);
                        assertThat(rows.getMetaData().getScale(1)).isEqualTo(6);
                        assertThat(rows.next()).isFalse();
                    }
                }
            }
            assertThat(rows(statement, "SELECT id FROM amount WHERE n > -12345678901234567890123456789012 ORDER BY id"))
                    .containsExactly("2");
            assertThat(rows(statement, "SELECT SUM(w), COUNT(DISTINCT n), 18446744073709551616 FROM amount"))
                    .containsExactly("-2999999999999999.9997 2 18446744073709551616");
            assertState(statement, "INSERT INTO amount VALUES (4, 1e33, 0)", "22003");
            assertState(statement, "INSERT INTO amount VALUES (4, '1000000000000000000000000000000000', 0)", "22003");
            assertState(statement, "INSERT INTO amount VALUES (4, 'x', 0)", "22P02");
            assertState(statement, "SELECT n * 10000000 FROM amount", "22003");
            statement.execute("INSERT INTO amount VALUES (5, '12345678901234567890.5', 1)");
            assertThat(rows(
                            statement,
                            "SELECT data_type, numeric_precision, numeric_scale FROM information_schema.columns"
                                    + " WHERE table_name = 'amount' AND column_name = 'n'"))
                    .containsExactly("numeric 38 6");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"binaryTransfer=true&prepareThreshold=-1", "binaryTransfer=false"})
    void shouldPassArrays(String transfer) throws SQLException {
        try (Connection connection = server.connect(transfer);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE list (id INTEGER PRIMARY KEY, n INTEGER[] NOT NULL, big BIGINT[], s TEXT[],"
                    + " d NUMERIC(10,2)[], f FLOAT8[], r REAL[], b BOOLEAN[], at TIMESTAMP[], w DATE[], k TIME[], u UUID[],"
                    + " z TIMESTAMPTZ[], y BYTEA[])");
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO list (id, n, big, s, d, f, b) VALUES (?, ?, ?, ?, ?, ?, ?)")) {
                for (int id = 1; id <= 3; id++) {
                    insert.setInt(1, id);
                    insert.setArray(2, connection.createArrayOf("int4", new Object[] {id, null, -id}));
                    insert.setArray(3, connection.createArrayOf("int8", new Object[] {Long.MAX_VALUE, (long) id}));
                    insert.setArray(
                            4, connection.createArrayOf("text", new Object[] {"a,b", "NULL", null, "\"\\", ""}));
                    insert.setArray(5, connection.createArrayOf("numeric", new Object[] {new BigDecimal("1.25")}));
                    insert.setArray(6, connection.createArrayOf("float8", new Object[] {0.5, -1e20}));
                    insert.setArray(7, connection.createArrayOf("bool", new Object[] {true, false}));
                    assertThat(insert.executeUpdate()).isEqualTo(1);
                }
            }
            statement.execute(
                    "INSERT INTO list VALUES (4, '{}', NULL, ARRAY['x'], '{0.005}', '{10,0.1}', '{1.5}', '{t,no}',"
                            + " '{2024-02-29 12:00:00.5,NULL}', '{1999-12-31}', '{23:59}', '{123e4567-e89b-12d3-a456-426614174000}',"
                            + " '{2024-01-01 00:00:00+02}', '{\"\\\\x00ff\"}')");

            for (int round = 0; round < 3; round++) {
                try (PreparedStatement query =
                        connection.prepareStatement("SELECT n, big, s, d, f, b FROM list WHERE n = ?")) {
                    query.setArray(1, connection.createArrayOf("int4", new Object[] {2, null, -2}));
                    try (ResultSet rows = query.executeQuery()) {
                        assertThat(rows.next()).isTrue();
                        assertThat((Object[]) rows.getArray(1).getArray()).containsExactly(2, null, -2);
                        assertThat((Object[]) rows.getArray(2).getArray()).containsExactly(Long.MAX_VALUE, 2L);
                        assertThat((Object[]) rows.getArray(3).getArray())
                                .containsExactly("a,b", "NULL", null, "\"\\", "");
                        assertThat((Object[]) rows.getArray(4).getArray()).containsExactly(new BigDecimal("1.25"));
                        assertThat((Object[]) rows.getArray(5).getArray()).containsExactly(0.5, -1e20);
                        assertThat((Object[]) rows.getArray(6).getArray()).containsExactly(true, false);
                        assertThat(rows.getMetaData().getColumnTypeName(1)).isEqualTo("_int4");
                        assertThat(rows.getMetaData().getColumnType(1)).isEqualTo(Types.ARRAY);
                        assertThat(rows.next()).isFalse();
                    }
                }
            }
            if (transfer.endsWith("=false")) {
                // Of arrays in binary form the driver makes texts of its own.
                assertThat(rows(statement, "SELECT n, s, d, f, r, b, at, w, k, u, z, y FROM list WHERE id = 4"))
                        .containsExactly(
                                "{} {x} {0.01} {10,0.1} {1.5} {t,f} {\"2024-02-29 12:00:00.5\",NULL} {1999-12-31}"
                                        + " {23:59:00} {123e4567-e89b-12d3-a456-426614174000} {\"2023-12-31 22:00:00+00\"}"
                                        + " {\"\\\\x00ff\"}");
            }
            assertThat(rows(statement, "SELECT id, n[1] FROM list WHERE n[1] = ANY ('{1,3}'::int[]) ORDER BY id"))
                    .containsExactly("1 1", "3 3");
            assertThat(rows(statement, "SELECT DISTINCT unnest(s) AS e FROM list WHERE id < 4 ORDER BY e NULLS FIRST"))
                    .hasSize(5);
            assertState(statement, "INSERT INTO list VALUES (5, '{1')", "22P02");
            assertState(statement, "INSERT INTO list VALUES (5, '{x}')", "22P02");
            try (ResultSet columns = connection.getMetaData().getColumns(null, null, "list", "n")) {
                assertThat(columns.next()).isTrue();
                assertThat(columns.getInt("DATA_TYPE")).isEqualTo(Types.ARRAY);
                assertThat(columns.getString("TYPE_NAME")).isEqualTo("_int4");
            }
            assertThat(rows(
                            statement,
                            "SELECT data_type, udt_name FROM information_schema.columns"
                                    + " WHERE table_name = 'list' AND column_name = 's'"))
                    .containsExactly("ARRAY _text");
        }
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = ';', textBlock = """
            '{0.1,10,1e20,-0.00001}'::real[]              ; {0.1,10,1e+20,-1e-05}
            '{0.1,10,1e14,1e15}'::float8[]                ; {0.1,10,100000000000000,1e+15}
            '{1.50,NULL,-0.05}'::numeric(10,2)[]          ; {1.50,NULL,-0.05}
            '{2024-02-29 12:00:00.5}'::timestamp[]        ; {"2024-02-29 12:00:00.5"}
            '{1969-12-31 23:59:59.99999}'::timestamp[]    ; {"1969-12-31 23:59:59.99999"}
            '{2024-02-29 12:00:00+02}'::timestamptz[]     ; {"2024-02-29 10:00:00+00"}
            '{12:00,00:00:00.000001,23:59:59.25}'::time[] ; {12:00:00,00:00:00.000001,23:59:59.25}
            '{1999-12-31}'::date[]                        ; {1999-12-31}
            '{true,f}'::bool[]                            ; {t,f}
            '{\\\\x00ff}'::bytea[]                          ; {"\\\\x00ff"}
            """)
    void shouldCastArraysToTheTextThatClientsGet(String array, String text) throws SQLException {
        try (Connection connection = server.connect("binaryTransfer=false");
                Statement statement = connection.createStatement()) {
            assertThat(rows(statement, "SELECT " + array)).containsExactly(text);
            assertThat(rows(statement, "SELECT CAST(" + array + " AS TEXT)")).containsExactly(text);
            assertThat(rows(statement, "SELECT ARRAY_TO_STRING(" + array + ", ',', 'NULL')"))
                    .containsExactly(text.replaceAll("[{}\"]", "").replace("\\\\", "\\"));
        }
    }

    @Test
    void shouldMakeATableFromAQuery() throws SQLException {
        try (Connection connection = server.connect("");
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO account VALUES (1, 'Ann', 12.50), (2, 'Bob', 0)");

            statement.execute(
                    "CREATE TABLE public.rich AS SELECT id, owner, balance * 2 AS twice FROM account WHERE balance > 1");
            statement.execute("CREATE TABLE numbers (n) AS SELECT generate_series(1, 100)");

            assertThat(rows(statement, "SELECT * FROM rich")).containsExactly("1 Ann 25.00");
            assertThat(rows(statement, "SELECT count(*), sum(n) FROM numbers")).containsExactly("100 5050");
            assertThat(rows(statement, "SELECT g FROM generate_series(3, 1, -2) AS g ORDER BY g"))
                    .containsExactly("1", "3");
        }
    }

    @Test
    void shouldNumberRowsAndOrderKeysAsPostgresDoes() throws SQLException {
        try (Connection connection = server.connect("");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE made (id INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, s TEXT)");
            statement.execute("CREATE TABLE other (s TEXT, k BIGINT, CONSTRAINT other_key PRIMARY KEY (k))");
            statement.execute("INSERT INTO made (s) VALUES ('a'), ('b')");

            assertState(statement, "INSERT INTO made VALUES (7, 'c')", "428C9");
            statement.execute("INSERT INTO made OVERRIDING SYSTEM VALUE VALUES (7, 'c')");
            assertThat(rows(statement, "SELECT id FROM made ORDER BY id")).containsExactly("1", "2", "7");
            assertThat(rows(statement, "EXPLAIN SELECT s FROM made WHERE id > 1 AND id < 7")
                            .toString())
                    .contains("range MADE by MADE_PK");
            assertThat(rows(statement, "EXPLAIN SELECT s FROM other WHERE k > 1")
                            .toString())
                    .contains("range OTHER by OTHER_KEY");
            assertState(statement, "SELECT * FROM made WHERE id = TRUE", "42883");
            assertState(statement, "SELECT 'a' ~ '('", "2201B");
            assertThat(rows(statement, "SELECT s ~ '^[ab]$', row_number() OVER (ORDER BY s DESC) FROM made ORDER BY s"))
                    .containsExactly("t 3", "t 2", "f 1");
        }
    }

    private static void assertState(Statement statement, String sql, String state) {
        assertThatThrownBy(() -> statement.execute(sql))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        failure -> assertThat(failure.getSQLState()).isEqualTo(state));
    }

    private static List<String> rows(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    values.add(rows.getString(i));
                }
                found.add(String.join(" ", values));
            }
            return found;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"binaryTransfer=true&prepareThreshold=-1", "binaryTransfer=false"})
    void shouldPassValuesOfAllTypes(String transfer) throws SQLException {
        try (Connection connection = server.connect(transfer)) {
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO thing (id, flag, small, d, t, on_day, b, s, n) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
                insert.setInt(1, 7);
                insert.setBoolean(2, true);
                insert.setShort(3, (short) -3);
                insert.setDouble(4, 1.5e300);
                insert.setTimestamp(5, Timestamp.valueOf("1999-12-31 23:59:59.123456"));
                insert.setDate(6, Date.valueOf("2024-02-29"));
                insert.setBytes(7, new byte[] {0, -1, 39, 92});
                insert.setString(8, "It's \u20ac \\ \"quoted\"");
                insert.setBigDecimal(9, new BigDecimal("-1234567.000001"));
                assertThat(insert.executeUpdate()).isEqualTo(1);
                insert.setInt(1, 8);
                for (int i = 2; i <= 9; i++) {
                    insert.setObject(i, null);
                }
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
            try (PreparedStatement query = connection.prepareStatement("SELECT * FROM thing ORDER BY id");
                    ResultSet rows = query.executeQuery()) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt("id")).isEqualTo(7);
                assertThat(rows.getBoolean("flag")).isTrue();
                assertThat(rows.getShort("small")).isEqualTo((short) -3);
                assertThat(rows.getDouble("d")).isEqualTo(1.5e300);
                assertThat(rows.getTimestamp("t")).isEqualTo(Timestamp.valueOf("1999-12-31 23:59:59.123456"));
                assertThat(rows.getDate("on_day")).isEqualTo(Date.valueOf("2024-02-29"));
                assertThat(rows.getBytes("b")).containsExactly(0, -1, 39, 92);
                assertThat(rows.getString("s")).isEqualTo("It's \u20ac \\ \"quoted\"");
                assertThat(rows.getBigDecimal("n")).isEqualByComparingTo("-1234567.000001");
                assertThat(rows.next()).isTrue();
                for (int i = 2; i <= 9; i++) {
                    assertThat(rows.getObject(i)).isNull();
                }
            }
        }
    }

    @Test
    void shouldTellTypesOfColumnsAndParameters() throws SQLException {
        try (Connection connection = server.connect();
                PreparedStatement query = connection.prepareStatement(
                        "SELECT id, owner AS \"Owner\", balance, 1 + 1 FROM account WHERE id = ?")) {
            ResultSetMetaData columns = query.getMetaData();

            assertThat(columns.getColumnLabel(1)).isEqualTo("id");
            assertThat(columns.getColumnTypeName(1)).isEqualTo("int8");
            assertThat(columns.getColumnLabel(2)).isEqualTo("Owner");
            assertThat(columns.getPrecision(2)).isEqualTo(20);
            assertThat(columns.getPrecision(3)).isEqualTo(12);
            assertThat(columns.getScale(3)).isEqualTo(2);
            assertThat(columns.getColumnLabel(4)).isEqualTo("?column?");
            assertThat(query.getParameterMetaData().getParameterTypeName(1)).isEqualTo("int8");
        }
    }

    @Test
    void shouldCastParametersAsForAnAssignment() throws SQLException {
        try (Connection connection = server.connect();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO account VALUES (?, ?, ?)")) {
            insert.setInt(1, 1);
            insert.setInt(2, 5);
            insert.setDouble(3, 0.1 + 0.2);
            insert.executeUpdate();

            assertThat(one(connection, "SELECT owner || ':' || CAST(balance AS VARCHAR(20)) FROM account"))
                    .isEqualTo("5:0.30");
        }
    }

    @Test
    void shouldRunABatchAsOneTransaction() throws SQLException {
        try (Connection connection = server.connect();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO account VALUES (?, 'x', 0)")) {
            for (int i = 0; i < 100; i++) {
                insert.setInt(1, i);
                insert.addBatch();
            }
            assertThat(insert.executeBatch()).hasSize(100).containsOnly(1);
            insert.setInt(1, 1000);
            insert.addBatch();
            insert.setInt(1, 5);
            insert.addBatch();

            assertThatThrownBy(insert::executeBatch)
                    .isInstanceOf(BatchUpdateException.class)
                    .satisfies(e -> assertThat(((SQLException) e).getSQLState()).isEqualTo("23505"));
            assertThat(one(connection, "SELECT COUNT(*) FROM account")).isEqualTo("100");
        }
    }

    @Test
    void shouldRunRewrittenBatches() throws SQLException {
        try (Connection connection = server.connect("reWriteBatchedInserts=true");
                PreparedStatement insert = connection.prepareStatement("INSERT INTO account VALUES (?, ?, ?)")) {
            for (int i = 0; i < 50; i++) {
                insert.setInt(1, i);
                insert.setString(2, "owner " + i);
                insert.setBigDecimal(3, BigDecimal.valueOf(i));
                insert.addBatch();
            }
            insert.executeBatch();

            assertThat(one(connection, "SELECT SUM(balance) FROM account")).isEqualTo("1225.00");
        }
    }

    @Test
    void shouldFetchRowsInPieces() throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < 25; i++) {
                statement.executeUpdate("INSERT INTO account VALUES (" + i + ", 'x', 0)");
            }
            connection.setAutoCommit(false);
            statement.setFetchSize(10);
            List<Long> ids = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("SELECT id FROM account ORDER BY id")) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                }
            }
            connection.commit();

            assertThat(ids).hasSize(25).isSorted();
        }
    }

    @Test
    void shouldCallProcedures() throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO account VALUES (1, 'Ann', 10), (2, 'Bob', 20)");
            try (PreparedStatement call = connection.prepareStatement("CALL Deposit(?, ?)")) {
                call.setLong(1, 1);
                call.setBigDecimal(2, new BigDecimal("2.50"));
                try (ResultSet rows = call.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getLong("deposit")).isEqualTo(1);
                }
            }
            try (CallableStatement call = connection.prepareCall("{? = call Deposit(?, ?)}")) {
                call.registerOutParameter(1, java.sql.Types.BIGINT);
                call.setLong(2, 2);
                call.setBigDecimal(3, BigDecimal.ONE);
                call.execute();
                assertThat(call.getLong(1)).isEqualTo(1);
            }
            try (ResultSet rows = statement.executeQuery("CALL AllOwners()")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString("owner")).isEqualTo("Ann");
            }
            assertThat(one(connection, "SELECT balance FROM account WHERE id = 1"))
                    .isEqualTo("12.50");
            assertThat(one(connection, "SELECT balance FROM account WHERE id = 2"))
                    .isEqualTo("21.00");
        }
    }

    @Test
    void shouldReportErrorsWithStateAndPosition() throws SQLException {
        try (Connection connection = server.connect()) {
            one(connection, "SELECT 1");
            assertState(connection, "SELECT * FROM nowhere", "42P01");
            assertState(connection, "SELECT nothing FROM account", "42703");
            assertState(connection, "SELEC 1", "42601");
            assertState(connection, "SELECT 1 +", "42601");
            update(connection, "INSERT INTO account VALUES (1, 'Ann', 1)");
            assertState(connection, "INSERT INTO account VALUES (1, 'Ann', 1)", "23505");
            assertState(connection, "INSERT INTO account VALUES (NULL, 'Ann', 1)", "23502");
            assertState(connection, "SELECT id / 0 FROM account", "22012");
            assertState(connection, "SELECT CAST(owner AS INTEGER) FROM account", "22P02");
            assertState(connection, "UPDATE account SET balance = 99999999999999", "22003");
            assertState(connection, "INSERT INTO account VALUES (2, 'a name that is far too long', 1)", "22001");
            assertState(connection, "CREATE TABLE account (id INTEGER)", "42P07");
            assertState(connection, "DROP TABLE nowhere", "42P01");
            assertState(connection, "CALL nothing()", "42883");
            assertState(connection, "SET no_such_setting = 1", "42704");
        }
    }

    @Test
    void shouldPointAtTheWrongWord() throws SQLException {
        try (Connection connection = server.connect()) {
            assertThatThrownBy(() -> one(connection, "SELECT id, /* a comment */ nothing FROM account"))
                    .isInstanceOfSatisfying(PSQLException.class, e -> {
                        ServerErrorMessage message = e.getServerErrorMessage();
                        assertThat(message).isNotNull();
                        assertThat(message.getPosition()).isEqualTo(28);
                    });
        }
    }

    @Test
    void shouldAnswerQuestionsAboutTheSession() throws SQLException {
        try (Connection connection = server.connect("ApplicationName=a-test")) {
            assertThat(one(connection, "SELECT version()")).startsWith("PostgreSQL 16");
            assertThat(one(connection, "SELECT current_database()")).isEqualTo("bank");
            assertThat(one(connection, "SELECT current_user")).isEqualTo("ann");
            assertThat(one(connection, "SHOW application_name")).isEqualTo("a-test");
            update(connection, "SET application_name TO 'another'");
            assertThat(one(connection, "SHOW application_name")).isEqualTo("another");
            assertThat(connection.getClientInfo("ApplicationName")).isEqualTo("another");
            update(connection, "RESET application_name");
            assertThat(one(connection, "SHOW application_name")).isEmpty();
            assertThat(connection.isValid(5)).isTrue();
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    @Test
    void shouldFoldNamesToLowerCase() throws SQLException {
        try (Connection connection = server.connect()) {
            update(
                    connection,
                    "CREATE TABLE \"folded\" (\"a\" INTEGER NOT NULL, \"Mixed\" INTEGER, PRIMARY KEY (\"a\"))");
            update(connection, "INSERT INTO Folded (A, \"Mixed\") VALUES (1, 2)");

            assertThat(one(connection, "SELECT \"a\" FROM public.folded")).isEqualTo("1");
            assertThat(one(connection, "SELECT \"Mixed\" FROM \"public\".\"folded\""))
                    .isEqualTo("2");
        }
    }

    @Test
    void shouldPrepareAgainWhenTheSchemaHasChanged() throws SQLException {
        try (Connection connection = server.connect("prepareThreshold=1");
                PreparedStatement query = connection.prepareStatement("SELECT owner FROM account")) {
            query.executeQuery().close();
            update(connection, "CREATE INDEX by_owner ON account (owner)");
            query.executeQuery().close();
            assertThat(one(connection, "SELECT COUNT(*) FROM account")).isEqualTo("0");
        }
    }

    static void assertState(Connection connection, String sql, String state) {
        assertThatThrownBy(() -> {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute(sql);
                    }
                })
                .as(sql)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo(state));
    }

    static int update(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    /** The first value of a query. */
    static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).as(sql).isTrue();
            return rows.getString(1);
        }
    }
}
