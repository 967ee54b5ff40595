package io.reprise.benchmark.postgres;

import java.sql.SQLException;

/** A client of a workload. Owned by one thread. */
interface PgTerminal {
    /** Chooses the next transaction of the mix, with its inputs. */
    void choose();

    /**
     * Runs the chosen transaction up to its end, COMMIT or ROLLBACK included. It may be run again if it failed with SQLSTATE 40001.
     *
     * @return whether it was committed; otherwise its specification has it rolled back
     */
    boolean run() throws SQLException;
}
