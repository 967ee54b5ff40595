package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.simulation.SimulatedFileStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** ON CONFLICT DO UPDATE with expressions over the row that exists and the inserted one. */
class ConflictUpdateTest {
    private static final String SCHEMA = """
            CREATE TABLE hit (page INTEGER NOT NULL PRIMARY KEY, n INTEGER DEFAULT 1 NOT NULL CHECK (n < 1000), a INTEGER,
                b INTEGER, s VARCHAR(40));
            PARTITION TABLE hit ON COLUMN page;
            CREATE TABLE source (page INTEGER NOT NULL PRIMARY KEY, n INTEGER);
            PARTITION TABLE source ON COLUMN page;
            CREATE PROCEDURE PARTITION ON TABLE hit COLUMN page FROM CLASS io.reprise.engine.ConflictUpdateTest$Count;
            """;

    /** Counts a hit. */
    public static final class Count extends Procedure {
        private final Statement count =
                sql("INSERT INTO hit (page, n) VALUES (?, ?) ON CONFLICT (page) DO UPDATE SET n = hit.n + EXCLUDED.n");

        /** Gives the number of changed rows. */
        public long run(int page, int n) {
            return count.set(0, page).set(1, n).update();
        }
    }

    private static Options options(int partitions) {
        return Options.create()
                .partitions(partitions)
                .memoryPerPartition(64 << 20)
                .ddl(SCHEMA);
    }

    private static List<String> rows(Reprise engine, String sql, Object... arguments) {
        List<String> found = new ArrayList<>();
        Rows rows = engine.sql(sql, arguments).rows();
        while (rows.next()) {
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < rows.columns(); i++) {
                row.append(i == 0 ? "" : " ").append(rows.isNull(i) ? "-" : String.valueOf(rows.valueAt(i)));
            }
            found.add(row.toString());
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldComputeNewValuesFromBothRows(int partitions) {
        try (Reprise engine = options(partitions).open()) {
            String count =
                    "INSERT INTO hit (page, n, s) VALUES (?, ?, ?) ON CONFLICT (page) DO UPDATE SET n = n + EXCLUDED.n,"
                            + " s = hit.s || '-' || EXCLUDED.s";
            engine.sql(count, 1, 5, "one");
            engine.sql(count, 1, 7, "more than sixteen bytes");
            engine.sql(
                    "INSERT INTO hit (page, n) VALUES (1, 1), (2, 2), (1, 10) ON CONFLICT (page) DO UPDATE SET n = hit.n * 2");

            assertThat(rows(engine, "SELECT page, n, s FROM hit ORDER BY page"))
                    .containsExactly("1 48 one-more than sixteen bytes", "2 2 -");
            engine.sql("INSERT INTO source VALUES (1, 3), (7, 4)");
            engine.sql(
                    "INSERT INTO hit (page, n) SELECT page, n FROM source ON CONFLICT (page) DO UPDATE SET n = EXCLUDED.n"
                            + " - n");
            assertThat(rows(engine, "SELECT page, n FROM hit ORDER BY page")).containsExactly("1 -45", "2 2", "7 4");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldLeaveRowsThatTheConditionExcludes(int partitions) {
        try (Reprise engine = options(partitions).open()) {
            engine.sql("INSERT INTO hit (page, n, a, b) VALUES (1, 5, 10, 20), (2, 50, 30, NULL)");

            String sql = "INSERT INTO hit (page, n) VALUES (1, ?), (2, ?) ON CONFLICT (page) DO UPDATE SET a = b, b = a"
                    + " WHERE hit.n < EXCLUDED.n AND hit.n <> ? RETURNING page, a, b";
            assertThat(rows(engine, sql, 6, 6, 0)).containsExactly("1 20 10");
            assertThat(rows(engine, sql, 0, 0, 0)).isEmpty();
            assertThat(rows(engine, sql, 100, 100, 5)).containsExactly("2 - 30");
            engine.sql(
                    "INSERT INTO hit (page, n) VALUES (1, 1) ON CONFLICT (page) DO UPDATE SET n = DEFAULT, a = NULL");
            assertThat(rows(engine, "SELECT n, a, b FROM hit WHERE page = 1")).containsExactly("1 - 10");
        }
    }

    @Test
    void shouldRejectWhatARowCanNotHave() {
        try (Reprise engine = options(2).open()) {
            engine.sql("INSERT INTO hit (page, n) VALUES (1, 5)");
            String begin = "INSERT INTO hit (page, n) VALUES (1, 1) ON CONFLICT (page) DO UPDATE SET ";

            assertThatThrownBy(() -> engine.sql(begin + "n = hit.n + 999")).hasMessageContaining("CHECK");
            assertThatThrownBy(() -> engine.sql(begin + "n = hit.a")).hasMessageContaining("NOT NULL");
            assertThatThrownBy(() -> engine.sql(begin + "n = (SELECT 1)")).hasMessageContaining("takes no query");
            assertThatThrownBy(() -> engine.sql(begin + "n = SUM(EXCLUDED.n)")).hasMessageContaining("no aggregates");
            assertThatThrownBy(() -> engine.sql(begin + "page = 7")).hasMessageContaining("partitioning column PAGE");
            assertThatThrownBy(() -> engine.sql(begin + "n = 1, n = 2")).hasMessageContaining("N is set twice");
            assertThatThrownBy(() -> engine.sql(begin + "n = other.n")).hasMessageContaining("OTHER");
            assertThat(rows(engine, "SELECT page, n FROM hit")).containsExactly("1 5");
        }
    }

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldReplayCounts(LoggingMethod method) {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        Options options =
                options(2).files(disk).durability(Durability.standard().with(method));
        try (Reprise engine = options.open()) {
            for (int i = 0; i < 20; i++) {
                engine.call("Count", i % 3, i);
            }
        }

        try (Reprise engine = options.open()) {
            engine.call("Count", 0, 1);
            assertThat(rows(engine, "SELECT page, n FROM hit ORDER BY page")).containsExactly("0 64", "1 70", "2 57");
        }
    }
}
