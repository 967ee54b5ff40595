package io.reprise.benchmark.postgres;

import java.sql.SQLException;
import java.util.SplittableRandom;

/** A client of a workload. Owned by one thread. */
abstract class PgTerminal {
    final Statements db;
    final SplittableRandom random;

    /** A client whose choices follow from its number. */
    PgTerminal(Statements db, int number) {
        this.db = db;
        random = new SplittableRandom(number);
    }

    /** Chooses the next transaction of the mix, with its inputs. */
    abstract void choose();

    /** Runs the statements of the chosen transaction. Returns whether it is to be committed; its specification has others rolled back. */
    abstract boolean transaction() throws SQLException;

    /** Runs the chosen transaction up to its end, COMMIT or ROLLBACK included. It may be run again if it failed with SQLSTATE 40001. */
    final void run() throws SQLException {
        if (transaction()) {
            db.connection().commit();
        } else {
            db.connection().rollback();
        }
    }
}
