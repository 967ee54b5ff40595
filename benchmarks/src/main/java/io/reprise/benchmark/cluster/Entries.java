package io.reprise.benchmark.cluster;

import io.reprise.procedure.Rows;
import io.reprise.workload.Call;
import io.reprise.workload.Database;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.RandomValues;
import io.reprise.workload.Workload;
import java.util.List;

/** Inserts of single rows, each in one partition. */
final class Entries implements Workload {
    @Override
    public String name() {
        return "entries";
    }

    @Override
    public String ddl() {
        return """
                CREATE TABLE entry (k BIGINT NOT NULL PRIMARY KEY, v BIGINT NOT NULL);
                PARTITION TABLE entry ON COLUMN k;
                CREATE PROCEDURE AddEntry PARTITION ON TABLE entry COLUMN k AS INSERT INTO entry VALUES (?, ?);
                """;
    }

    @Override
    public List<String> procedures() {
        return List.of("AddEntry");
    }

    @Override
    public void load(Database database) {
        // The table begins empty.
    }

    @Override
    public long held(Database database) {
        Rows rows = database.query("SELECT COUNT(*) FROM entry");
        rows.next();
        return rows.longAt(0);
    }

    @Override
    public Generator generator(long seed, Placement placement, int partition) {
        return new Calls(seed);
    }

    @Override
    public List<Violation> check(Database database, long before, List<Generator> ran) {
        long expected = before;
        for (Generator each : ran) {
            expected += ((Calls) each).added;
        }
        long held = held(database);
        return held == expected
                ? List.of()
                : List.of(new Violation("each insert is kept", "there are " + held + " rows, not " + expected));
    }

    private static final class Calls implements Generator {
        private final RandomValues random;
        private long added;

        Calls(long seed) {
            random = new RandomValues(seed);
        }

        @Override
        public int next(Call call) {
            call.procedure(0).add(random.uniform(0, Integer.MAX_VALUE) * 1_000_003L + random.uniform(0, 1_000_000));
            call.add(1);
            return 0;
        }

        @Override
        public void completed(int procedure, boolean committed, long value) {
            added += committed ? 1 : 0;
        }
    }
}
