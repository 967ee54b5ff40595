package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Statement;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A partition's memory limit decides nothing about the content of a recovered database. */
final class MemoryLimitTest {
    private static final int LITTLE = 4 << 20;
    private static final int MUCH = 64 << 20;
    private static final long MORE_THAN_FIT = 100_000;
    private static final String DDL = """
            CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, s VARCHAR(200));
            CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, s VARCHAR(200));
            CREATE TABLE number (id BIGINT NOT NULL, n BIGINT NOT NULL, PRIMARY KEY (id) USING HASH);
            CREATE PROCEDURE FROM CLASS io.reprise.engine.MemoryLimitTest$Fill;
            CREATE PROCEDURE FROM CLASS io.reprise.engine.MemoryLimitTest$Count;
            """;

    @TempDir
    Path directory;

    /** Inserts as long as there is room, takes all of it back, and notes how much there was. */
    public static final class Fill extends Procedure {
        private final Statement insert = sql("INSERT INTO item VALUES (?, 'something to fill memory with')");
        private final Statement clear = sql("DELETE FROM item");
        private final Statement note = sql("INSERT INTO note VALUES (?, ?)");

        /** At most so many rows. */
        public long run(long id, long rows) {
            long inserted = 0;
            try {
                while (inserted < rows) {
                    insert.set(0, id * MORE_THAN_FIT + inserted).update();
                    inserted++;
                }
            } catch (ProcedureException e) {
                clear.update();
            }
            note.set(0, id).set(1, "room for " + inserted).update();
            return inserted;
        }
    }

    /** Inserts short rows. */
    public static final class Count extends Procedure {
        private final Statement insert = sql("INSERT INTO number VALUES (?, ?)");

        /** So many, from this one on. */
        public long run(long from, long rows) {
            for (long id = from; id < from + rows; id++) {
                insert.set(0, id).set(1, 2 * id).update();
            }
            return rows;
        }
    }

    private Options options(int partitions, long memory) {
        return Options.create()
                .partitions(partitions)
                .memoryPerPartition(memory)
                // Thousands of rows in one transaction may take long on a busy machine.
                .timeLimit(Duration.ofMinutes(2))
                .directory(directory)
                .ddl(DDL);
    }

    private static long count(Reprise engine, String table) {
        var rows = engine.sql("SELECT COUNT(*) FROM " + table).rows();
        rows.next();
        return rows.longAt(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldRollBackAProcedureThatCatchesThatMemoryIsFullAndHaveTheSameUnderAnotherLimit(int partitions) {
        try (Reprise engine = options(partitions, LITTLE).open()) {
            engine.call("Fill", 1, 10);

            assertThatThrownBy(() -> engine.call("Fill", 2, MORE_THAN_FIT))
                    .isInstanceOfSatisfying(
                            ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT))
                    .hasMessageContaining("The memory limit of the partition is reached");

            assertThat(count(engine, "item")).isEqualTo(10);
            engine.sql("INSERT INTO note VALUES (3, 'as before')");
        }

        try (Reprise again = options(partitions, MUCH).open()) {
            assertThat(count(again, "item")).isEqualTo(10);
            assertThat(count(again, "note")).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldRefuseToRecoverWithLessThanTheDataTakes(int partitions) {
        try (Reprise engine = options(partitions, MUCH).open()) {
            engine.call("Fill", 1, MORE_THAN_FIT);
        }

        assertThatThrownBy(() -> options(partitions, LITTLE).open())
                .hasStackTraceContaining("The memory limit of the partition is reached");

        try (Reprise again = options(partitions, MUCH).open()) {
            assertThat(count(again, "item")).isEqualTo(MORE_THAN_FIT);
        }
    }

    /** Memory taken ahead while rows are stored again is given back when others need it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldRecoverWithTheMemoryThatWasFilledUp(int partitions) {
        Durability dataRecords = Durability.standard().with(LoggingMethod.PHYSIOLOGICAL);
        long rows = 0;
        try (Reprise engine =
                options(partitions, 4L * LITTLE).durability(dataRecords).open()) {
            while (true) {
                engine.call("Count", rows, 500);
                rows += 500;
            }
        } catch (ProcedureException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT);
        }

        try (Reprise again =
                options(partitions, 4L * LITTLE).durability(dataRecords).open()) {
            assertThat(count(again, "number")).isEqualTo(rows).isGreaterThan(100_000);
        }
    }
}
