package io.reprise.benchmark.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** The prepared statements of a connection, by their text. Owned by one thread. */
final class Statements {
    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    Statements(Connection connection) {
        this.connection = connection;
    }

    Connection connection() {
        return connection;
    }

    private PreparedStatement bound(String sql, Object... values) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    /** Runs a write. Returns its count. */
    int update(String sql, Object... values) throws SQLException {
        return bound(sql, values).executeUpdate();
    }

    /** Adds a write to the batch of this text. */
    void batch(String sql, Object... values) throws SQLException {
        bound(sql, values).addBatch();
    }

    /** Empties the batch of a text, which a run that was given up may have left. */
    void beginBatch(String sql) throws SQLException {
        bound(sql).clearBatch();
    }

    /** Runs the batch of a text. */
    void runBatch(String sql) throws SQLException {
        prepared.get(sql).executeBatch();
    }

    /** Runs a query. The next run of the same text closes its rows. */
    ResultSet query(String sql, Object... values) throws SQLException {
        return bound(sql, values).executeQuery();
    }

    /** Runs a query and moves to its first row, which must exist. */
    ResultSet one(String sql, Object... values) throws SQLException {
        ResultSet rows = query(sql, values);
        if (!rows.next()) {
            throw new IllegalStateException("no row: " + sql);
        }
        return rows;
    }
}
