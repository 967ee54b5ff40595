package io.reprise.node;

import static io.reprise.node.PostgresDriverTest.one;
import static io.reprise.node.PostgresDriverTest.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Options;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** COPY in all forms, by the manager of pgjdbc. */
final class PostgresCopyTest {
    private static PostgresServer server;

    @BeforeAll
    static void open() throws SQLException {
        server = PostgresServer.open(Options.create().partitions(2));
        try (Connection connection = server.connect()) {
            update(
                    connection,
                    "CREATE TABLE c (id INTEGER PRIMARY KEY, name VARCHAR(40), amount DECIMAL(12,2), made TIMESTAMP, "
                            + "ok BOOLEAN, bytes VARBINARY(20), rate DOUBLE PRECISION, born DATE, big BIGINT NOT NULL)");
            update(connection, "PARTITION TABLE c ON COLUMN id");
            update(connection, "CREATE TABLE few (id INTEGER PRIMARY KEY, name VARCHAR(40))");
        }
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @BeforeEach
    void empty() throws SQLException {
        try (Connection connection = server.connect()) {
            update(connection, "DELETE FROM c");
            update(connection, "DELETE FROM few");
        }
    }

    private static CopyManager manager(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getCopyAPI();
    }

    private static long copyIn(Connection connection, String sql, String data) throws SQLException, IOException {
        return manager(connection).copyIn(sql, new StringReader(data));
    }

    private static String copyOut(Connection connection, String sql) throws SQLException, IOException {
        StringWriter out = new StringWriter();
        manager(connection).copyOut(sql, out);
        return out.toString();
    }

    private static final String ROWS = """
            1\tann\t10.50\t2026-01-02 03:04:05.5\tt\t\\\\x0aff\t1.5\t2026-01-02\t7
            2\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t-8
            3\ttab\\tand \\\\ back\t0.00\t2000-01-01 00:00:00\tf\t\\\\x\t-1e+30\t1999-12-31\t9223372036854775807
            """;

    @Test
    void shouldCopyAllTypesInAndOutAsText() throws Exception {
        try (Connection connection = server.connect()) {
            assertThat(copyIn(connection, "COPY c FROM STDIN", ROWS)).isEqualTo(3);

            assertThat(copyOut(connection, "COPY (SELECT * FROM c ORDER BY id) TO STDOUT"))
                    .isEqualTo(ROWS);
            assertThat(one(connection, "SELECT name FROM c WHERE id = 3")).isEqualTo("tab\tand \\ back");
        }
    }

    @Test
    void shouldCopyBinaryDataBackIn() throws Exception {
        try (Connection connection = server.connect()) {
            copyIn(connection, "COPY c FROM STDIN", ROWS);
            ByteArrayOutputStream data = new ByteArrayOutputStream();
            manager(connection).copyOut("COPY c TO STDOUT (FORMAT binary)", data);
            update(connection, "DELETE FROM c");

            long rows = manager(connection)
                    .copyIn("COPY c FROM STDIN WITH BINARY", new ByteArrayInputStream(data.toByteArray()));

            assertThat(rows).isEqualTo(3);
            assertThat(copyOut(connection, "COPY (SELECT * FROM c ORDER BY id) TO STDOUT"))
                    .isEqualTo(ROWS);
        }
    }

    @Test
    void shouldCopyCsvWithHeaderAndQuotes() throws Exception {
        String csv = "name,id\n\"a,b\",1\n\"say \"\"x\"\"\",2\n,3\n\"\",4\n";
        try (Connection connection = server.connect()) {
            assertThat(copyIn(connection, "COPY few (name, id) FROM STDIN (FORMAT csv, HEADER match)", csv))
                    .isEqualTo(4);

            assertThat(copyOut(connection, "COPY (SELECT name, id FROM few ORDER BY id) TO STDOUT CSV HEADER"))
                    .isEqualTo(csv);
            assertThat(copyOut(connection, "COPY (SELECT id, name FROM few WHERE id = 1) TO STDOUT CSV FORCE QUOTE id"))
                    .isEqualTo("\"1\",\"a,b\"\n");
        }
    }

    @Test
    void shouldNameLineColumnAndValueOfAWrongField() throws Exception {
        try (Connection connection = server.connect()) {
            assertThatThrownBy(() -> copyIn(connection, "COPY few FROM STDIN", "1\ta\nx\tb\n"))
                    .isInstanceOfSatisfying(PSQLException.class, failure -> {
                        assertThat(failure.getSQLState()).isEqualTo("22P02");
                        assertThat(failure.getServerErrorMessage())
                                .extracting(ServerErrorMessage::getWhere)
                                .isEqualTo("COPY few, line 2, column id: \"x\"");
                    });
            assertThat(one(connection, "SELECT COUNT(*) FROM few")).isEqualTo("0");
        }
    }

    @Test
    void shouldInsertAllRowsOrNone() throws Exception {
        try (Connection connection = server.connect()) {
            assertThatThrownBy(() -> copyIn(connection, "COPY few FROM STDIN", "1\ta\n2\tb\n1\tc\n"))
                    .isInstanceOfSatisfying(PSQLException.class, failure -> {
                        assertThat(failure.getSQLState()).isEqualTo("23505");
                        assertThat(failure.getServerErrorMessage())
                                .extracting(ServerErrorMessage::getWhere)
                                .isEqualTo("COPY few, line 3");
                    });
            assertThat(one(connection, "SELECT COUNT(*) FROM few")).isEqualTo("0");
        }
    }

    @Test
    void shouldCopyWithinATransaction() throws Exception {
        try (Connection connection = server.connect()) {
            connection.setAutoCommit(false);
            update(connection, "INSERT INTO few VALUES (1, 'a')");
            copyIn(connection, "COPY few FROM STDIN", "2\tb\n");
            assertThat(copyOut(connection, "COPY (SELECT id FROM few ORDER BY id) TO STDOUT"))
                    .isEqualTo("1\n2\n");
            connection.rollback();
            assertThat(one(connection, "SELECT COUNT(*) FROM few")).isEqualTo("0");

            copyIn(connection, "COPY few FROM STDIN", "3\tc\n");
            connection.commit();
            assertThat(one(connection, "SELECT COUNT(*) FROM few")).isEqualTo("1");
        }
    }

    @Test
    void shouldCommitBatchesWhenItNeedNotBeAtomic() throws Exception {
        StringBuilder data = new StringBuilder();
        for (int i = 0; i < 5000; i++) {
            data.append(i)
                    .append("\tname ")
                    .append(i)
                    .append("\t1.00\t\\N\tt\t\\N\t0\t\\N\t")
                    .append(i)
                    .append('\n');
        }
        try (Connection connection = server.connect()) {
            update(connection, "SET reprise.copy_atomic = off");
            assertThat(copyIn(connection, "COPY c FROM STDIN", data.toString())).isEqualTo(5000);
            assertThat(one(connection, "SELECT COUNT(DISTINCT name) FROM c")).isEqualTo("5000");

            assertThatThrownBy(() -> copyIn(connection, "COPY c (id, big) FROM STDIN", "5000\t1\n4999\t1\n"))
                    .isInstanceOfSatisfying(PSQLException.class, failure -> {
                        assertThat(failure.getSQLState()).isEqualTo("23505");
                        assertThat(failure.getServerErrorMessage())
                                .extracting(ServerErrorMessage::getWhere)
                                .isEqualTo("COPY c, line 2");
                        assertThat(failure.getServerErrorMessage())
                                .extracting(ServerErrorMessage::getDetail)
                                .asString()
                                .contains("rows of this COPY are committed");
                    });
        }
    }

    @Test
    void shouldGoOnWhenTheClientGivesUp() throws Exception {
        try (Connection connection = server.connect()) {
            CopyIn copy = manager(connection).copyIn("COPY few FROM STDIN");
            byte[] row = "1\ta\n".getBytes(StandardCharsets.UTF_8);
            copy.writeToCopy(row, 0, row.length);
            copy.cancelCopy();

            assertThat(one(connection, "SELECT COUNT(*) FROM few")).isEqualTo("0");
        }
    }

    @Test
    void shouldRejectAtomicCopiesThatAreTooLong() throws Exception {
        try (Connection connection = server.connect()) {
            StringBuilder data = new StringBuilder();
            for (int i = 0; i < 200_001; i++) {
                data.append(i).append("\tx\n");
            }
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> copyIn(connection, "COPY few FROM STDIN", data.toString()))
                    .isInstanceOfSatisfying(PSQLException.class, failure -> {
                        assertThat(failure.getSQLState()).isEqualTo("54000");
                        assertThat(failure.getServerErrorMessage())
                                .extracting(ServerErrorMessage::getHint)
                                .asString()
                                .contains("reprise.copy_atomic = off");
                    });
            connection.rollback();
            connection.setAutoCommit(true);
            assertThat(one(connection, "SELECT COUNT(*) FROM few")).isEqualTo("0");
        }
    }

