package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.id.TransactionId;
import io.reprise.procedure.Rows;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counters go on counting, and clock readings come from the log, when an engine is opened again. */
final class RestartTest {
    private static final long HOUR_NS = 3_600_000_000_000L;
    private static final String TABLES = """
            CREATE TABLE kept (id BIGINT NOT NULL PRIMARY KEY, val BIGINT NOT NULL);
            PARTITION TABLE kept ON COLUMN id;
            CREATE TABLE dropped (id BIGINT NOT NULL PRIMARY KEY);
            """;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);

    /** Without the last id of the log the ids of an earlier time would be given out: snapshots are ordered by them. */
    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldGiveOutHigherIdsWhenTheWallClockWasSetBack(LoggingMethod method) {
        long before;
        try (Reprise engine = open(method)) {
            before = engine.snapshot().transactionId();
            engine.sql("INSERT INTO kept VALUES (1, 10)");
        }
        clock.jumpWallClock(-HOUR_NS / 1000);

        long after;
        try (Reprise engine = open(method)) {
            engine.sql("INSERT INTO kept VALUES (2, 20)");
            after = engine.snapshot().transactionId();
            engine.sql("INSERT INTO kept VALUES (3, 30)");
        }

        assertThat(after).isGreaterThan(before);
        try (Reprise engine = open(method)) {
            assertThat(engine.recovery().snapshot()).contains(after);
            assertThat(sum(engine)).isEqualTo(60);
        }
    }

    /** The power fails: nothing is behind the records that could tell the last id too. */
    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldGiveOutHigherIdsThanTheLogHasWhenTheWallClockWasSetBack(LoggingMethod method) {
        long first;
        Reprise engine = open(method);
        first = engine.snapshot().transactionId();
        clock.advance(HOUR_NS);
        engine.sql("INSERT INTO kept VALUES (1, 10)");
        disk = disk.crash();
        clock.jumpWallClock(-HOUR_NS / 1000);

        try (Reprise again = open(method)) {
            assertThat(sum(again)).isEqualTo(10);
            long after = again.snapshot().transactionId();

            long micros = TransactionId.epochMicros(after) - TransactionId.epochMicros(first);
            assertThat(micros).isGreaterThanOrEqualTo(HOUR_NS / 1000);
        }
    }

    /** The table that follows is not to have the number of the one that was dropped, which records name. */
    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldKnowTablesByTheirNumbersWhenTheLastWasDroppedBeforeASnapshot(LoggingMethod method) {
        long[] content;
        try (Reprise engine = open(method)) {
            engine.ddl("DROP TABLE dropped");
            assertThat(engine.snapshot().succeeded()).isTrue();
            engine.ddl("CREATE TABLE late (id BIGINT NOT NULL PRIMARY KEY)");
            engine.sql("INSERT INTO late VALUES (7)");
            engine.sql("INSERT INTO kept VALUES (1, 10)");
            content = engine.contentHashes();
        }

        try (Reprise engine = open(method)) {
            assertThat(engine.contentHashes()).isEqualTo(content);
            assertThat(number(engine, "SELECT SUM(id) FROM late")).isEqualTo(7);
            engine.ddl("CREATE TABLE later (id BIGINT NOT NULL PRIMARY KEY)");
            engine.sql("INSERT INTO later VALUES (8)");
            content = engine.contentHashes();
        }
        try (Reprise engine = open(method)) {
            assertThat(engine.contentHashes()).isEqualTo(content);
        }
    }

    /** Old rows have the time of the change, and not that of its replay. */
    @Test
    void shouldFindTheTimeOfTheChangeInAColumnThatWasAdded() {
        long[] content;
        long time;
        try (Reprise engine = open(LoggingMethod.COMMAND)) {
            engine.sql("INSERT INTO kept VALUES (1, 10)");
            clock.advance(HOUR_NS);
            engine.ddl("ALTER TABLE kept ADD COLUMN since TIMESTAMP DEFAULT NOW");
            time = number(engine, "SELECT since FROM kept");
            content = engine.contentHashes();
        }
        clock.advance(HOUR_NS);

        try (Reprise engine = open(LoggingMethod.COMMAND)) {
            assertThat(number(engine, "SELECT since FROM kept")).isEqualTo(time);
            assertThat(engine.contentHashes()).isEqualTo(content);
        }
    }

    private static long sum(Reprise engine) {
        return number(engine, "SELECT SUM(val) FROM kept");
    }

    private static long number(Reprise engine, String query) {
        Rows rows = engine.sql(query).rows();
        assertThat(rows.next()).isTrue();
        return rows.longAt(0);
    }

    private Reprise open(LoggingMethod method) {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .ddl(TABLES)
                .replay(SmallDurability.replay())
                .files(disk)
                .durability(Durability.standard()
                        .with(method)
                        .with(SmallDurability.log(1 << 20))
                        .with(SmallDurability.snapshots(2)))
                .open();
    }
}
