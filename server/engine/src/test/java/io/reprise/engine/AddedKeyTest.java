package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.simulation.SimulatedFileStore;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys that ALTER TABLE adds to tables with rows. */
class AddedKeyTest {
    private static final String TABLES = """
            CREATE TABLE whole (id INT, name VARCHAR(10));
            CREATE INDEX by_name ON whole (name);
            CREATE TABLE part (w INT NOT NULL, id INT);
            PARTITION TABLE part ON COLUMN w;
            """;

    private static Options options(int partitions) {
        return Options.create().partitions(partitions).memoryPerPartition(64 << 20);
    }

    private static void fill(Reprise engine) {
        for (int i = 0; i < 20; i++) {
            engine.sql("INSERT INTO whole VALUES (?, ?)", i, "n" + i % 3);
            engine.sql("INSERT INTO part VALUES (?, ?)", i % 5, i);
        }
    }

    private static long count(Reprise engine, String sql) {
        Rows rows = engine.sql(sql).rows();
        rows.next();
        return rows.longAt(0);
    }

    private static void assertRefused(Reprise engine, ErrorCode code, String statement, String message) {
        assertThatThrownBy(() -> engine.ddl(statement))
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"1, COMMAND, false", "3, COMMAND, true", "1, PHYSIOLOGICAL, true", "3, PHYSIOLOGICAL, false"})
    void shouldKeepRowsAndKeysOverARestart(int partitions, LoggingMethod method, boolean snapshot) {
        Options options = options(partitions)
                .files(new SimulatedFileStore(5))
                .durability(Durability.standard().with(method));
        try (Reprise engine = options.ddl(TABLES).open()) {
            fill(engine);
            if (snapshot) {
                engine.snapshot();
            }
            engine.ddl("ALTER TABLE whole ADD PRIMARY KEY (id); ALTER TABLE part ADD CONSTRAINT k PRIMARY KEY (w, id)");
            engine.sql("INSERT INTO whole VALUES (100, 'x')");
            engine.sql("INSERT INTO part VALUES (100, 1)");
        }
        try (Reprise engine = options.open()) {
            assertThat(count(engine, "SELECT COUNT(*) FROM whole")).isEqualTo(21);
            assertThat(count(engine, "SELECT COUNT(*) FROM whole WHERE name = 'n1'"))
                    .isEqualTo(7);
            assertThat(count(engine, "SELECT COUNT(*) FROM part WHERE w = 4")).isEqualTo(4);
            for (String twice : List.of("INSERT INTO whole VALUES (7, 'y')", "INSERT INTO part VALUES (100, 1)")) {
                assertThatThrownBy(() -> engine.sql(twice)).hasMessageContaining("primary key");
            }
            assertThatThrownBy(() -> engine.sql("INSERT INTO whole VALUES (NULL, 'y')"))
                    .hasMessageContaining("ID");
        }
    }

    @Test
    void shouldRefuseAKeyThatTheRowsViolate() {
        try (Reprise engine = options(2).ddl(TABLES).open()) {
            fill(engine);
            engine.sql("INSERT INTO part VALUES (1, NULL)");

            assertRefused(
                    engine,
                    ErrorCode.CONSTRAINT_VIOLATION,
                    "ALTER TABLE part ADD PRIMARY KEY (w, id)",
                    "column ID of table PART can't become NOT NULL, because a row has NULL there");
            assertRefused(
                    engine,
                    ErrorCode.CONSTRAINT_VIOLATION,
                    "ALTER TABLE whole ADD PRIMARY KEY (name)",
                    "table WHOLE has more than one row with NAME = 'n0'");
            assertRefused(engine, ErrorCode.CONSTRAINT_VIOLATION, "ALTER TABLE whole ADD UNIQUE (name)", "NAME = 'n0'");
            assertRefused(
                    engine,
                    ErrorCode.INVALID_REQUEST,
                    "ALTER TABLE part ADD PRIMARY KEY (id)",
                    "must contain W, the column that table PART is partitioned on");
            assertThat(count(engine, "SELECT COUNT(*) FROM whole")).isEqualTo(20);
            engine.sql("INSERT INTO whole VALUES (NULL, 'n0')");
            engine.sql("INSERT INTO part VALUES (1, NULL)");
            assertThat(count(engine, "SELECT COUNT(*) FROM part")).isEqualTo(22);
        }
    }

    @Test
    void shouldUseAnAddedKey() {
        try (Reprise engine = options(1).ddl(TABLES).open()) {
            fill(engine);
            engine.ddl("ALTER TABLE ONLY whole ADD CONSTRAINT whole_key PRIMARY KEY (id)");

            Rows plan =
                    engine.sql("EXPLAIN SELECT name FROM whole WHERE id = 3").rows();
            StringBuilder lines = new StringBuilder();
            while (plan.next()) {
                lines.append(plan.stringAt(0)).append('\n');
            }
            assertThat(lines.toString()).contains("WHOLE_KEY");
            engine.sql("UPSERT INTO whole VALUES (3, 'new')");
            assertThat(count(engine, "SELECT COUNT(*) FROM whole")).isEqualTo(20);
            assertThat(count(engine, "SELECT COUNT(*) FROM whole WHERE name = 'new'"))
                    .isEqualTo(1);
        }
    }
}
