package io.reprise.benchmark.cluster;

import io.reprise.procedure.Rows;
import io.reprise.workload.Database;
import io.reprise.workload.Generator;
import io.reprise.workload.Workload;
import java.util.List;

/** A workload of calls that each add the same to a number in the database. The number is the sum of the committed calls. */
abstract class Additions implements Workload {
    private final String query;
    private final int each;

    /**
     * The calls.
     *
     * @param query gives the number
     * @param each the share of a call in it
     */
    Additions(String query, int each) {
        this.query = query;
        this.each = each;
    }

    @Override
    public final long held(Database database) {
        Rows rows = database.query(query);
        rows.next();
        return rows.longAt(0);
    }

    @Override
    public final List<Violation> check(Database database, long before, List<Generator> ran) {
        long expected = before;
        for (Generator calls : ran) {
            expected += each * ((Calls) calls).committed;
        }
        long held = held(database);
        return isRight(held, expected)
                ? List.of()
                : List.of(new Violation("each addition is kept", query + " gives " + held + ", not " + expected));
    }

    /** Whether the number may be in the database after calls that give the expected one. */
    boolean isRight(long held, long expected) {
        return held == expected;
    }

    /** A generator of calls, with the number of those that have committed. */
    abstract static class Calls implements Generator {
        private long committed;

        @Override
        public final void completed(int procedure, boolean isCommitted, long value) {
            committed += isCommitted ? 1 : 0;
        }
    }
}
