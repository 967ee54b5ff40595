package io.reprise.torture;

import io.reprise.engine.Reprise;
import io.reprise.procedure.Rows;
import java.util.ArrayList;
import java.util.List;

/** {@link Tickets} drawn over the network: {@link Callers} are in another process, and live on when the victim dies. */
final class CallLoad implements VictimLoad {
    @Override
    public String ddl() {
        return Tickets.DDL;
    }

    @Override
    public List<Class<?>> procedures() {
        return List.of(
                Tickets.class, Tickets.Kind.class, Tickets.Draw.class, Tickets.DrawTwo.class, Tickets.DrawAll.class);
    }

    /** None is counted: the callers know more of each. */
    @Override
    public List<String> kinds() {
        return List.of("changes");
    }

    @Override
    public boolean isCalledFromOutside() {
        return true;
    }

    @Override
    public boolean isFilled(Reprise engine) {
        return one(engine, "SELECT COUNT(*) FROM counter") == Tickets.COUNTERS
                && one(engine, "SELECT COUNT(*) FROM total") == 1;
    }

    @Override
    public void fill(Reprise engine) {
        for (long id = one(engine, "SELECT COUNT(*) FROM counter"); id < Tickets.COUNTERS; id++) {
            engine.call("OpenCounter", id);
        }
        engine.call("OpenTotal");
    }

    /** In one statement, as callers may be at work. */
    @Override
    public List<String> check(Reprise engine) {
        List<String> problems = new ArrayList<>();
        Rows rows = engine.sql("SELECT MIN(together), MAX(together), COUNT(*) FROM counter")
                .rows();
        if (rows.next() && rows.longAt(2) > 0 && rows.longAt(0) != rows.longAt(1)) {
            problems.add(
                    "what all counters know is " + rows.longAt(0) + " at one and " + rows.longAt(1) + " at another");
        }
        return problems;
    }

    @Override
    public WriteCounts found(Reprise engine) {
        return new WriteCounts(KilledDatabase.WRITERS, kinds().size());
    }

    @Override
    public Client client(Reprise engine, int client, long seed) {
        throw new UnsupportedOperationException("the clients of this load are outside");
    }

    private static long one(Reprise engine, String sql) {
        Rows rows = engine.sql(sql).rows();
        return rows.next() ? rows.longAt(0) : 0;
    }
}
