package io.reprise.engine;

import io.reprise.execution.deploy.SourceCompiler;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import java.util.Map;

/**
 * A schema with tables of every kind, and procedures that do with them whatever a number tells them to: the same number,
 * the same thing.
 */
public final class Medley {
    static final String FORGET = "CREATE PROCEDURE Forget AS DELETE FROM event WHERE id = ?;\n";

    static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL, ratio DOUBLE,
              owner VARCHAR(400));
            PARTITION TABLE account ON COLUMN id;
            CREATE TABLE item (id BIGINT NOT NULL, line INTEGER NOT NULL, amount DECIMAL(12,2), text VARCHAR(300),
              changed TIMESTAMP, PRIMARY KEY (id, line) USING ORDERED);
            PARTITION TABLE item ON COLUMN id;
            CREATE TABLE event (id BIGINT NOT NULL, what VARCHAR(100), n INTEGER NOT NULL);
            PARTITION TABLE event ON COLUMN id;
            CREATE TABLE setting (name VARCHAR(20) NOT NULL PRIMARY KEY, val BIGINT NOT NULL);
            CREATE TABLE memo (text VARCHAR(200), n INTEGER NOT NULL);
            CREATE TABLE doc (code VARCHAR(600) NOT NULL, part SMALLINT NOT NULL, flag BOOLEAN, tiny TINYINT,
              due DATE, raw VARBINARY(300), note VARCHAR(2000) DEFAULT 'none', made TIMESTAMP DEFAULT NOW,
              PRIMARY KEY (code, part) USING ORDERED);
            PARTITION TABLE doc ON COLUMN code;
            CREATE INDEX doc_by_note ON doc (note, due);
            CREATE PROCEDURE Near PARTITION ON TABLE account COLUMN id FROM CLASS io.reprise.engine.Medley$Near;
            CREATE PROCEDURE Far FROM CLASS io.reprise.engine.Medley$Far;
            CREATE PROCEDURE Move PARTITION ON TABLE account COLUMN id PARAMETER 0
              AND ON TABLE account COLUMN id PARAMETER 1 FROM CLASS io.reprise.engine.Medley$Move;
            CREATE PROCEDURE Written PARTITION ON TABLE doc COLUMN code FROM CLASS io.reprise.engine.MedleyOfTexts$Written;
            CREATE PROCEDURE Filled FROM CLASS io.reprise.engine.MedleyOfTexts$Filled;
            CREATE PROCEDURE Flag PARTITION ON TABLE doc COLUMN code FROM CLASS io.reprise.engine.MedleyOfTexts$Flag;
            CREATE PROCEDURE Share PARTITION ON TABLE doc COLUMN code FROM CLASS io.reprise.engine.MedleyOfTexts$Share;
            CREATE PROCEDURE Tell PARTITION ON TABLE doc COLUMN code FROM CLASS io.reprise.engine.MedleyOfTexts$Tell;
            CREATE PROCEDURE Hush FROM CLASS io.reprise.engine.MedleyOfTexts$Hush;
            CREATE PROCEDURE Listed FROM CLASS io.reprise.engine.MedleyOfTexts$Listed;
            """ + FORGET;

    private static final String TAG = """
            import io.reprise.procedure.Procedure;
            import io.reprise.procedure.Statement;
            public final class Tag extends Procedure {
                private final Statement write = sql("UPDATE account SET balance = balance + $ADDS, owner = ? WHERE id = ?");
                private int calls;
                public long run(long id, String owner) {
                    return write.set(0, owner + "$VERSION").set(1, id).update();
                }
            }
            """;
    private static final byte[][] JARS = new byte[2][];

    private Medley() {}

    /** A jar with one of two versions of procedure Tag. */
    static synchronized byte[] jar(int version) {
        if (JARS[version] == null) {
            JARS[version] = SourceCompiler.jar(
                    Map.of("Tag", TAG.replace("$ADDS", "" + (version + 1)).replace("$VERSION", "" + version)));
        }
        return JARS[version];
    }

    /** The next number of a sequence that looks random. */
    static long mix(long state) {
        return state * 6364136223846793005L + 1442695040888963407L;
    }

    /** Writes to the tables of one bucket. */
    public static final class Near extends Procedure {
        private final Statement put = sql("UPSERT INTO account (id, balance, ratio, owner) VALUES (?, ?, ?, ?)");
        private final Statement add = sql("UPDATE account SET balance = balance + ?, ratio = ratio / 3 WHERE id = ?");
        private final Statement remove = sql("DELETE FROM account WHERE id = ?");
        private final Statement putItem =
                sql("UPSERT INTO item (id, line, amount, text, changed) VALUES (?, ?, ?, ?, ?)");
        private final Statement removeItems = sql("DELETE FROM item WHERE id = ? AND line > ?");
        private final Statement moveItems = sql("UPDATE item SET line = line + 100 WHERE id = ? AND line < ?");
        private final Statement putEvent = sql("INSERT INTO event (id, what, n) VALUES (?, ?, ?)");
        private final Statement changeEvents = sql("UPDATE event SET what = ?, n = n + 1 WHERE id = ? AND n < ?");
        private final Statement removeEvents = sql("DELETE FROM event WHERE id = ? AND n = ?");
        private final Statement events = sql("SELECT what, n FROM event WHERE id = ?");

        /** Returns a sum of what the statements returned; rolls back if the number ends in 7. */
        public long run(long id, long number, String text, boolean chance) {
            long state = number;
            long time = chance ? timestampMicros() : number;
            long sum = 0;
            for (int steps = (int) (number >>> 20 & 7) + 1; steps > 0; steps--) {
                state = mix(state + (chance ? random().nextInt(0, 100) : 0));
                int n = (int) (state >>> 40 & 15);
                if ((state >>> 33 & 7) == 0) {
                    int savepoint = savepoint();
                    sum += write((int) (state >>> 50) % 9, id, n, text, time);
                    rollbackTo(savepoint);
                }
                sum = 31 * sum + write((int) (state >>> 56) % 9, id, n, text, time);
            }
            if (number % 10 == 7) {
                throw abort("not this time");
            }
            return sum;
        }

        private long write(int what, long id, int n, String text, long time) {
            return switch (what) {
                case 0 -> put.set(0, id).set(1, n).set(2, n / 7.0).set(3, text).update();
                case 1 -> add.set(0, n).set(1, id).update();
                case 2 -> n < 4 ? remove.set(0, id).update() : 0;
                case 3, 4 ->
                    putItem.set(0, id)
                            .set(1, n)
                            .setUnscaled(2, n * 100L)
                            .set(3, text)
                            .set(4, time)
                            .update();
                case 5 ->
                    n < 4
                            ? removeItems.set(0, id).set(1, n).update()
                            : n < 7 ? moveItems.set(0, id).set(1, n).update() : 0;
                case 6 ->
                    putEvent.set(0, id).set(1, text.substring(0, n)).set(2, n).update();
                case 7 ->
                    n < 5
                            ? removeEvents.set(0, id).set(1, n).update()
                            : changeEvents
                                    .set(0, text.substring(0, n))
                                    .set(1, id)
                                    .set(2, n)
                                    .update();
                default -> copyEvents(id);
            };
        }

        /** The result depends on the sequence in which the query gives its rows. */
        private long copyEvents(long id) {
            Rows rows = events.set(0, id).query();
            int line = 200;
            while (rows.next() && line < 206) {
                putItem.set(0, id).set(1, line++).setUnscaled(2, rows.longAt(1));
                putItem.set(3, rows.isNull(0) ? "" : rows.stringAt(0)).set(4, 0).update();
            }
            return line;
        }
    }

    /** Writes to two buckets, whose partitions may be the same. */
    public static final class Move extends Procedure {
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");
        private final Statement put = sql("UPSERT INTO account (id, balance) VALUES (?, ?)");

        /** Moves a number from one to the other; returns how many of them there were. */
        public long run(long from, long to, long number) {
            long found = add.set(0, -number).set(1, from).update();
            found += add.set(0, number).set(1, to).update();
            if (found == 0) {
                put.set(0, to).set(1, number).update();
            }
            if (number % 10 == 7) {
                throw abort("not this time");
            }
            return found;
        }
    }

    /** Writes to all partitions. */
    public static final class Far extends Procedure {
        private final Statement put = sql("UPSERT INTO account (id, balance, owner) VALUES (?, ?, ?)");
        private final Statement raise = sql("UPDATE account SET balance = balance + ? WHERE balance < ?");
        private final Statement remove = sql("DELETE FROM account WHERE balance > ? AND id > ?");
        private final Statement fill =
                sql("INSERT INTO event (id, what, n) SELECT id, 'copied', line FROM item WHERE line = ?");
        private final Statement set = sql("UPSERT INTO setting (name, val) VALUES (?, ?)");
        private final Statement unset = sql("DELETE FROM setting WHERE val < ?");
        private final Statement note = sql("INSERT INTO memo (text, n) VALUES (?, ?)");
        private final Statement change = sql("UPDATE memo SET text = ?, n = n + 1 WHERE n < ?");
        private final Statement remember = sql("DELETE FROM memo WHERE n = ?");
        private final Statement sum = sql("SELECT SUM(balance) FROM account");

        /** Returns a sum of what the statements returned; rolls back if the number ends in 7. */
        public long run(long[] ids, long number, String text) {
            long state = number;
            long result = 0;
            for (int steps = (int) (number >>> 20 & 7) + 1; steps > 0; steps--) {
                state = mix(state);
                int n = (int) (state >>> 40 & 15);
                int savepoint = savepoint();
                result = 31 * result + write((int) (state >>> 56) % 9, ids, n, text);
                if ((state >>> 33 & 3) == 0) {
                    rollbackTo(savepoint);
                }
            }
            if (number % 10 == 7) {
                throw abort("not this time");
            }
            return result;
        }

        private long write(int what, long[] ids, int n, String text) {
            return switch (what) {
                case 0 -> {
                    for (long id : ids) {
                        put.set(0, id).set(1, n).set(2, text).update();
                    }
                    yield ids.length;
                }
                case 1 -> raise.set(0, n).set(1, 10 * n).update();
                case 2 -> n > 12 ? remove.set(0, n).set(1, ids[0]).update() : 0;
                case 3 -> fill.set(0, n).update();
                case 4 -> set.set(0, "name " + n).set(1, total()).update();
                case 5 -> n < 3 ? unset.set(0, n).update() : 0;
                case 6 -> note.set(0, text.substring(0, n)).set(1, n).update();
                case 7 -> n < 5 ? change.set(0, text.substring(n)).set(1, n).update() : 0;
                default -> remember.set(0, n).update();
            };
        }

        private long total() {
            sum.first();
            return sum.rows().isNull(0) ? 0 : sum.rows().longAt(0);
        }
    }
}
