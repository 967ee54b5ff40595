package io.reprise.engine;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;

/** The procedures of a {@link Medley} that write to its table of texts, with results of each kind. */
public final class MedleyOfTexts {
    private MedleyOfTexts() {}

    /** Writes to the rows of one text whatever a number tells it to. */
    public static final class Written extends Procedure {
        private final Statement put = sql(
                "UPSERT INTO doc (code, part, flag, tiny, due, raw, note, made)" + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
        private final Statement putNow = sql("UPSERT INTO doc (code, part, tiny) VALUES (?, ?, ?)");
        private final Statement change =
                sql("UPDATE doc SET note = ?, raw = NULL, due = due + INTERVAL '1' DAY WHERE code = ? AND part < ?");
        private final Statement raise =
                sql("UPDATE doc SET tiny = tiny + 50, flag = NOT flag WHERE code = ? AND part = ?");
        private final Statement move = sql("UPDATE doc SET part = part + 100 WHERE code = ? AND part < ?");
        private final Statement remove = sql("DELETE FROM doc WHERE code = ? AND part > ?");

        /** Returns a sum of what the statements returned; rolls back if the number ends in 7, or a row has been raised too often. */
        public long run(String code, long number, String text, byte[] raw, boolean chance) {
            long state = number;
            long sum = 0;
            for (int steps = (int) (number >>> 20 & 3) + 1; steps > 0; steps--) {
                state = Medley.mix(state);
                int n = (int) (state >>> 40 & 7);
                int savepoint = savepoint();
                sum = 31 * sum + write((int) (state >>> 56) & 7, code, n, text, raw, chance);
                if ((state >>> 33 & 7) == 0) {
                    rollbackTo(savepoint);
                }
            }
            if (number % 10 == 7) {
                throw abort("not this time");
            }
            return sum;
        }

        private long write(int what, String code, int n, String text, byte[] raw, boolean chance) {
            return switch (what) {
                case 0, 1, 2 -> {
                    put.set(0, code).set(1, n).set(2, n > 3).set(3, -n).set(4, 20_000 + n);
                    yield put.set(5, raw).set(6, text).set(7, 1_000_000L * n).update();
                }
                case 3 -> chance ? putNow.set(0, code).set(1, n).set(2, n).update() : 0;
                case 4 -> change.set(0, text).set(1, code).set(2, n).update();
                case 5 -> raise.set(0, code).set(1, n).update();
                case 6 -> move.set(0, code).set(1, n).update();
                default -> n > 4 ? remove.set(0, code).set(1, n).update() : 0;
            };
        }
    }

    /** Writes so many rows that a truncation sets them aside as a whole. */
    public static final class Filled extends Procedure {
        private static final int ROWS = 1100;

        private final Statement put = sql("UPSERT INTO doc (code, part, note, made) VALUES ('', ?, ?, NULL)");
        private final Statement clear = sql("TRUNCATE TABLE doc");

        /** Clears the table too, or only for a time, as the number tells it; rolls back if that ends in 7. */
        public long run(long number) {
            long sum = put(1000, ROWS, number);
            int savepoint = savepoint();
            if ((number >>> 20 & 1) == 0) {
                sum += clear.update();
                sum += put(1000, (int) (number >>> 30 & 3), number);
            }
            if ((number >>> 21 & 1) == 0) {
                rollbackTo(savepoint);
            }
            if (number % 10 == 7) {
                throw abort("not this time");
            }
            return sum;
        }

        private long put(int from, int rows, long number) {
            for (int part = from; part < from + rows; part++) {
                put.set(0, part).set(1, "note " + (number & 7)).update();
            }
            return rows;
        }
    }

    /** Returns a boolean. */
    public static final class Flag extends Procedure {
        private final Statement raise = sql("UPDATE doc SET flag = ? WHERE code = ?");

        /** Returns whether there was anything. */
        public boolean run(String code, long number) {
            return raise.set(0, (number & 1) == 0).set(1, code).update() > 0;
        }
    }

    /** Returns a double. */
    public static final class Share extends Procedure {
        private final Statement set = sql("UPDATE doc SET made = NULL, tiny = ? WHERE code = ?");

        /** Returns a share of the number. */
        public double run(String code, long number) {
            return number / 7.0 + set.set(0, number & 63).set(1, code).update();
        }
    }

    /** Returns a string. */
    public static final class Tell extends Procedure {
        private final Statement set = sql("UPDATE doc SET note = ? WHERE code = ? AND part = 1");

        /** Returns how many there were, in words. */
        public String run(String code, long number) {
            return "changed " + set.set(0, "told " + number).set(1, code).update();
        }
    }

    /** Returns nothing; for all codes. */
    public static final class Hush extends Procedure {
        private final Statement set = sql("UPDATE doc SET due = DATE '2020-02-29', tiny = ? WHERE part < ?");

        /** Writes. */
        public void run(String code, long number) {
            set.set(0, code.length() & 63).set(1, number & 3).update();
        }
    }

    /** Returns rows; for all codes, and with rows that don't outlive the transaction. */
    public static final class Listed extends Procedure {
        private final Statement put = sql("INSERT INTO memo (text, n) VALUES ('shown', ?)");
        private final Statement remove = sql("DELETE FROM memo WHERE text = 'shown' AND n < ?");
        private final Statement list = sql("SELECT n FROM memo ORDER BY n");

        /** Writes and reads. */
        public Rows run(String code, long number) {
            put.set(0, number & 3).update();
            put.set(0, code.length() & 3).update();
            remove.set(0, number >>> 2 & 3).update();
            return list.query();
        }
    }
}
