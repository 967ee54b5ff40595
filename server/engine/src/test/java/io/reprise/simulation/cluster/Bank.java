package io.reprise.simulation.cluster;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
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

    /** Gives from account to account, each named by the balance of the one before. Declared for all partitions. */
    public static final class Chain extends Procedure {
        private static final int LINKS = 3;
        private static final int ACCOUNTS = 40;

        private final Statement balance = sql("SELECT balance FROM account WHERE id = ?");
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

        /** Gives the last account, or a number below 0 if a failure was caught on the way. */
        public long run(long from, long step) {
            long at = from;
            long caught = 0;
            for (int i = 0; i < LINKS; i++) {
                long next = at;
                try {
                    Rows rows = balance.set(0, at).query();
                    next = (at + step + (rows.next() ? rows.longAt(0) : 0)) % ACCOUNTS;
                    add.set(0, -1).set(1, at).update();
                    add.set(0, 1).set(1, next).update();
                } catch (ProcedureException failure) {
                    caught--;
                }
                at = next;
            }
            return caught < 0 ? caught : at;
        }
    }

    /** Opens an account without a look at the count, and catches the failure if there is one already. */
    public static final class Reopen extends Procedure {
        private final Statement open = sql("INSERT INTO account VALUES (?, ?, 'again')");
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

        /** Gives the amount, or 0 if the account was open. */
        public long run(long from, long to, long amount) {
            add.set(0, -amount).set(1, from).update();
            try {
                open.set(0, to).set(1, amount).update();
            } catch (ProcedureException open) {
                add.set(0, amount).set(1, from).update();
                return 0;
            }
            return amount;
        }
    }

    /** Moves an amount to an account whose balance it reads, and awaits nothing else of it. */
    public static final class Give extends Procedure {
        private final Statement read = sql("SELECT balance FROM account WHERE id = ?");
        private final Statement set = sql("UPDATE account SET balance = ? WHERE id = ?");
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

        /** Gives the balance of the second account before. */
        public long run(long from, long to, long amount) {
            long before = read.set(0, to).first() ? read.rows().longAt(0) : 0;
            add.set(0, -amount).set(1, from).update();
            set.set(0, before + amount).set(1, to).update();
            return before;
        }
    }

    /** Moves an amount between accounts whose balances are prefetched, before and behind writes. */
    public static final class Foresee extends Procedure {
        private static final long OTHERS = 8;

        private final Statement read = sql("SELECT balance FROM account WHERE id = ?");
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

        /** Gives the balance of the second account. */
        public long run(long from, long to, long amount) {
            // Hints for rows that this transaction may not read change nothing.
            for (long other = 0; other < OTHERS; other++) {
                read.set(0, other).prefetch();
            }
            read.set(0, from).prefetch();
            read.set(0, to).prefetch();
            long left = balance(from) - amount;
            long wanted = balance(to) + amount;
            add.set(0, -amount).set(1, from).update();
            add.set(0, amount).set(1, to).update();
            read.set(0, to).prefetch();
            int before = savepoint();
            add.set(0, 1_000L).set(1, to).update();
            read.set(0, to).prefetch();
            requireBalance(to, wanted + 1_000);
            rollbackTo(before);
            requireBalance(from, left);
            requireBalance(to, wanted);
            add.set(0, 5L).set(1, to).update();
            add.set(0, -5L).set(1, to).update();
            return wanted;
        }

        private void requireBalance(long account, long wanted) {
            if (balance(account) != wanted) {
                throw abort("account " + account + " has " + balance(account) + ", not " + wanted);
            }
        }

        private long balance(long account) {
            return read.set(0, account).first() ? read.rows().longAt(0) : 0;
        }
    }

    /** Pays, and keeps notes at home of the account elsewhere: few bytes are passed for many that are written. */
    public static final class Invoice extends Procedure {
        private static final int LINES = 4;
        private static final long MOST = 100_000;

        private final Statement read = sql("SELECT balance, memo FROM account WHERE id = ?");
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");
        private final Statement open = sql("INSERT INTO account VALUES (?, ?, 'paid')");
        private final Statement note = sql("INSERT INTO note VALUES (?, ?)");

        /** Gives the balance of the second account before. */
        public long run(long from, long to, long amount) {
            Rows there = read.set(0, to).query();
            boolean isOpen = there.next();
            long before = isOpen ? there.longAt(0) : 0;
            String memo = isOpen ? there.stringAt(1) : "not open";
            for (int line = 0; line < LINES; line++) {
                note.set(0, from)
                        .set(
                                1,
                                "line " + line + ": account " + to + " (" + memo + ") had " + before + ", gets "
                                        + amount)
                        .run();
            }
            if (amount % 3 == 0) {
                int mark = savepoint();
                add.set(0, 100L).set(1, to).run();
                note.set(0, from).set(1, "to be taken back").run();
                rollbackTo(mark);
            }
            if (isOpen) {
                add.set(0, amount).set(1, to).run();
            } else {
                open.set(0, to).set(1, amount).run();
            }
            add.set(0, -amount).set(1, from).update();
            if (amount > MOST) {
                throw abort("too much");
            }
            return before;
        }
    }

    /** Appends a value to two chains. */
    public static final class Append extends Procedure {
        /** The length of the first chain is multiplied by this. */
        static final long FIRST = 10_000;

        private final Statement read = sql("SELECT items FROM chain WHERE id = ?");
        private final Statement open = sql("INSERT INTO chain VALUES (?, ?)");
        private final Statement set = sql("UPDATE chain SET items = ? WHERE id = ?");

        /** Gives the lengths of both chains before. */
        public long run(long first, long second, long value) {
            return append(first, value) * FIRST + append(second, value);
        }

        private long append(long chain, long value) {
            Rows rows = read.set(0, chain).query();
            if (!rows.next()) {
                open.set(0, chain).set(1, value + ",").update();
                return 0;
            }
            String items = rows.stringAt(0);
            set.set(0, items + value + ",").set(1, chain).update();
            long length = 0;
            for (int i = 0; i < items.length(); i++) {
                length += items.charAt(i) == ',' ? 1 : 0;
            }
            return length;
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
