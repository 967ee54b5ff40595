package io.reprise.benchmark.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Rows on their way into a table by COPY. Owned by one thread. */
final class RowsIn implements AutoCloseable {
    private static final int PIECE = 1 << 16;

    private final CopyIn copy;
    private final StringBuilder text = new StringBuilder();

    RowsIn(Connection connection, String tableAndColumns) throws SQLException {
        copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY " + tableAndColumns + " FROM STDIN");
    }

    /** Adds a row; null: NULL. Texts have no tabulators, line ends and backslashes. */
    void add(Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            text.append(i == 0 ? "" : "\t").append(values[i] == null ? "\\N" : values[i]);
        }
        text.append('\n');
        if (text.length() > PIECE) {
            send();
        }
    }

    private void send() throws SQLException {
        byte[] piece = text.toString().getBytes(StandardCharsets.UTF_8);
        copy.writeToCopy(piece, 0, piece.length);
        text.setLength(0);
    }

    @Override
    public void close() throws SQLException, IOException {
        send();
        copy.endCopy();
    }
}
