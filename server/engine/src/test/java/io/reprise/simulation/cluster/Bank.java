package io.reprise.simulation.cluster;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;

/** Procedures over accounts of several partitions. */
public final class Bank {
    private Bank() {}

    /** Moves an amount to an account, which is opened by its first payment. */
    public static final class Pay extends Procedure {
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");
        private final Statement open = sql("INSERT INTO account VALUES (?, ?, 'paid')");

        /** Gives the amount. */
        public long run(long from, long to, long amount) {
            if (add.set(0, amount).set(1, to).update() == 0) {
                open.set(0, to).set(1, amount).update();
            }
            add.set(0, -amount).set(1, from).update();
            return amount;
        }
    }

    /** Moves an amount; a negative one is moved and taken back, and a very large one aborts at the end. */
    public static final class Transfer extends Procedure {
        private static final long MOST = 100_000;

        private final Statement read = sql("SELECT balance FROM account WHERE id = ?");
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

        /** Gives the amount. */
        public long run(long from, long to, long amount) {
            int before = savepoint();
            long first = balance(from);
            long second = balance(to);
            add.set(0, -amount).set(1, from).update();
            add.set(0, amount).set(1, to).update();
            if (from != to && (balance(from) != first - amount || balance(to) != second + amount)) {
                throw abort("a transaction does not see its own writes");
            }
            if (amount < 0) {
                rollbackTo(before);
            }
            if (amount > MOST) {
                throw abort("too much");
            }
            return amount;
        }

        private long balance(long account) {
            Rows rows = read.set(0, account).query();
            return rows.next() ? rows.longAt(0) : 0;
        }
    }
}
