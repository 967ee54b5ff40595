package io.reprise.node;

import static io.reprise.node.PostgresDriverTest.one;
import static io.reprise.node.PostgresDriverTest.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Options;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Cursors by DECLARE, arrays as parameters, and the fields of errors. */
final class PostgresCursorTest {
    private static PostgresServer server;

    @BeforeAll
    static void open() throws SQLException {
        server = PostgresServer.open(Options.create().partitions(2));
        try (Connection connection = server.connect()) {
            update(connection, "CREATE TABLE few (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, other BIGINT)");
            update(connection, "CREATE UNIQUE INDEX few_name ON few (name)");
            update(
                    connection,
                    "INSERT INTO few VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3), (4, 'd', 4), (5, 'e', 5)");
        }
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static String rows(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows(rows);
        }
    }

    private static String rows(ResultSet rows) throws SQLException {
        List<String> found = new ArrayList<>();
        while (rows.next()) {
            found.add(rows.getString(1));
        }
        return String.join(" ", found);
    }

    @Test
    void shouldFetchInAllDirections() throws Exception {
        try (Connection connection = server.connect()) {
            connection.setAutoCommit(false);
            update(connection, "DECLARE c SCROLL CURSOR FOR SELECT id FROM few ORDER BY id");
            String[][] steps = {
                {"FETCH c", "1"},
                {"FETCH 2 FROM c", "2 3"},
                {"FETCH PRIOR FROM c", "2"},
                {"FETCH LAST IN c", "5"},
                {"FETCH NEXT FROM c", ""},
                {"FETCH BACKWARD 1 FROM c", "5"},
                {"FETCH ABSOLUTE 2 FROM c", "2"},
                {"FETCH RELATIVE 2 FROM c", "4"},
                {"FETCH FIRST FROM c", "1"},
                {"FETCH FORWARD ALL FROM c", "2 3 4 5"},
                {"FETCH ABSOLUTE -4 FROM c", "2"},
                {"FETCH RELATIVE -1 FROM c", "1"}
            };
            for (String[] step : steps) {
                assertThat(rows(connection, step[0])).as(step[0]).isEqualTo(step[1]);
            }
            update(connection, "MOVE 3 FROM c");
            assertThat(rows(connection, "FETCH c")).isEqualTo("5");
            update(connection, "CLOSE c");
            PostgresDriverTest.assertState(connection, "FETCH c", "34000");
            connection.rollback();
        }
    }

    @Test
    void shouldKeepHeldCursorsBehindTheTransaction() throws Exception {
        try (Connection connection = server.connect()) {
            PostgresDriverTest.assertState(connection, "DECLARE c CURSOR FOR SELECT 1", "25P01");
            update(connection, "DECLARE held CURSOR WITH HOLD FOR SELECT id FROM few ORDER BY id");
            connection.setAutoCommit(false);
            update(connection, "DECLARE c CURSOR FOR SELECT id FROM few ORDER BY id");
            PostgresDriverTest.assertState(connection, "DECLARE c CURSOR FOR SELECT 1", "42P03");
            connection.rollback();
            connection.setAutoCommit(true);

            assertThat(rows(connection, "FETCH 2 FROM held")).isEqualTo("1 2");
            PostgresDriverTest.assertState(connection, "FETCH c", "34000");
            update(connection, "CLOSE ALL");
            PostgresDriverTest.assertState(connection, "FETCH held", "34000");
        }
    }

    @Test
    void shouldDeclareWithParameters() throws Exception {
        try (Connection connection = server.connect()) {
            connection.setAutoCommit(false);
            try (PreparedStatement declare =
                    connection.prepareStatement("DECLARE c CURSOR FOR SELECT name FROM few WHERE id > ? ORDER BY id")) {
                declare.setInt(1, 3);
                declare.execute();
            }
            assertThat(rows(connection, "FETCH ALL c")).isEqualTo("d e");
            connection.commit();
        }
    }

    @Test
    void shouldTakeArraysAsParameters() throws Exception {
        try (Connection connection = server.connect("prepareThreshold=2");
                PreparedStatement in = connection.prepareStatement(
                        "SELECT id FROM few WHERE id = ANY (?) AND other > ? ORDER BY id")) {
            Object[][] lists = {{1, 3}, {2}, {}, {5, 4, 3, 2, 1}, {9, null, 4}, {1, 2, 3}};
            String[] expected = {"1 3", "2", "", "1 2 3 4 5", "4", "1 2 3"};
            for (int i = 0; i < lists.length; i++) {
                Array array = connection.createArrayOf("int4", lists[i]);
                in.setArray(1, array);
                in.setLong(2, 0);
                try (ResultSet rows = in.executeQuery()) {
                    assertThat(rows(rows)).as("list %d", i).isEqualTo(expected[i]);
                }
            }
            assertThat(rows(connection, "SELECT id FROM few WHERE name = ANY (ARRAY['a', 'c']) ORDER BY id"))
                    .isEqualTo("1 3");
            assertThat(rows(connection, "SELECT id FROM few WHERE id <> ALL (ARRAY[1, 2, 3]) ORDER BY id"))
                    .isEqualTo("4 5");
        }
    }

    private static ServerErrorMessage failure(Connection connection, String sql) {
        ServerErrorMessage[] found = new ServerErrorMessage[1];
        assertThatThrownBy(() -> update(connection, sql))
                .isInstanceOfSatisfying(PSQLException.class, e -> found[0] = e.getServerErrorMessage());
        return found[0];
    }

    @Test
    void shouldNameTableColumnAndConstraint() throws Exception {
        try (Connection connection = server.connect()) {
            String[][] failures = {
                {"INSERT INTO few VALUES (1, 'x', 0)", "23505", "few", null, "few_pk"},
                {"INSERT INTO few VALUES (9, 'a', 0)", "23505", "few", null, "few_name"},
                {"INSERT INTO few VALUES (9, NULL, 0)", "23502", "few", "name", null},
                {"INSERT INTO few (id) VALUES (9)", "23502", "few", "name", null},
                {"UPDATE few SET name = NULLIF(name, 'b') WHERE id = 2", "23502", "few", "name", null}
            };
            for (boolean transaction : new boolean[] {false, true}) {
                for (String[] each : failures) {
                    connection.setAutoCommit(!transaction);
                    ServerErrorMessage found = failure(connection, each[0]);
                    assertThat(List.of(found.getSQLState(), found.getSchema(), found.getTable()))
                            .as(each[0])
                            .containsExactly(each[1], "public", each[2]);
                    assertThat(found.getColumn()).as(each[0]).isEqualTo(each[3]);
                    assertThat(found.getConstraint()).as(each[0]).isEqualTo(each[4]);
                    if (transaction) {
                        connection.rollback();
                    }
                }
            }
            connection.setAutoCommit(true);
            assertThat(one(connection, "SELECT COUNT(*) FROM few")).isEqualTo("5");
        }
    }
}
