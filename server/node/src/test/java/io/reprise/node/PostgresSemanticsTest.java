package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.reprise.engine.Options;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random queries give the same rows, or an error, at a PostgreSQL server of the machine's. Skipped where there is none. */
@Tag("long")
final class PostgresSemanticsTest {
    private static final int QUERIES = 1000;

    /** The rows as texts, numbers without zeros at their end; or "error". */
    private static String answer(Connection connection, String sql) {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            int columns = found.getMetaData().getColumnCount();
            while (found.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= columns; i++) {
                    row.append(text(found, i)).append('|');
                }
                rows.add(row.toString());
            }
        } catch (SQLException e) {
            // The states of errors are another matter: which one of several comes first is free.
            return "error";
        }
        return rows.toString();
    }

    /** The scale of a number may differ, and no expression of ours gives -0. */
    private static String text(ResultSet found, int column) throws SQLException {
        Object value = found.getObject(column);
        if (value instanceof BigDecimal number) {
            return number.stripTrailingZeros().toPlainString();
        }
        return value instanceof Double number && number == 0 ? "0" : found.getString(column);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldAnswerAsPostgresDoes(long seed) throws Exception {
        assumeTrue(RealPostgres.isInstalled(), "no PostgreSQL server on this machine");
        RandomQueries queries = new RandomQueries(seed);
        List<String> differences = new ArrayList<>();
        try (RealPostgres postgres = RealPostgres.open();
                Connection theirs = postgres.connect();
                PostgresServer server = PostgresServer.open(Options.create().partitions(2));
                Connection ours = server.connect()) {
            for (String sql : queries.tables()) {
                for (Connection connection : List.of(theirs, ours)) {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute(sql);
                    }
                }
            }
            for (int i = 0; i < QUERIES; i++) {
                String sql = queries.next();
                String expected = answer(theirs, sql);
                String actual = answer(ours, sql);
                if (!actual.equals(expected)) {
                    differences.add(sql + "\n  expected " + expected + "\n  but was  " + actual);
                }
            }
        }

        assertThat(differences).as("seed " + seed).isEmpty();
    }
}
