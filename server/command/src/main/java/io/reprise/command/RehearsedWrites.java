package io.reprise.command;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/**
 * The procedure that {@link RecoveryRehearsal} calls: rows are inserted, changed and deleted, with values of every type, keys of each
 * kind, and strings in rows and outside of them.
 */
public final class RehearsedWrites extends Procedure {
    /** The lines that each call writes. */
    static final int LINES = 4;

    static final String SCHEMA = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, truth BOOLEAN, tiny TINYINT NOT NULL,
              small SMALLINT NOT NULL, whole INTEGER, total BIGINT NOT NULL, exact DECIMAL(12,2) NOT NULL, ratio DOUBLE,
              moment TIMESTAMP NOT NULL, birth DATE, name VARCHAR(24) NOT NULL, code VARBINARY(12), note VARCHAR(200));
            PARTITION TABLE account ON COLUMN id;
            CREATE TABLE line (id BIGINT NOT NULL, number INTEGER NOT NULL, part SMALLINT NOT NULL, item INTEGER NOT NULL,
              delivered TIMESTAMP, amount DECIMAL(6,2) NOT NULL, text VARCHAR(24) NOT NULL,
              PRIMARY KEY (id, number, part) USING ORDERED);
            PARTITION TABLE line ON COLUMN id;
            CREATE INDEX line_by_item ON line (id, item) USING ORDERED;
            CREATE TABLE waiting (id BIGINT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (id, number) USING ORDERED);
            PARTITION TABLE waiting ON COLUMN id;
            CREATE TABLE event (id BIGINT NOT NULL, number INTEGER NOT NULL, what VARCHAR(16) NOT NULL);
            PARTITION TABLE event ON COLUMN id;
            CREATE TABLE tally (id BIGINT NOT NULL, kind TINYINT NOT NULL, times INTEGER NOT NULL, total BIGINT NOT NULL,
              PRIMARY KEY (id, kind) USING HASH);
            PARTITION TABLE tally ON COLUMN id;
            CREATE TABLE visitor (id BIGINT NOT NULL, phone BIGINT NOT NULL, visits INTEGER NOT NULL, PRIMARY KEY (phone, id) USING HASH);
            PARTITION TABLE visitor ON COLUMN id;
            CREATE TABLE named (id BIGINT NOT NULL, name VARCHAR(32) NOT NULL, worth INTEGER NOT NULL, PRIMARY KEY (id, name) USING HASH);
            PARTITION TABLE named ON COLUMN id;
            CREATE INDEX named_by_worth ON named (id, worth) USING HASH;
            CREATE PROCEDURE RehearsedWrites PARTITION ON TABLE account COLUMN id PARAMETER 0
              FROM CLASS io.reprise.command.RehearsedWrites;
            """;

    private static final int DIGITS = 10_000;

    private final Statement change =
            sql("UPDATE account SET total = total + ?, whole = ?, exact = exact + ?, moment = ?" + " WHERE id = ?");
    private final Statement changeMuch =
            sql("UPDATE account SET truth = ?, tiny = ?, small = ?, ratio = ?, birth = NULL,"
                    + " code = ?, note = ? WHERE id = ?");
    private final Statement open =
            sql("INSERT INTO account (id, truth, tiny, small, whole, total, exact, ratio, moment,"
                    + " birth, name, code, note) VALUES (?, ?, 1, ?, NULL, 0, 0, ?, ?, CURRENT_DATE, ?, ?, NULL)");
    private final Statement addLine =
            sql("INSERT INTO line (id, number, part, item, delivered, amount, text) VALUES (?, ?, ?, ?, NULL, ?, ?)");
    private final Statement deliver = sql("UPDATE line SET delivered = ? WHERE id = ? AND number = ? AND part = ?");
    private final Statement await = sql("INSERT INTO waiting (id, number) VALUES (?, ?)");
    private final Statement served = sql("DELETE FROM waiting WHERE id = ? AND number = ?");
    private final Statement tell = sql("INSERT INTO event (id, number, what) VALUES (?, ?, ?)");
    private final Statement count =
            sql("UPDATE tally SET times = times + 1, total = total + ? WHERE id = ? AND kind = ?");
    private final Statement beginTally = sql("INSERT INTO tally (id, kind, times, total) VALUES (?, ?, 1, ?)");
    private final Statement visit = sql("INSERT INTO visitor (id, phone, visits) VALUES (?, ?, 1)");
    private final Statement visitAgain = sql("UPDATE visitor SET visits = visits + 1 WHERE id = ? AND phone = ?");
    private final Statement name = sql("INSERT INTO named (id, name, worth) VALUES (?, ?, ?)");
    private final Statement rename = sql("UPDATE named SET worth = worth + 1 WHERE id = ? AND name = ?");

    /** Writes for an account; the number rises from call to call of the same account. */
    public void run(long id, int number) {
        long now = timestampMicros();
        String text = "text " + (number & 0xFFFF);
        if (number == 0) {
            open.set(0, id)
                    .set(1, true)
                    .set(2, id % DIGITS)
                    .set(3, id / 3.0)
                    .set(4, now)
                    .set(5, text);
            open.set(6, new byte[] {1, 2, 3}).update();
        }
        change.set(0, number).set(1, number).setUnscaled(2, number % DIGITS).set(3, now);
        change.set(4, id).update();
        for (int part = 0; part < LINES; part++) {
            addLine.set(0, id).set(1, number).set(2, part).set(3, number * part % DIGITS);
            addLine.setUnscaled(4, number % DIGITS).set(5, text).update();
        }
        await.set(0, id).set(1, number).update();
        tell.set(0, id).set(1, number).set(2, text).update();
        long phone = id << Integer.SIZE | number;
        visit.set(0, id).set(1, phone).update();
        if (count.set(0, number).set(1, id).set(2, number % 3).update() == 0) {
            beginTally.set(0, id).set(1, number % 3).set(2, number).update();
        }
        if (number > 0) {
            served.set(0, id).set(1, number - 1).update();
            visitAgain.set(0, id).set(1, phone - 1).update();
            deliver.set(0, now).set(1, id).set(2, number - 1).set(3, 1).update();
        }
        if ((number & 7) == 0) {
            seldom(id, number, text);
        }
    }

    private void seldom(long id, int number, String text) {
        changeMuch
                .set(0, number % 3 == 0)
                .set(1, number % 100)
                .set(2, number % DIGITS)
                .set(3, number / 7.0);
        changeMuch.set(4, new byte[] {4, 5}).set(5, text.repeat(9)).set(6, id).update();
        name.set(0, id).set(1, text).set(2, number).update();
        rename.set(0, id).set(1, text).update();
    }
}
