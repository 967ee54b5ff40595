package io.reprise.benchmark.cluster;

import io.reprise.workload.Call;
import io.reprise.workload.Database;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.RandomValues;
import java.util.List;

/** Inserts of single rows, each in one partition. */
final class Entries extends Additions {
    Entries() {
        super("SELECT COUNT(*) FROM entry", 1);
    }

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
    public Generator generator(long seed, Placement placement, int partition) {
        return new Inserts(seed);
    }

    private static final class Inserts extends Calls {
        private final RandomValues random;

        Inserts(long seed) {
            random = new RandomValues(seed);
        }

        @Override
        public int next(Call call) {
            call.procedure(0).add(random.uniform(0, Integer.MAX_VALUE) * 1_000_003L + random.uniform(0, 1_000_000));
            call.add(1);
            return 0;
        }
    }
}
