package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Statement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A transaction's collected rows are bounded while they are collected. */
final class WorkMemoryTest {
    private static final int ROWS = 400;
    private static final int LIMIT = 1 << 20;
    private static final int GENEROUS = 64 << 20;
    private static final String DDL = """
            CREATE TABLE big (id BIGINT NOT NULL PRIMARY KEY, s VARCHAR(200));
            PARTITION TABLE big ON COLUMN id;
            CREATE TABLE rate (id BIGINT NOT NULL PRIMARY KEY, s VARCHAR(200));
            CREATE PROCEDURE FROM CLASS io.reprise.engine.WorkMemoryTest$Swallow;
            CREATE PROCEDURE FROM CLASS io.reprise.engine.WorkMemoryTest$Fill;
            CREATE PROCEDURE FROM CLASS io.reprise.engine.WorkMemoryTest$QueueMany;
            CREATE PROCEDURE FROM CLASS io.reprise.engine.WorkMemoryTest$Again;
            """;

    @TempDir
    Path directory;

    /** Catches what it is told, and goes on without the rows. */
    public static final class Swallow extends Procedure {
        private final Statement pairs = sql("SELECT a.id, b.id FROM rate a, rate b");
        private final Statement insert = sql("INSERT INTO rate VALUES (?, ?)");

        /** Writes how many pairs there are, or that there were too many. */
        public long run(long id) {
            long found;
            try {
                found = pairs.query().count();
            } catch (ProcedureException e) {
                found = -1;
            }
            insert.set(0, id).set(1, "found " + found).update();
            return found;
        }
    }

    /** Fills a table. */
    public static final class Fill extends Procedure {
        private final ResultTable table = table("N", "S");

        /** So many rows. */
        public ResultTable run(long rows, String text) {
            for (long i = 0; i < rows; i++) {
                table.add(i).add(text).endRow();
            }
            return table;
        }
    }

    /** Queues executions. */
    public static final class QueueMany extends Procedure {
        private final Statement one = sql("SELECT s FROM rate WHERE id = ?");

        /** So many. */
        public void run(long count) {
            for (long i = 0; i < count; i++) {
                one.set(0, i).queue();
            }
        }
    }

    /** Runs a query that fits, over and over. */
    public static final class Again extends Procedure {
        private final Statement some = sql("SELECT a.id FROM rate a, rate b WHERE a.id < 100 ORDER BY a.id, b.id");

        /** So often. */
        public long run(long times) {
            long rows = 0;
            for (long i = 0; i < times; i++) {
                rows += some.query().count();
            }
            return rows;
        }
    }

    private static Options options(int partitions, long workMemory) {
        return Options.create()
                .partitions(partitions)
                .memoryPerPartition(128 << 20)
                .workMemory(workMemory)
                // Some statements have many rows, which may take long on a busy machine.
                .timeLimit(Duration.ofMinutes(2))
                .ddl(DDL);
    }

    private static Reprise filled(Options options) {
        Reprise engine = options.open();
        String text = "x".repeat(100);
        for (int i = 0; i < ROWS; i++) {
            engine.sql("INSERT INTO big VALUES (?, ?)", i, text);
            engine.sql("INSERT INTO rate VALUES (?, ?)", i, text);
        }
        return engine;
    }

