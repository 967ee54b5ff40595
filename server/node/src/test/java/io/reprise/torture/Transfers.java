package io.reprise.torture;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/**
 * Money that moves between accounts, and a journal of it: the balances can be recomputed from the journal, and each
 * client's entries are numbered without gaps.
 */
public final class Transfers {
    static final int ACCOUNTS = 200;
    static final long START = 1000;

    static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL, note VARCHAR(200));
            PARTITION TABLE account ON COLUMN id;
            CREATE TABLE journal (origin BIGINT NOT NULL, client BIGINT NOT NULL, seq BIGINT NOT NULL,
              target BIGINT NOT NULL, amount BIGINT NOT NULL, PRIMARY KEY (origin, client, seq) USING HASH);
            PARTITION TABLE journal ON COLUMN origin;
            CREATE TABLE latest (client BIGINT NOT NULL PRIMARY KEY, seq BIGINT NOT NULL);
            CREATE PROCEDURE OpenAccount AS INSERT INTO account (id, balance, note) VALUES (?, ?, '');
            CREATE PROCEDURE Move PARTITION ON TABLE account COLUMN id PARAMETER 0
              AND ON TABLE account COLUMN id PARAMETER 1 FROM CLASS io.reprise.torture.Transfers$Move;
            CREATE PROCEDURE Gather FROM CLASS io.reprise.torture.Transfers$Gather;
            """;

    private Transfers() {}

    /** Moves money from one account to another one. */
    public static final class Move extends Procedure {
        private final Statement add = sql("UPDATE account SET balance = balance + ?, note = ? WHERE id = ?");
        private final Statement read = sql("SELECT balance FROM account WHERE id = ?");
        private final Statement enter = sql("INSERT INTO journal VALUES (?, ?, ?, ?, ?)");

        /** Returns what is left; rolls back if that is nothing. */
        public long run(long origin, long target, long client, long seq, long amount) {
            String note = "moved by " + client + " at " + timestampMicros() + ", " + random().nextInt(0, 999);
            enter.set(0, origin).set(1, client).set(2, seq).set(3, target).set(4, amount);
            enter.update();
            add.set(0, -amount).set(1, note).set(2, origin).update();
            add.set(0, amount).set(1, note).set(2, target).update();
            if (!read.set(0, origin).first()) {
                throw abort("no account " + origin);
            }
            long left = read.rows().longAt(0);
            if (left < 0) {
                throw abort("account " + origin + " would be overdrawn");
            }
            return left;
        }
    }

    /** Takes a little from all accounts in all partitions, and writes down by whom in a replicated table. */
    public static final class Gather extends Procedure {
        private final Statement take = sql("UPDATE account SET balance = balance - 1 WHERE balance > 0 AND id <> ?");
        private final Statement give = sql("UPDATE account SET balance = balance + ? WHERE id = ?");
        private final Statement enter = sql("INSERT INTO journal VALUES (?, ?, ?, ?, ?)");
        private final Statement latest = sql("UPSERT INTO latest VALUES (?, ?)");

        /** Returns the amount. An entry without another account: the taken money is missing in the accounts. */
        public long run(long target, long client, long seq) {
            long count = take.set(0, target).update();
            give.set(0, count).set(1, target).update();
            enter.set(0, target).set(1, client).set(2, seq).set(3, -1).set(4, count);
            enter.update();
            latest.set(0, client).set(1, seq).update();
            return count;
        }
    }
}
