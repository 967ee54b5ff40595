package io.reprise.torture;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;

/**
 * Counters that hand out tickets. Each call writes down whose it was and what it answered, in a table without a key: one
 * that ran twice is there twice, and an answer can be compared with what was done.
 */
public final class Tickets {
    static final int COUNTERS = 40;

    /** The effect of a call, by its number in {@code drawn.kind}. */
    enum Kind {
        /** Draws at one counter: within one bucket. */
        ONE("Draw", 1),
        /** Draws at two: the smaller one's ticket is the answer. */
        TWO("DrawTwo", 2),
        /** Writes to all counters, by a statement in parts, and to a replicated table. */
        ALL("DrawAll", 1);

        final String procedure;
        final int rows;

        Kind(String procedure, int rows) {
            this.procedure = procedure;
            this.rows = rows;
        }
    }

    static final String DDL = """
            CREATE TABLE counter (id BIGINT NOT NULL PRIMARY KEY, tickets BIGINT NOT NULL, together BIGINT NOT NULL);
            PARTITION TABLE counter ON COLUMN id;
            CREATE TABLE drawn (counter BIGINT NOT NULL, ticket BIGINT NOT NULL, kind BIGINT NOT NULL,
              caller BIGINT NOT NULL, number BIGINT NOT NULL, answer BIGINT NOT NULL);
            PARTITION TABLE drawn ON COLUMN counter;
            CREATE TABLE total (id BIGINT NOT NULL PRIMARY KEY, tickets BIGINT NOT NULL);
            CREATE PROCEDURE OpenCounter AS INSERT INTO counter (id, tickets, together) VALUES (?, 0, 0);
            CREATE PROCEDURE OpenTotal AS UPSERT INTO total (id, tickets) VALUES (0, 0);
            CREATE PROCEDURE Draw PARTITION ON TABLE counter COLUMN id FROM CLASS io.reprise.torture.Tickets$Draw;
            CREATE PROCEDURE DrawTwo PARTITION ON TABLE counter COLUMN id PARAMETER 0
              AND ON TABLE counter COLUMN id PARAMETER 1 FROM CLASS io.reprise.torture.Tickets$DrawTwo;
            CREATE PROCEDURE DrawAll FROM CLASS io.reprise.torture.Tickets$DrawAll;
            """;

    private static final String ADD = "UPDATE counter SET tickets = tickets + 1 WHERE id = ?";
    private static final String READ = "SELECT tickets FROM counter WHERE id = ?";
    private static final String ENTER = "INSERT INTO drawn VALUES (?, ?, ?, ?, ?, ?)";

    private Tickets() {}

    /** Whether the call with this number rolls back when it has written. */
    static boolean isRolledBack(long number) {
        return number % 10 == 9;
    }

    /** Draws a ticket at one counter. */
    public static final class Draw extends Procedure {
        private final Statement add = sql(ADD);
        private final Statement read = sql(READ);
        private final Statement enter = sql(ENTER);

        /** Returns the ticket. */
        public long run(long counter, long caller, long number) {
            add.set(0, counter).update();
            read.set(0, counter).first();
            long ticket = read.rows().longAt(0);
            enter.set(0, counter).set(1, ticket).set(2, Kind.ONE.ordinal());
            enter.set(3, caller).set(4, number).set(5, ticket).update();
            if (isRolledBack(number)) {
                throw abort("no ticket for " + number);
            }
            return ticket;
        }
    }

    /** Draws a ticket at each of two counters. */
    public static final class DrawTwo extends Procedure {
        private final Statement add = sql(ADD);
        private final Statement read = sql(READ);
        private final Statement enter = sql(ENTER);

        /** Returns the smaller ticket. */
        public long run(long one, long other, long caller, long number) {
            long first = draw(one);
            long second = draw(other);
            long answer = Math.min(first, second);
            enter(one, first, caller, number, answer);
            enter(other, second, caller, number, answer);
            if (isRolledBack(number)) {
                throw abort("no tickets for " + number);
            }
            return answer;
        }

        private long draw(long counter) {
            add.set(0, counter).update();
            read.set(0, counter).first();
            return read.rows().longAt(0);
        }

        private void enter(long counter, long ticket, long caller, long number, long answer) {
            enter.set(0, counter).set(1, ticket).set(2, Kind.TWO.ordinal());
            enter.set(3, caller).set(4, number).set(5, answer).update();
        }
    }

    /** Draws a ticket that all counters know of. */
    public static final class DrawAll extends Procedure {
        private final Statement addEverywhere = sql("UPDATE counter SET together = together + 1");
        private final Statement add = sql("UPDATE total SET tickets = tickets + 1 WHERE id = 0");
        private final Statement read = sql("SELECT tickets FROM total WHERE id = 0");
        private final Statement enter = sql(ENTER);

        /** Returns the ticket. */
        public long run(long counter, long caller, long number) {
            addEverywhere.update();
            add.update();
            read.first();
            long ticket = read.rows().longAt(0);
            enter.set(0, counter).set(1, ticket).set(2, Kind.ALL.ordinal());
            enter.set(3, caller).set(4, number).set(5, ticket).update();
            if (isRolledBack(number)) {
                throw abort("no ticket of all for " + number);
            }
            return ticket;
        }
    }
}
