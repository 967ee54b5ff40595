package io.reprise.benchmark.postgres;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SplittableRandom;

/** A table of payments, and its rows as CSV. */
final class CopyData {
    static final String TABLE = "payment";
    private static final long SEED = 4711;
    private static final int MOST_CENTS = 100_000_000;
    private static final int ACCOUNTS = 50_000;
    private static final int SECONDS_OF_DAY = 86_400;

    private CopyData() {}

    /** Rows without a header. */
    static byte[] csv(int rows) {
        SplittableRandom random = new SplittableRandom(SEED);
        StringBuilder text = new StringBuilder();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int id = 0; id < rows; id++) {
            int second = random.nextInt(SECONDS_OF_DAY);
            text.append(id)
                    .append(',')
                    .append(random.nextInt(ACCOUNTS))
                    .append(",payment of customer ")
                    .append(random.nextInt(ACCOUNTS))
                    .append(',')
                    .append(random.nextInt(MOST_CENTS))
                    .append('.')
                    .append(10 + random.nextInt(90))
                    .append(",2026-03-")
                    .append(10 + random.nextInt(20))
                    .append(' ')
                    .append("%02d:%02d:%02d".formatted(second / 3600, second / 60 % 60, second % 60))
                    .append(random.nextBoolean() ? ",t\n" : ",f\n");
            if (text.length() > 1 << 20) {
                bytes.writeBytes(text.toString().getBytes(StandardCharsets.UTF_8));
                text.setLength(0);
            }
        }
        bytes.writeBytes(text.toString().getBytes(StandardCharsets.UTF_8));
        return bytes.toByteArray();
    }

    /** Makes the table anew, without rows. */
    static void makeTable(Connection connection, boolean postgres) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + TABLE);
            statement.execute("CREATE TABLE " + TABLE
                    + " (id INTEGER NOT NULL PRIMARY KEY, account BIGINT NOT NULL, purpose VARCHAR(60), amount DECIMAL(12,2) NOT NULL,"
                    + " made TIMESTAMP NOT NULL, settled BOOLEAN NOT NULL)");
            if (!postgres) {
                statement.execute("PARTITION TABLE " + TABLE + " ON COLUMN id");
            }
        }
    }

    /** The number of rows. */
    static long count(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT COUNT(*) FROM " + TABLE)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
