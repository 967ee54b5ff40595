package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.simulation.SimulatedFileStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** WITH RECURSIVE in an engine: bounded, over rows of all partitions, and in writes that are replayed. */
final class RecursiveQueriesTest {
    private static final String DDL = """
            CREATE TABLE node (id BIGINT NOT NULL PRIMARY KEY, parent BIGINT, depth BIGINT);
            CREATE TABLE found (id BIGINT NOT NULL PRIMARY KEY, depth BIGINT NOT NULL);
            PARTITION TABLE node ON COLUMN id;
            CREATE PROCEDURE numbers AS INSERT INTO found
              WITH RECURSIVE n AS (SELECT CAST(? AS BIGINT) AS i, 0 AS d UNION ALL SELECT i + 1, d + 1 FROM n WHERE d < 9)
              SELECT i, d FROM n;
            """;

    @Test
    void shouldEndARecursionWithoutEndAtTheMemoryLimit() {
        try (Reprise engine =
                Options.create().partitions(1).workMemory(16 << 20).open()) {
            assertThatThrownBy(() -> engine.sql(
                            "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i FROM n) SELECT COUNT(*) FROM n"))
                    .isInstanceOfSatisfying(
                            ProcedureException.class,
                            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.MEMORY_LIMIT));
            assertThatThrownBy(() ->
                            engine.sql("WITH RECURSIVE n AS (SELECT CAST(1 AS BIGINT) AS i UNION SELECT i + 1 FROM n)"
                                    + " SELECT COUNT(*) FROM n"))
                    .isInstanceOfSatisfying(
                            ProcedureException.class,
                            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.MEMORY_LIMIT));
            assertThat(ResultText.of(
                            engine, "WITH RECURSIVE n AS (SELECT 1 AS i UNION SELECT i FROM n) SELECT i FROM n"))
                    .isEqualTo("1;");
        }
    }

    @Test
    void shouldFollowRowsThroughAllPartitions() {
        try (Reprise engine = Options.create().partitions(3).ddl(DDL).open()) {
            engine.sql("INSERT INTO node SELECT n, n / 2, NULL FROM GENERATE_SERIES(1, 100) AS n");

            assertThat(
                            ResultText.of(
                                    engine,
                                    "WITH RECURSIVE up AS (SELECT id, parent FROM node WHERE id = 100 UNION ALL"
                                            + " SELECT n.id, n.parent FROM node AS n JOIN up ON n.id = up.parent) SELECT id FROM up"))
                    .isEqualTo("100;50;25;12;6;3;1;");
            assertThat(ResultText.of(
                            engine,
                            "WITH RECURSIVE below AS (SELECT id FROM node WHERE id = 3 UNION"
                                    + " SELECT n.id FROM node AS n JOIN below ON n.parent = below.id)"
                                    + " SELECT COUNT(*), MIN(id), MAX(id) FROM below"))
                    .isEqualTo("36 3 100;");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldReplayWritesOfRecursiveRows(LoggingMethod method) {
        SimulatedFileStore files = new SimulatedFileStore(3);
        String all = "SELECT COUNT(*), SUM(id), SUM(depth) FROM found";
        String before;
        try (Reprise engine = open(files, method)) {
            engine.ddl(DDL);
            engine.call("numbers", 5L);
            engine.sql(
                    "INSERT INTO found WITH RECURSIVE n AS (SELECT 100 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 120)"
                            + " SELECT i, 1 FROM n");
            engine.sql(
                    "UPDATE found SET depth = depth + 1 WHERE id IN"
                            + " (WITH RECURSIVE n AS (SELECT 7 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 12) SELECT i FROM n)");
            before = ResultText.of(engine, all);
        }
        try (Reprise engine = open(files, method)) {
            assertThat(ResultText.of(engine, all)).isEqualTo(before).isEqualTo("31 2405 72;");
        }
    }

    private static Reprise open(SimulatedFileStore disk, LoggingMethod method) {
        return Options.create()
                .partitions(2)
                .memoryPerPartition(64 << 20)
                .files(disk)
                .durability(Durability.standard().with(method))
                .open();
    }
}
