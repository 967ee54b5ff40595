package io.reprise.command;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;

/** Pays, and keeps notes at home of the balance that it found elsewhere. */
public final class ClusterInvoice extends Procedure {
    private static final int LINES = 4;

    private final Statement read = sql("SELECT balance FROM account WHERE id = ?");
    private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");
    private final Statement note = sql("INSERT INTO note VALUES (?, ?)");

    /** Gives the balance of the second account before. */
    public long run(long from, long to, long amount) {
        Rows there = read.set(0, to).query();
        there.next();
        long before = there.longAt(0);
        for (int line = 0; line < LINES; line++) {
            note.set(0, from)
                    .set(1, "line " + line + " of " + amount + ": account " + to + " had " + before)
                    .run();
        }
        add.set(0, amount).set(1, to).run();
        add.set(0, -amount).set(1, from).update();
        return before;
    }
}
