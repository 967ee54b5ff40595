package io.reprise.benchmark.postgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/** A server that is measured over the PostgreSQL protocol. */
interface Target extends AutoCloseable {
    /** Whether it is PostgreSQL itself. */
    boolean isPostgres();

    /** The URL for JDBC. */
    String url();

    /** The processor time that it has had; zero if that is not known. */
    Duration cpu();

    /** Connects with the settings that BenchBase uses. */
    default Connection connect() throws SQLException {
        return DriverManager.getConnection(url() + "&sslmode=disable&reWriteBatchedInserts=true");
    }

    @Override
    void close() throws IOException;
}
