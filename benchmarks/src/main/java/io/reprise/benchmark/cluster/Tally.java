package io.reprise.benchmark.cluster;

import io.reprise.workload.Call;
import io.reprise.workload.Database;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import java.util.List;

/**
 * A table of few rows in all partitions, and calls of one statement over all of them: one adds to each row, the other one sums
 * them up. Each call is of one kind.
 */
final class Tally extends Additions {
    private static final int ROWS = 16;

    private final boolean writes;

    Tally(boolean writes) {
        super("SELECT SUM(v) FROM tally", writes ? ROWS : 0);
        this.writes = writes;
    }

    @Override
    public String name() {
        return "tally";
    }

    @Override
    public String ddl() {
        return """
                CREATE TABLE tally (k BIGINT NOT NULL PRIMARY KEY, v BIGINT NOT NULL);
                PARTITION TABLE tally ON COLUMN k;
                CREATE PROCEDURE AddToAll AS UPDATE tally SET v = v + ?;
                CREATE PROCEDURE SumOfAll AS SELECT SUM(v) FROM tally;
                """;
    }

    @Override
    public List<String> procedures() {
        return List.of("AddToAll", "SumOfAll");
    }

    @Override
    public void load(Database database) {
        for (int row = 0; row < ROWS; row++) {
            database.query("INSERT INTO tally VALUES (?, 0)", (long) row);
        }
    }

    @Override
    public Generator generator(long seed, Placement placement, int partition) {
        return new Statements(writes);
    }

    private static final class Statements extends Calls {
        private final boolean writes;

        Statements(boolean writes) {
            this.writes = writes;
        }

        @Override
        public int next(Call call) {
            int procedure = writes ? 0 : 1;
            call.procedure(procedure);
            if (writes) {
                call.add(1);
            }
            return procedure;
        }
    }
}
