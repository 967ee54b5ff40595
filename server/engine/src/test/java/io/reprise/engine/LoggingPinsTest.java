package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import org.junit.jupiter.api.Test;

/** A table or a procedure pins the form of log records, and EXPLAIN LOGGING tells the form with its reason. */
final class LoggingPinsTest {
    private static final String DDL = """
            CREATE TABLE pinned (id BIGINT NOT NULL PRIMARY KEY, n BIGINT) LOGGED AS DATA;
            PARTITION TABLE pinned ON COLUMN id;
            CREATE TABLE loose (id BIGINT NOT NULL PRIMARY KEY, n BIGINT);
            PARTITION TABLE loose ON COLUMN id;
            CREATE PROCEDURE AddPinned PARTITION ON TABLE pinned COLUMN id AS INSERT INTO pinned VALUES (?, ?);
            CREATE PROCEDURE AddLoose PARTITION ON TABLE loose COLUMN id AS INSERT INTO loose VALUES (?, ?);
            CREATE PROCEDURE AddCommand PARTITION ON TABLE pinned COLUMN id LOGGED AS COMMAND
              AS INSERT INTO pinned VALUES (?, ?);
            CREATE PROCEDURE CountLoose PARTITION ON TABLE loose COLUMN id AS SELECT COUNT(*) FROM loose WHERE id = ?;
            """;

    private final SimulatedFileStore disk = new SimulatedFileStore(1);

    private Reprise open(LoggingMethod method) {
        return Options.create()
                .partitions(1)
                .threads(Options.Threads.CALLER)
                .clock(new SimulatedClock())
                .memoryPerPartition(64 << 20)
                .ddl(DDL)
                .files(disk)
                .durability(Durability.standard().with(method).with(SmallDurability.logOfSchemas(256 << 10)))
                .open();
    }

    private static long data(Reprise engine) {
        return engine.recoveryForecast().orElseThrow().dataRecords();
    }

    private static long commands(Reprise engine) {
        return engine.recoveryForecast().orElseThrow().commands();
    }

    @Test
    void shouldLogDataWhenTheWrittenTableIsPinned() {
        try (Reprise engine = open(LoggingMethod.COMMAND)) {
            engine.call("AddPinned", 1L, 1L);
            assertThat(data(engine)).isEqualTo(1);
            engine.sql("INSERT INTO pinned VALUES (2, 2)");
            assertThat(data(engine)).isEqualTo(2);
            assertThat(commands(engine)).isZero();

            engine.call("AddLoose", 1L, 1L);
            engine.call("AddCommand", 3L, 3L);

            assertThat(data(engine)).isEqualTo(2);
            assertThat(commands(engine)).isEqualTo(2);
        }
    }

    @Test
    void shouldChangeTheFormWhenTheTableIsAltered() {
        try (Reprise engine = open(LoggingMethod.COMMAND)) {
            engine.call("AddLoose", 1L, 1L);
            engine.ddl("ALTER TABLE loose LOGGED AS DATA; ALTER TABLE pinned LOGGED AS CONFIGURED");
            long before = commands(engine);

            engine.call("AddLoose", 2L, 2L);
            engine.call("AddPinned", 2L, 2L);

            assertThat(data(engine)).isEqualTo(1);
            assertThat(commands(engine)).isEqualTo(before + 1);
        }
        try (Reprise again = open(LoggingMethod.COMMAND)) {
            long before = data(again);

            again.call("AddLoose", 3L, 3L);
            again.call("AddPinned", 3L, 3L);

            assertThat(data(again)).isEqualTo(before + 1);
            Rows count = again.call("CountLoose", 2L).rows();
            assertThat(count.next()).isTrue();
            assertThat(count.longAt(0)).isEqualTo(1);
        }
    }

    @Test
    void shouldExplainTheFormOfAProcedure() {
        try (Reprise engine = open(LoggingMethod.COMMAND)) {
            assertThat(explain(engine, "PROCEDURE AddLoose"))
                    .isEqualTo("Each transaction is logged as a command: log.method is command.");
            assertThat(explain(engine, "procedure AddPinned;"))
                    .isEqualTo(
                            "Each transaction is logged as data: the procedure, or a table that it writes, is LOGGED AS DATA.");
            assertThat(explain(engine, "PROCEDURE CountLoose"))
                    .isEqualTo("It writes nothing, so it leaves no log records.");
            assertThat(explain(engine, "INSERT INTO pinned VALUES (?, ?)")).contains("LOGGED AS DATA");
            assertThat(explain(engine, "DELETE FROM loose WHERE id = 1")).contains("log.method is command");
            assertThatThrownBy(() -> explain(engine, "PROCEDURE AddLoos"))
                    .isInstanceOf(ProcedureException.class)
                    .hasMessageContaining("no procedure AddLoos");
        }
    }

    @Test
    void shouldExplainWithFiguresWhenTheMethodIsAdaptive() {
        try (Reprise engine = open(LoggingMethod.ADAPTIVE)) {
            for (long id = 0; id < 20; id++) {
                engine.call("AddLoose", id, id);
            }

            assertThat(explain(engine, "PROCEDURE AddLoose"))
                    .startsWith("The form is chosen at each commit: log.method is adaptive.")
                    .containsPattern(
                            "Transactions of one partition: 19 commands of .* bytes, 1 data records of .* bytes;");
        }
    }

    private static String explain(Reprise engine, String subject) {
        Rows rows = engine.sql("EXPLAIN LOGGING " + subject).rows();
        StringBuilder text = new StringBuilder();
        while (rows.next()) {
            text.append(text.isEmpty() ? "" : "\n").append(rows.textAt(0));
        }
        return text.toString();
    }

    @Test
    void shouldNameTheFormsWhenAnotherOneIsGiven() {
        try (Reprise engine = open(LoggingMethod.COMMAND)) {
            assertThatThrownBy(() -> engine.ddl("ALTER TABLE loose LOGGED AS ROWS"))
                    .hasMessageContaining("DATA")
                    .hasMessageContaining("CONFIGURED");
        }
    }
}
