package io.reprise.engine;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;

/** Procedures over accounts, for tests. */
public final class Bank {
    public static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL, owner VARCHAR(40));
            PARTITION TABLE account ON COLUMN id;
            CREATE TABLE rate (name VARCHAR(20) NOT NULL PRIMARY KEY, pct INTEGER NOT NULL);
            CREATE PROCEDURE OpenAccount PARTITION ON TABLE account COLUMN id FROM CLASS io.reprise.engine.Bank$OpenAccount;
            CREATE PROCEDURE Balance PARTITION ON TABLE account COLUMN id FROM CLASS io.reprise.engine.Bank$Balance;
            CREATE PROCEDURE Transfer PARTITION ON TABLE account COLUMN id PARAMETER 0
              AND ON TABLE account COLUMN id PARAMETER 1 FROM CLASS io.reprise.engine.Bank$Transfer;
            CREATE PROCEDURE Total FROM CLASS io.reprise.engine.Bank$Total;
            CREATE PROCEDURE Report FROM CLASS io.reprise.engine.Bank$Report;
            CREATE PROCEDURE SetRate AS UPSERT INTO rate (name, pct) VALUES (?, ?);
            CREATE PROCEDURE GetRate AS SELECT pct FROM rate WHERE name = ?;
            CREATE PROCEDURE Find AS SELECT id, balance, owner FROM account WHERE id = ?;
            """;

    private Bank() {}

    /** Opens an account. */
    public static final class OpenAccount extends Procedure {
        private final Statement insert = sql("INSERT INTO account (id, balance, owner) VALUES (?, ?, ?)");

        /** Returns nothing. */
        public void run(long id, long balance, String owner) {
            insert.set(0, id).set(1, balance).set(2, owner).update();
        }
    }

    /** Reads a balance. */
    public static final class Balance extends Procedure {
        private final Statement read = sql("SELECT balance FROM account WHERE id = ?");

        /** Returns the balance. */
        public long run(long id) {
            if (!read.set(0, id).first()) {
                throw abort("no account " + id);
            }
            return read.rows().longAt(0);
        }
    }

    /** Moves money. */
    public static final class Transfer extends Procedure {
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");
        private final Statement read = sql("SELECT balance FROM account WHERE id = ?");

        /** Returns what is left. */
        public long run(long from, long to, long amount) {
            if (add.set(0, -amount).set(1, from).update() == 0) {
                throw abort("no account " + from);
            }
            if (add.set(0, amount).set(1, to).update() == 0) {
                throw abort("no account " + to);
            }
            read.set(0, from).first();
            long left = read.rows().longAt(0);
            if (left < 0) {
                throw abort("account " + from + " would be overdrawn");
            }
            return left;
        }
    }

    /** Adds all balances up. */
    public static final class Total extends Procedure {
        private final Statement sum = sql("SELECT SUM(balance) FROM account");

        /** Returns the sum. */
        public long run() {
            sum.first();
            return sum.rows().longAt(0);
        }
    }

    /** Lists the richest. */
    public static final class Report extends Procedure {
        private final Statement rich =
                sql("SELECT id, owner, balance FROM account WHERE balance >= ? ORDER BY balance DESC, id LIMIT 3");
        private final ResultTable table = table("RANK", "OWNER", "BALANCE");

        /** Returns a table. */
        public ResultTable run(long atLeast) {
            Rows rows = rich.set(0, atLeast).query();
            long rank = 0;
            while (rows.next()) {
                table.add(++rank).add(rows.textAt(1)).add(rows.longAt(2)).endRow();
            }
            return table;
        }
    }
}