    @Test
    void shouldRejectWhatCannotBeCopied() throws Exception {
        try (Connection connection = server.connect()) {
            PostgresDriverTest.assertState(connection, "COPY few FROM '/tmp/x'", "0A000");
            assertThatThrownBy(() -> copyOut(connection, "COPY nowhere TO STDOUT"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            failure -> assertThat(failure.getSQLState()).isEqualTo("42P01"));
            assertThat(one(connection, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void shouldCopyManyRowsWithinATransaction() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 15_000; i++) {
            lines.append(i).append('\n');
        }
        try (Connection connection = server.connect()) {
            connection.setAutoCommit(false);
            update(connection, "TRUNCATE TABLE few, c");
            long rows = manager(connection)
                    .copyIn("COPY few (id) FROM STDIN WITH (FREEZE ON)", new StringReader(lines.toString()));
            connection.commit();

            assertThat(rows).isEqualTo(15_000);
            assertThat(one(connection, "SELECT COUNT(*) FROM few")).isEqualTo("15000");
        }
    }

    @Test
    void shouldTakeSettingsFromTheOptionsOfTheStart() throws Exception {
        try (Connection connection = server.connect("options=-c%20reprise.copy_atomic=off%20--statement-timeout=7s")) {
            assertThat(one(connection, "SHOW reprise.copy_atomic")).isEqualTo("off");
            assertThat(one(connection, "SHOW statement_timeout")).isEqualTo("7s");
        }
        assertThatThrownBy(() -> server.connect("options=-d%205"))
                .hasMessageContaining("options in the startup packet are -c name=value, but found \"-d\"");
    }
}