    private static void assertLimited(ThrowingCallable action) {
        assertThatThrownBy(action)
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT))
                .hasMessageContaining(LIMIT + " bytes of work memory")
                .hasMessageContaining("engine.workMemory")
                .hasMessageContaining("LIMIT")
                .hasMessageContaining("rolled back");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldEndAStatementThatCollectsTooMuchAndGoOn(int partitions) {
        List<String> statements = List.of(
                "SELECT * FROM big a, rate b",
                "SELECT a.id FROM big a, rate b ORDER BY a.id + b.id",
                "SELECT a.id FROM big a, rate b ORDER BY a.id + b.id LIMIT 150000",
                "SELECT a.id, b.id, COUNT(*) FROM big a, rate b GROUP BY a.id, b.id",
                "SELECT COUNT(DISTINCT a.id * 1000 + b.id) FROM big a, rate b",
                "SELECT a.s || b.s FROM rate a, rate b",
                "SELECT DISTINCT a.id, b.id FROM big a, rate b",
                "INSERT INTO rate SELECT a.id * 1000 + b.id, a.s FROM rate a, rate b");
        try (Reprise engine = filled(options(partitions, LIMIT))) {
            for (String statement : statements) {
                assertLimited(() -> engine.sql(statement));

                assertThat(count(engine, "SELECT COUNT(*) FROM rate"))
                        .as(statement)
                        .isEqualTo(ROWS);
            }

            assertThat(count(engine, "SELECT COUNT(*) FROM big a, rate b")).isEqualTo(ROWS * ROWS);
            assertThat(engine.sql("SELECT id FROM big ORDER BY id").rows().count())
                    .isEqualTo(ROWS);
        }
    }

    private static long count(Reprise engine, String sql) {
        var rows = engine.sql(sql).rows();
        rows.next();
        return rows.longAt(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldEndATransactionWhoseProcedureCatchesThatItHasTooMuch(int partitions) {
        try (Reprise engine = filled(options(partitions, LIMIT))) {
            assertLimited(() -> engine.call("Swallow", 1_000_000));

            assertThat(count(engine, "SELECT COUNT(*) FROM rate")).isEqualTo(ROWS);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldBoundTablesThatAreFilledAndExecutionsThatAreQueued(int partitions) {
        try (Reprise engine = filled(options(partitions, LIMIT))) {
            assertLimited(() -> engine.call("Fill", 100_000, null));
            assertLimited(() -> engine.call("Fill", 5_000, "y".repeat(500)));
            assertLimited(() -> engine.call("QueueMany", 10_000));

            assertThat(engine.call("Fill", 1000, "short").rows().count()).isEqualTo(1000);
            engine.call("QueueMany", 100);
        }
    }

    @Test
    void shouldCountWhatAnExecutionHasAndNotWhatAllTogetherHad() {
        try (Reprise engine = filled(options(1, 4 * LIMIT))) {
            assertThat(engine.call("Again", 30).longValue()).isEqualTo(30L * 100 * ROWS);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "1, 2"})
    void shouldRunWhatIsInTheLogWhateverTheLimitIsNow(int partitionsBefore, int partitionsAfter) {
        try (Reprise engine = filled(options(partitionsBefore, GENEROUS).directory(directory))) {
            assertThat(engine.call("Swallow", 1_000_000).longValue()).isEqualTo(ROWS * ROWS);
        }

        try (Reprise again =
                options(partitionsAfter, LIMIT).directory(directory).open()) {
            assertThat(count(again, "SELECT COUNT(*) FROM rate WHERE s = 'found " + ROWS * ROWS + "'"))
                    .isEqualTo(1);
            assertLimited(() -> again.call("Swallow", 1_000_001));
        }
    }

    @Test
    void shouldEndAQueryAsSoonAsItsResultIsCertainlyTooLongToBeSent() {
        List<String> refused = new ArrayList<>();
        try (Reprise engine = filled(options(1, GENEROUS))) {
            for (String sql :
                    List.of("SELECT a.id FROM rate a, rate b", "SELECT a.id FROM big a, rate b ORDER BY b.id")) {
                assertThatThrownBy(() -> engine.sqlWithin(RunLimits.ofResult(16 << 10), sql))
                        .isInstanceOfSatisfying(ProcedureException.class, e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.RESULT_TOO_LARGE);
                            refused.add(e.getMessage());
                        });
            }

            assertThat(refused)
                    .hasSize(2)
                    .allSatisfy(
                            message -> assertThat(message).contains("16384 bytes", "clients.largestResult", "LIMIT"));
            assertThat(engine.sql("SELECT a.id FROM rate a, rate b").rows().count())
                    .isEqualTo(ROWS * ROWS);
            assertThat(engine.sqlWithin(RunLimits.ofResult(16 << 10), "SELECT COUNT(*) FROM big a, rate b")
                            .rows()
                            .count())
                    .isEqualTo(1);
        }
    }
}
