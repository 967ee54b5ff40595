package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.simulation.SimulatedFileStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CREATE TABLE ... AS. */
final class TableFromQueryTest {
    private static final String DDL =
            "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(10), price DECIMAL(6, 2));"
                    + "PARTITION TABLE t ON COLUMN id";

    private static Options options(int partitions) {
        return Options.create().partitions(partitions).memoryPerPartition(64 << 20);
    }

    private static List<String> rows(Reprise engine, String sql) {
        Rows rows = engine.sql(sql).rows();
        List<String> found = new ArrayList<>();
        while (rows.next()) {
            List<String> values = new ArrayList<>();
            for (int i = 0; i < rows.columns(); i++) {
                values.add(String.valueOf(rows.valueAt(i)));
            }
            found.add(String.join(" ", values));
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldMakeATableFromRows(int partitions) {
        try (Reprise engine = options(partitions).ddl(DDL).open()) {
            engine.sql("INSERT INTO t VALUES (1, 'a', 1.50), (2, NULL, 2.50), (3, 'c', NULL)");

            assertThat(engine.change("CREATE TABLE u AS SELECT id, name, price * 2 AS twice FROM t WHERE id < 3;"))
                    .isEqualTo(2);
            assertThat(engine.change("CREATE TABLE v (a, b) AS SELECT g, g * 10 FROM GENERATE_SERIES(1, 1000) g"))
                    .isEqualTo(1000);
            assertThat(engine.change("CREATE TABLE w AS SELECT * FROM t WITH NO DATA"))
                    .isZero();
            assertThat(engine.change("CREATE TABLE IF NOT EXISTS u AS SELECT 5 AS x"))
                    .isZero();

            assertThat(rows(engine, "SELECT * FROM u ORDER BY id")).containsExactly("1 a 3.00", "2 null 5.00");
            assertThat(rows(engine, "SELECT SUM(a), SUM(b) FROM v")).containsExactly("500500 5005000");
            assertThat(rows(engine, "SELECT COUNT(*), MAX(price) FROM w")).containsExactly("0 null");
            assertThat(engine.change("CREATE TABLE x (a INTEGER)")).isEqualTo(-1);
            assertThatThrownBy(() -> engine.ddl("CREATE TABLE y AS SELECT 'a")).isInstanceOf(ProcedureException.class);
        }
    }

    @Test
    void shouldLeaveNoTableWhenTheRowsAreNotInserted() {
        try (Reprise engine = options(2).ddl(DDL).open()) {
            engine.sql("INSERT INTO t VALUES (1, 'a', 1.50)");

            assertThatThrownBy(() -> engine.ddl("CREATE TABLE u AS SELECT 1 / (id - 1) AS a FROM t"))
                    .hasMessageContaining("division by zero");
            assertThatThrownBy(
                            () -> engine.ddl("CREATE TABLE u AS SELECT 1 / (g - 1) AS a FROM GENERATE_SERIES(1, 2) g"))
                    .hasMessageContaining("division by zero");
            assertThatThrownBy(() -> engine.ddl("CREATE TABLE u AS INSERT INTO t (id) VALUES (5)"))
                    .hasMessageContaining("CREATE TABLE AS takes a query");
            assertThatThrownBy(() -> engine.ddl("CREATE TABLE u AS SELECT id FROM t WHERE id = ?"))
                    .hasMessageContaining("takes no parameters");
            assertThatThrownBy(() -> engine.ddl("CREATE TABLE u (a, b) AS SELECT id FROM t"))
                    .hasMessageContaining("names 2 columns");
            assertThatThrownBy(() -> engine.ddl("CREATE TABLE t AS SELECT 1 AS a"))
                    .hasMessageContaining("T");

            assertThat(engine.catalog().table("U")).isEmpty();
            assertThat(rows(engine, "SELECT id FROM t")).containsExactly("1");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldRecoverTheTableAndItsRows(LoggingMethod method) {
        SimulatedFileStore disk = new SimulatedFileStore(7);
        Durability durability = Durability.standard().with(method);
        try (Reprise engine =
                options(2).files(disk).durability(durability).ddl(DDL).open()) {
            engine.sql("INSERT INTO t VALUES (1, 'a', 1.50), (2, 'b', 2.50)");
            engine.ddl("CREATE TABLE u AS SELECT name, price, ROW_NUMBER() OVER (ORDER BY price DESC) AS place FROM t");
            engine.ddl("CREATE TABLE v AS SELECT g AS id FROM GENERATE_SERIES(5, 7) g");
        }

        try (Reprise engine = options(3).files(disk).durability(durability).open()) {
            assertThat(rows(engine, "SELECT name, place FROM u ORDER BY name")).containsExactly("a 2", "b 1");
            assertThat(rows(engine, "SELECT id FROM v ORDER BY id")).containsExactly("5", "6", "7");
        }
    }

    /** Rows that an order does not tell apart lie in another sequence after a snapshot is loaded. */
    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldNumberEqualRowsAlikeWhenReplayed(LoggingMethod method) {
        SimulatedFileStore disk = new SimulatedFileStore(9);
        Durability durability = Durability.standard().with(method);
        String ddl = "CREATE TABLE r (id INTEGER NOT NULL PRIMARY KEY, n INTEGER, s VARCHAR(10));"
                + "CREATE TABLE w (id INTEGER NOT NULL PRIMARY KEY, place INTEGER, before VARCHAR(10), all_of VARCHAR(100));";
        String read = "SELECT * FROM w ORDER BY id";
        List<String> live;
        try (Reprise engine =
                options(2).files(disk).durability(durability).ddl(ddl).open()) {
            for (int i = 20; i > 0; i--) {
                engine.sql("INSERT INTO r VALUES (?, ?, ?)", i, i % 3, "s" + i % 7);
            }
            engine.sql("DELETE FROM r WHERE MOD(id, 5) = 0");
            engine.snapshot();
            // Of a store that runs on they take the places of deleted rows, and of a loaded one they are the last.
            engine.sql("INSERT INTO r VALUES (25, 0, 's0'), (21, 0, 's5'), (22, 1, 's1'), (23, 1, 's6')");
            engine.sql(
                    "INSERT INTO w SELECT id, ROW_NUMBER() OVER (ORDER BY n), LAG(s) OVER (PARTITION BY n ORDER BY s),"
                            + " (SELECT STRING_AGG(s, ',') FROM r WHERE r.n = q.n) FROM r AS q");
            live = rows(engine, read);
        }

        try (Reprise engine = options(3).files(disk).durability(durability).open()) {
            assertThat(live).hasSize(20);
            assertThat(rows(engine, read)).isEqualTo(live);
        }
    }
}
