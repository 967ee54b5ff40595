package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Options;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** The SQLSTATE of each failure that a client can provoke by a statement, as PostgreSQL has it. */
final class SqlStatesTest {
    private static final String[][] FAILURES = {
        {"23505", "INSERT INTO t VALUES (1, 'a', 1, 1)"},
        {"23502", "INSERT INTO t (id, name) VALUES (2, NULL)"},
        {"23502", "INSERT INTO t (id) VALUES (2)"},
        {"23514", "UPDATE t SET amount = -1"},
        {"22003", "UPDATE t SET amount = amount + 9999"},
        {"22003", "UPDATE t SET small = small + 99999"},
        {"22012", "SELECT 1 / (id - 1) FROM t"},
        {"22001", "UPDATE t SET name = name || 'long'"},
        {"22P02", "SELECT CAST(name AS BIGINT) FROM t"},
        {"21000", "SELECT (SELECT a FROM (VALUES (1), (2)) AS v(a)) FROM t"},
        {"42601", "SELECT FROM WHERE"},
        {"42P01", "SELECT * FROM nowhere"},
        {"42P01", "DROP TABLE nowhere"},
        {"42703", "SELECT nothing FROM t"},
        {"42P07", "CREATE TABLE t (id BIGINT)"},
        {"42702", "SELECT id FROM t AS a, t AS b"},
        {"42883", "SELECT nofunction(id) FROM t"},
        {"42883", "CALL noprocedure(1)"},
        {"42804", "SELECT id + TRUE FROM t"},
        {"0A000", "LISTEN channel"},
        {"22023", "SET client_encoding = 'LATIN1'"}
    };

    @Test
    void shouldGiveEachFailureItsState() throws SQLException {
        Options options = Options.create().partitions(2).ddl("""
                CREATE TABLE t (id BIGINT NOT NULL, name VARCHAR(3) NOT NULL, amount DECIMAL(5,2) CHECK (amount >= 0), small SMALLINT,
                  PRIMARY KEY (id));
                """);
        try (PostgresServer server = PostgresServer.open(options);
                Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO t VALUES (1, 'a', 1, 1)");

            for (String[] failure : FAILURES) {
                assertThatThrownBy(() -> statement.execute(failure[1]))
                        .as(failure[1])
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).as(failure[1]).isEqualTo(failure[0]));
            }
        }
    }
}
