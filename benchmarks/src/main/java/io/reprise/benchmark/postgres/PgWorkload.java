package io.reprise.benchmark.postgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A workload of interactive transactions, with the tables and the mix that its specification has. Immutable. */
interface PgWorkload {
    /** Its name in lower case. */
    String name();

    /** The statements that make its tables; PARTITION TABLE comes only where it is no PostgreSQL. */
    List<String> tables(boolean postgres);

    /** Fills the tables over a connection that commits each statement. */
    void load(Connection connection) throws SQLException, IOException;

    /** A client with a connection of its own, which commits by itself. */
    PgTerminal terminal(Statements statements, int number);

    /** Fails if the tables are not as the transactions must have left them. */
    void check(Connection connection) throws SQLException;
}
