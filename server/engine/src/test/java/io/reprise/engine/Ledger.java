package io.reprise.engine;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;

/** Procedures that hold all partitions and do everything that such a procedure can do. */
public final class Ledger {
    static final String DDL = """
            CREATE TABLE entry (id BIGINT NOT NULL, line INTEGER NOT NULL, amount DECIMAL(12,2) NOT NULL,
              note VARCHAR(200), PRIMARY KEY (id, line) USING HASH);
            PARTITION TABLE entry ON COLUMN id;
            CREATE TABLE setting (name VARCHAR(30) NOT NULL PRIMARY KEY, val BIGINT NOT NULL);
            CREATE TABLE word (text VARCHAR(30) NOT NULL PRIMARY KEY, n INTEGER NOT NULL);
            PARTITION TABLE word ON COLUMN text;
            """;

    private Ledger() {}

    /** Writes entries under several ids; a savepoint undoes every second. */
    public static final class WriteMany extends Procedure {
        private final Statement insert = sql("INSERT INTO entry VALUES (?, ?, ?, ?)");
        private final Statement count = sql("SELECT COUNT(*), SUM(amount) FROM entry");

        /** Returns how many entries there are. */
        public long run(long from, int howMany) {
            for (long id = from; id < from + howMany; id++) {
                int savepoint = savepoint();
                insert.set(0, id)
                        .set(1, 1)
                        .setUnscaled(2, 100)
                        .set(3, "note of " + id)
                        .update();
                if (id % 2 == 1) {
                    rollbackTo(savepoint);
                }
            }
            count.first();
            return count.rows().longAt(0);
        }
    }

    /** Fails in the middle of a statement that writes everywhere, goes on, and shows that nothing was left of it. */
    public static final class FailHalfWay extends Procedure {
        private final Statement divide = sql("UPDATE entry SET amount = 100 / (line - ?)");
        private final Statement sum = sql("SELECT SUM(amount), COUNT(*) FROM entry");

        /** Returns the sum in cents after the failure. */
        public long run(int line) {
            try {
                divide.set(0, line).update();
            } catch (ProcedureException e) {
                sum.first();
                return sum.rows().unscaledAt(0);
            }
            return -1;
        }
    }

    /** Reads and writes tables of every kind. */
    public static final class Mixed extends Procedure {
        private final Statement setting = sql("UPSERT INTO setting VALUES (?, ?)");
        private final Statement readSetting = sql("SELECT val FROM setting WHERE name = ?");
        private final Statement word = sql("UPSERT INTO word VALUES (?, ?)");
        private final Statement words = sql("SELECT text, n FROM word ORDER BY n DESC, text");
        private final Statement one = sql("SELECT n FROM word WHERE text = ?");
        private final ResultTable table = table("TEXT", "N", "SETTING");

        /** Returns the words. */
        public ResultTable run(String[] texts, long value) {
            setting.set(0, "value").set(1, value).update();
            for (String text : texts) {
                word.set(0, text).set(1, text.length()).update();
            }
            Rows first = one.set(0, texts[0]).queue();
            Rows second = one.set(0, texts[1]).queue();
            flush();
            if (!first.next() || !second.next() || first.longAt(0) != texts[0].length()) {
                throw abort("queued results are wrong");
            }
            readSetting.set(0, "value").first();
            Rows all = words.query();
            while (all.next()) {
                table.add(all.textAt(0))
                        .add(all.longAt(1))
                        .add(readSetting.rows().longAt(0))
                        .endRow();
            }
            return table;
        }
    }

    /** Routed by one id, but reads whatever it is told. */
    public static final class Stray extends Procedure {
        private final Statement read = sql("SELECT COUNT(*) FROM entry WHERE id = ?");

        /** Returns the count. */
        public long run(long routed, long[] read) {
            long found = 0;
            for (long id : read) {
                this.read.set(0, id).first();
                found += this.read.rows().longAt(0);
            }
            return found;
        }
    }

    /** Reads a replicated table only, so that any partition can run it. */
    public static final class ReadSettings extends Procedure {
        private final Statement read = sql("SELECT SUM(val) FROM setting");

        /** Returns their sum and the given number. */
        public long run(long plus) {
            read.first();
            return plus + read.rows().longAt(0);
        }
    }

    /** Has no statements at all. */
    public static final class Calculate extends Procedure {
        /** Returns the square. */
        public long run(long number) {
            return number * number;
        }
    }
}
